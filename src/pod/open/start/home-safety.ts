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
Tells why another user or the project could bring sessions, drafts or saved rules, and what to do.
Each folder on the way to the state folder must belong to you or root. Only a sticky one may be open to everybody, and
the state folder itself may not be. A folder that `safe_directories` lists is allowed.
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

/** Creates the missing state folder if another user could create it first. */
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

/** A folder that is missing, or is not a folder, is not judged: whoever opens it reports that. */
function folderProblem(folder: string, uids: readonly number[]): string | undefined {
	const unsafe = unsafeEntry(folder, {uids, writers: everybodyWrites});
	if (unsafe === undefined) return isOpen(folder) ? homeTexts.unsafe.open(folder) : undefined;
	return unsafe.reason === 'misshapen' ? undefined : homeTexts.unsafe[unsafe.reason](unsafe.path);
}

function ignoreSystemError(error: unknown): undefined {
	if (errorCode(error) === '') throw error;
	return undefined;
}

/** The configuration is read again only if the folder needs it. If it is invalid, its own sentence ends the start. */
async function isAllowed(home: string, env: Env): Promise<boolean> {
	const read = await loadConfig(env);
	return read.ok && isSafe(await realProject(home), {safe: read.config.safeDirectories});
}

const everybodyWrites = 0o002;
