import type {AnsweredRules} from '../../permissions/approval/judge.ts';
import type {Env} from '../../ground/env/env.ts';
import type {PodClient} from '../../protocol.ts';
import type {Session} from '../../disk/log/session.ts';
import type {ChatOptions} from './options.ts';
import {startTexts} from './texts.ts';

/** A pod with its session, ready for a screen. */
export type OpenPod = {
	readonly pod: PodClient;
	/** The session of the pod. It is replaced if another process's pod ends before the session has a message. */
	readonly session: Pick<Session, 'id' | 'dir'>;
	/**
	Lets other terminals attach, unless --no-socket was given. The first call returns the warning, if there is one.
	*/
	readonly listen: () => Promise<string | undefined>;
	/** The rules that the user allowed for this session, if this process runs it. */
	readonly answered?: AnsweredRules;
	/** Set on a child session: the open session to which it belongs, whose process and screen it shares. */
	readonly parent?: OpenPod;
	/** Set on a session of another machine: how ssh names that machine. */
	readonly remote?: string;
	/** Ends this view of a child session. */
	readonly release?: () => Promise<void>;
	/** Tells whether another process owns the session. When that process ends, this one may take the session over. */
	readonly isAttached: () => boolean;
};

/** A pod in this process. `pwd` is the working directory of its scope. */
type Local = Pick<OpenPod, 'pod' | 'session' | 'answered'> & {readonly pwd: string};

/** Creates the pod of this process for a screen. */
export function createLocalPod(local: Local, options: ChatOptions, env: Env): OpenPod {
	const {pod, session, answered} = local;
	return {pod, session, answered, isAttached: () => false, listen: listener(local, options, env)};
}

/**
Returns a function that starts the socket server once. The code of the server is loaded on the first call. A closed pod
needs no server.
*/
function listener({pod, session, pwd}: Local, {noSocket = false}: ChatOptions, env: Env): OpenPod['listen'] {
	let begun = noSocket;
	return async () => {
		if (begun) return undefined;
		begun = true;
		let isClosed = false;
		const stop = pod.subscribe(event => {
			isClosed ||= event.type === 'closed';
		});
		const {listen, socketFolder, removeDeadSockets} = await import('../../remote/attach/index.ts');
		stop();
		const folder = socketFolder(env);
		if (isClosed) return undefined;
		if (folder === undefined) return startTexts.socketPathTooLong;
		const listening = await listen(pod, {folder, session: session.id, pwd});
		void removeDeadSockets(folder);
		return listening.ok ? undefined : listening.sentence;
	};
}
