import type {Env} from '../../ground/env/env.ts';
import {projectDir, sessionsRoot} from '../../disk/paths.ts';
import {limitMemory} from './limit-memory.ts';
import {createLocalPod, type OpenPod} from './local-pod.ts';
import type {ChatOptions} from './options.ts';
import type {Plan} from './plan.ts';
import {startPod} from './start-pod.ts';

export type Opened =
	| {readonly ok: true; readonly open: OpenPod; readonly notice?: string; readonly warnings: readonly string[]}
	| {readonly ok: false; readonly sentence: string};

/**
Opens a pod for a chat on the plan's session, in this process or by attaching to the process that owns the session. When
`signal` is aborted, the function no longer waits for that process.
*/
export async function openPlanned(plan: Plan, options: ChatOptions, env: Env, signal?: AbortSignal): Promise<Opened> {
	if (options.attach !== undefined) return attach(plan, options, env, signal);
	limitMemory();
	const started = await startPod(plan, env, {
		attended: true,
		trust: options.trust === true,
		isFolderChosen: options.cwd !== undefined,
		editorServers: options.editorServers,
	});
	void tidySessions(plan, env);
	if (started.ok) {
		const {pod, session, answered, notice, warnings} = started;
		const open = createLocalPod({pod, session, answered, pwd: plan.scope.pwd}, options, env);
		return {ok: true, open, notice, warnings};
	}
	if (started.held !== true) return started;
	const attached = await attach(plan, options, env, signal);
	if (attached.ok || attached.absent) return attached.ok ? attached : started;
	return {ok: false, sentence: `${started.sentence} ${attached.sentence}`};
}

/** Removes the unfinished files of earlier processes. This runs after the start, so it does not delay the start. */
async function tidySessions({scope}: Plan, env: Env): Promise<void> {
	const {removeUnfinished} = await import('../../disk/list/remove-unfinished.ts');
	await removeUnfinished(projectDir(sessionsRoot(env), scope.pwd));
}

async function attach(plan: Plan, options: ChatOptions, env: Env, signal: AbortSignal | undefined) {
	const {attachPlanned} = await import('./attach.ts');
	return attachPlanned(plan, options, env, signal);
}
