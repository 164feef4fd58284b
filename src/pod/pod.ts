import type {PodClient} from './protocol.ts';
import {assembleClient} from './assembly/client.ts';
import type {PodOptions} from './assembly/options.ts';
import {assembleQueue} from './assembly/queue.ts';
import {assembleRequests} from './assembly/requests.ts';
import {assembleSession} from './assembly/session.ts';
import {assembleTools} from './assembly/tools.ts';

export type {PodOptions} from './assembly/options.ts';

/** Opens an agent on a session. `shutdown` closes it and releases the session. */
export function openPod(options: PodOptions): PodClient {
	const session = assembleSession(options);
	// A background command ends long after `client` has been defined.
	const tools = assembleTools(options, session, async method => client.send(method));
	const requests = assembleRequests(options, session, tools);
	const queue = assembleQueue(options, session);
	const client = assembleClient(options, session, tools, {...requests, ...queue});
	return client;
}
