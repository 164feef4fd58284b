import type {Launch} from '../args.ts';
import type {Env} from '../pod/env/env.ts';
import type {PodClient} from '../pod/protocol.ts';
import type {Plan} from './plan.ts';
import type {OpenPod} from './open-pod.ts';

export type ChatLaunch = Extract<Launch, {command: 'chat'}>;

/** A pod of this process. */
export function createLocalPod(
	pod: PodClient,
	session: OpenPod['session'],
	plan: Plan,
	launch: ChatLaunch,
	env: Env,
): OpenPod {
	return {pod, session, isAttached: () => false, listen: listener(pod, session, plan, launch, env)};
}

/**
What listens to a pod is loaded when it is first wanted, and only once. A pod that is closed meanwhile is not listened
for.
*/
function listener(
	pod: PodClient,
	session: OpenPod['session'],
	plan: Plan,
	{noSocket = false}: ChatLaunch,
	env: Env,
): OpenPod['listen'] {
	let begun = noSocket;
	return async () => {
		if (begun) return undefined;
		begun = true;
		let isClosed = false;
		const stop = pod.subscribe(event => {
			isClosed ||= event.type === 'closed';
		});
		const {listen, socketFolder, sweepSockets} = await import('../pod/attach/index.ts');
		stop();
		const folder = socketFolder(env);
		if (isClosed) return undefined;
		if (folder === undefined)
			return 'No other terminal can attach to this session: the path of the temporary folder is too long for a socket.';
		const listening = await listen(pod, {folder, session: session.id, pwd: plan.scope.pwd});
		void sweepSockets(folder);
		return listening.ok ? undefined : listening.sentence;
	};
}
