import type {Env} from '../pod/env/env.ts';
import {projectDir, sessionsRoot} from '../pod/session/paths.ts';
import {createLocalPod, type ChatLaunch} from './local-pod.ts';
import type {Plan} from './plan.ts';
import {startPod} from './start-pod.ts';
import type {OpenPod} from './open-pod.ts';

export type Opened =
	| {readonly ok: true; readonly open: OpenPod; readonly warnings: readonly string[]}
	| {readonly ok: false; readonly sentence: string};

/** A pod for a chat on the plan's session: one of this process, or the one of the process that has the session open. */
export async function openPlanned(plan: Plan, launch: ChatLaunch, env: Env): Promise<Opened> {
	if (launch.attach !== undefined) return attach(plan, launch, env);
	const started = await startPod(plan, env, {
		attended: true,
		trust: launch.trust === true,
		isFolderChosen: launch.cwd !== undefined,
	});
	void tidySessions(plan, env);
	if (started.ok)
		return {
			ok: true,
			open: createLocalPod(started.pod, started.session, plan, launch, env),
			warnings: started.warnings,
		};
	if (started.held !== true) return started;
	const attached = await attach(plan, launch, env);
	if (attached.ok || attached.absent) return attached.ok ? attached : started;
	return {ok: false, sentence: `${started.sentence} ${attached.sentence}`};
}

/** Behind the start: what is left over is in nobody's way. */
async function tidySessions({scope}: Plan, env: Env): Promise<void> {
	const {tidyProject} = await import('../pod/session/tidy.ts');
	await tidyProject(projectDir(sessionsRoot(env), scope.pwd));
}

async function attach(plan: Plan, launch: ChatLaunch, env: Env) {
	const {attachPlanned} = await import('./attach.ts');
	return attachPlanned(plan, launch, env);
}
