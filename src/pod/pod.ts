import type {Method, PodClient} from './protocol.ts';
import {assembleChildren} from './assembly/children.ts';
import {assembleClient} from './assembly/client.ts';
import type {PodOptions} from './assembly/options.ts';
import {assembleQueue} from './assembly/queue.ts';
import {assembleRequests, type RequestParts} from './assembly/requests.ts';
import {assembleSession} from './assembly/session.ts';
import {assembleTools, type ToolParts} from './assembly/tools.ts';

export type {PodOptions} from './assembly/options.ts';

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
