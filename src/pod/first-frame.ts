/**
The entry file of the pod for the chat's first frame. index.ts would load the whole pod, and the first frame cannot wait
for that. Everything else is loaded on its first use (test/scripts/bundle.test.ts).
*/
export {approvalModes, type ApprovalMode} from './approval/mode.ts';
export {efforts, type Effort} from './protocol/effort-levels.ts';
export {loadConfig, type Config} from './config/config.ts';
export {homeOf, type Env} from './env/env.ts';
export {parseRemoteName} from './attach/remote-name.ts';
export {errorCode} from './files/fs-error.ts';
export type {Owners, Scope} from './scope/scope.ts';
export {historyFile, realProject, stateHome} from './session/paths.ts';
export {unwritableHome} from './session/home-problem.ts';
export {findProject} from './start/find-project.ts';
export type {Decoded} from './bundle/decode-file.ts';
export type {LiveFound} from './start/find-live.ts';
export type {OpenPod} from './start/local-pod.ts';
export type {Opened} from './start/open-planned.ts';
export type {ChatOptions, ProjectOptions, StartOptions} from './start/options.ts';
export {escapeSeparators} from './text/json-line.ts';
export {undrawnClass} from './text/undrawn.ts';
export {planStart, type Plan, type Planned} from './start/plan.ts';
import type {Decoded} from './bundle/decode-file.ts';
import type {Env} from './env/env.ts';
import type {DraftKeeper, DraftPlace, Drafts} from './session/drafts.ts';
import type * as owners from './session/lock-owner.ts';
import {maxUnzippedBytes} from './bundle/limits.ts';
import {projectDir, sessionsRoot} from './session/paths.ts';
import type {findLive as find} from './start/find-live.ts';
import type * as opening from './start/open-planned.ts';

/** Loads the code that opens a pod: nearly all of the pod and the worker. */
export async function loadOpenPlanned(): Promise<typeof opening> {
	return import('./start/open-planned.ts');
}

export async function findLive(...args: Parameters<typeof find>): ReturnType<typeof find> {
	const live = await import('./start/find-live.ts');
	return live.findLive(...args);
}

/** Begins to decode a bundle, while the code that reads it is loaded. Never rejects. */
export async function decodeBundle(path: string): Promise<Decoded> {
	const {decodeFile} = await import('./bundle/decode-file.ts');
	return decodeFile(path, maxUnzippedBytes);
}

/** Opens the drafts of a terminal. */
export async function openDrafts(env: Env, place: DraftPlace): Promise<Drafts> {
	const drafts = await import('./session/drafts.ts');
	return drafts.openDrafts(drafts.draftsRoot(env), place);
}

/** Opens the place for what the user types before a session is open. `dir` is its folder, unless it is new. */
export async function openEarlyDrafts(env: Env, pwd: string, dir?: string): Promise<DraftKeeper> {
	const drafts = await import('./session/drafts.ts');
	const place = dir === undefined ? {project: projectDir(sessionsRoot(env), pwd)} : {dir};
	return drafts.earlyDrafts(drafts.draftsRoot(env), place);
}

/** Finds programs outside of a project, with their environment without model API keys. */
export async function loadPrograms(
	env: Env,
	pwd: string,
	keyNames: readonly string[],
): Promise<{readonly env: Env; readonly find: (name: string) => string | undefined}> {
	const [{childEnv}, {findProgram}] = await Promise.all([
		import('./env/child-env.ts'),
		import('./processes/programs.ts'),
	]);
	return {env: childEnv(env, keyNames), find: name => findProgram(name, env['PATH'], pwd)};
}

/** Loads the code that writes owner files, and that tells whether an owner is alive. */
export async function loadOwners(): Promise<typeof owners> {
	return import('./session/lock-owner.ts');
}
