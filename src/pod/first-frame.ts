/**
The entry file of the pod for the chat's first frame. The first frame cannot wait for index.ts, which loads the whole
pod. All other code is loaded on its first use (test/scripts/bundle.test.ts).
*/
export {approvalModes, type ApprovalMode} from './protocol/approval-mode.ts';
export {efforts, type Effort} from './protocol/effort-levels.ts';
export {loadConfig, type Config} from './config/config.ts';
export {homeOf, type Env} from './ground/env/env.ts';
export {parseRemoteName} from './remote/attach/remote-name.ts';
export {errorCode} from './ground/files/fs-error.ts';
export type {Owners, Scope} from './scope/scope.ts';
export {historyFile, realProject, stateHome} from './disk/paths.ts';
export {unwritableHome} from './open/start/home-problem.ts';
export {findProject} from './open/start/find-project.ts';
export type {Decoded} from './disk/bundle/decode-file.ts';
export type {LiveFound} from './open/start/find-live.ts';
export type {OpenPod} from './open/start/local-pod.ts';
export type {Opened} from './open/start/open-planned.ts';
export type {ChatOptions, ProjectOptions, StartOptions} from './open/start/options.ts';
export {escapeSeparators} from './ground/text/json-line.ts';
export {invisibleClass} from './ground/text/invisible-class.ts';
export {planStart, type Plan, type Planned} from './open/start/plan.ts';
import type {Decoded} from './disk/bundle/decode-file.ts';
import type {Env} from './ground/env/env.ts';
import type {DraftKeeper, DraftPlace, Drafts} from './disk/drafts/drafts.ts';
import type * as owners from './disk/log/lock-owner.ts';
import {maxUnzippedBytes} from './disk/bundle/limits.ts';
import {projectDir, sessionsRoot} from './disk/paths.ts';
import type {findLive as find} from './open/start/find-live.ts';
import type * as opening from './open/start/open-planned.ts';

/** Loads the code that opens a pod. This is nearly all code of the pod and the worker. */
export async function loadOpenPlanned(): Promise<typeof opening> {
	return import('./open/start/open-planned.ts');
}

export async function findLive(...args: Parameters<typeof find>): ReturnType<typeof find> {
	const live = await import('./open/start/find-live.ts');
	return live.findLive(...args);
}

/** Decodes a bundle. The caller can load the code that reads the bundle at the same time. Never rejects. */
export async function decodeBundle(path: string): Promise<Decoded> {
	const {decodeFile} = await import('./disk/bundle/decode-file.ts');
	return decodeFile(path, maxUnzippedBytes);
}

/** Opens the drafts of a terminal. */
export async function openDrafts(env: Env, place: DraftPlace): Promise<Drafts> {
	const drafts = await import('./disk/drafts/drafts.ts');
	return drafts.openDrafts(drafts.draftsRoot(env), place);
}

/**
Opens the drafts for text that the user types before a session is open. `dir` is the session's folder, or absent for a
new session.
*/
export async function openEarlyDrafts(env: Env, pwd: string, dir?: string): Promise<DraftKeeper> {
	const drafts = await import('./disk/drafts/drafts.ts');
	const place = dir === undefined ? {project: projectDir(sessionsRoot(env), pwd)} : {dir};
	return drafts.earlyDrafts(drafts.draftsRoot(env), place);
}

/** Returns a function that finds programs outside of a project, and an environment for them without model API keys. */
export async function loadPrograms(
	env: Env,
	pwd: string,
	keyNames: readonly string[],
): Promise<{readonly env: Env; readonly find: (name: string) => string | undefined}> {
	const [{childEnv}, {findProgram}] = await Promise.all([
		import('./ground/env/child-env.ts'),
		import('./platform/programs.ts'),
	]);
	return {env: childEnv(env, keyNames), find: name => findProgram(name, env['PATH'], pwd)};
}

/** Loads the code that writes owner files and that tells whether an owner process is alive. */
export async function loadOwners(): Promise<typeof owners> {
	return import('./disk/log/lock-owner.ts');
}
