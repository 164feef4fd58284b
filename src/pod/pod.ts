import type {Method, PodClient} from './protocol.ts';
import {assembleChildren} from './open/assembly/children.ts';
import {assembleClient} from './open/assembly/client.ts';
import type {PodOptions} from './open/assembly/options.ts';
import {assembleQueue} from './open/assembly/queue.ts';
import {assembleRequests, type RequestParts} from './open/assembly/requests.ts';
import {assembleSession} from './open/assembly/session.ts';
import {assembleTools, type ToolParts} from './open/assembly/tools.ts';

export type {PodOptions} from './open/assembly/options.ts';

/** Opens an agent on a session. `shutdown` closes it and releases the session. */
export function openPod(options: PodOptions): PodClient {
	const session = assembleSession(options);
	// Background commands end, and children open, long after all parts have been defined.
	const send = async (method: Method) => client.send(method);
	const children = assembleChildren(options, session, openPod, () => ({tools, budget: requests.budget, send}));
	const tools: ToolParts = assembleTools(options, session, children, send);
	const requests: RequestParts = assembleRequests(options, session, tools, children);
	const queue = assembleQueue(options, session);
	const client: PodClient = assembleClient(options, session, tools, {...requests, ...queue}, children);
	return client;
}
