import {statSync} from 'node:fs';
import {dirname, isAbsolute, join} from 'node:path';
import {loadConfig} from '../../config/config.ts';
import type {Env} from '../../ground/env/env.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {unsafeEntry} from '../../ground/files/path-safety.ts';
import {isSafe, ownersOf} from '../../scope/owners.ts';
import {makeDir, realFiles} from '../../disk/files.ts';
import {realProject, stateHome} from '../../disk/paths.ts';
import {homeTexts} from '../../disk/texts.ts';

/**
Returns the reason why another user or the project could plant sessions, drafts or saved rules, with a remedy. Each
folder on the path to the state folder must belong to the user or root. Only a folder with the sticky bit may be
writable for everybody, and the state folder itself may not. A folder in `safe_directories` is always allowed.
*/
export async function homeSafetyProblem(env: Env): Promise<string | undefined> {
	const own = env['INKPOD_HOME'] ?? '';
	if (own !== '' && !isAbsolute(own)) return homeTexts.relative(own);
	const {uids} = ownersOf(env);
	if (uids === undefined) return undefined;
	const home = stateHome(env);
	const problem = await foldersProblem(home, uids);
	return problem === undefined || (await isAllowed(home, env)) ? undefined : problem;
}

async function foldersProblem(home: string, uids: readonly number[]): Promise<string | undefined> {
	try {
		await claimIfOthersCould(home);
	} catch (error) {
		return ignoreSystemError(error);
	}
	for (const folder of [home, join(home, 'sessions'), join(home, 'drafts')]) {
		try {
			const problem = folderProblem(folder, uids);
			if (problem !== undefined) return problem;
		} catch (error) {
			ignoreSystemError(error);
		}
	}
	return undefined;
}

/** Creates a missing state folder if another user could create it first. */
async function claimIfOthersCould(home: string): Promise<void> {
	if (isMissing(home) && isOpen(nearest(dirname(home)))) await makeDir(realFiles, home).catch(ignoreSystemError);
}

function isMissing(path: string): boolean {
	return statSync(path, {throwIfNoEntry: false}) === undefined;
}

/** Returns the path, or the first existing folder above it. */
function nearest(path: string): string {
	return isMissing(path) && dirname(path) !== path ? nearest(dirname(path)) : path;
}

function isOpen(folder: string): boolean {
	return (statSync(folder).mode & everybodyWrites) !== 0;
}

/**
Returns the problem with one folder. A path that is missing or not a folder is not a problem here, because the code that
opens it reports it.
*/
function folderProblem(folder: string, uids: readonly number[]): string | undefined {
	const unsafe = unsafeEntry(folder, {uids, writers: everybodyWrites});
	if (unsafe === undefined) return isOpen(folder) ? homeTexts.unsafe.open(folder) : undefined;
	return unsafe.reason === 'misshapen' ? undefined : homeTexts.unsafe[unsafe.reason](unsafe.path);
}

function ignoreSystemError(error: unknown): undefined {
	if (errorCode(error) === '') throw error;
	return undefined;
}

/**
Tells whether `safe_directories` contains the state folder. Returns false if the configuration is invalid. The start
then fails with the error about the configuration.
*/
async function isAllowed(home: string, env: Env): Promise<boolean> {
	const read = await loadConfig(env);
	return read.ok && isSafe(await realProject(home), {safe: read.config.safeDirectories});
}

const everybodyWrites = 0o002;
