import {constants} from 'node:fs';
import {access, opendir, stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import {hasHome, type Env} from '../../ground/env/env.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {ownUid} from '../../platform/system.ts';
import {failureOf, failureSentence} from '../../disk/files.ts';
import {homeSafetyProblem} from './home-safety.ts';
import {sessionsRoot} from '../../disk/paths.ts';
import {homeTexts} from '../../disk/texts.ts';

/**
Returns the reason why the folder of sessions cannot be read, or why other users could change it, with a remedy. Returns
`undefined` if the folder can be used or does not exist yet.
*/
export async function homeProblem(env: Env): Promise<string | undefined> {
	const hasPlace = [env['INKPOD_HOME'], env['XDG_STATE_HOME']].some(folder => folder !== undefined && folder !== '');
	if (!hasPlace && !hasHome(env)) return homeTexts.none(ownUid());
	return (await homeSafetyProblem(env)) ?? unreadable(env);
}

/**
Returns the reason why no new session could be saved, with a remedy. In this case, the user cannot write to the folder
of sessions or to its nearest existing parent folder.
*/
export async function unwritableHome(env: Env): Promise<string | undefined> {
	const root = sessionsRoot(env);
	const folder = await nearest(root);
	try {
		await access(folder, constants.W_OK | constants.X_OK);
		return undefined;
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return homeTexts.unwritable(failureSentence(failureOf(error), folder, error));
	}
}

async function unreadable(env: Env): Promise<string | undefined> {
	const root = sessionsRoot(env);
	try {
		await (await opendir(root)).close();
		return undefined;
	} catch (error) {
		const code = errorCode(error);
		if (code === '') throw error;
		if (code === 'ENOENT') return undefined;
		const isFile = code === 'ENOTDIR';
		const what = isFile ? homeTexts.notFolder(await nearest(root)) : failureSentence(failureOf(error), root, error);
		return homeTexts.unreadable(what);
	}
}

/** Returns the path, or the first existing folder above it. */
async function nearest(path: string): Promise<string> {
	const isThere = await stat(path).then(
		() => true,
		() => false,
	);
	return isThere || dirname(path) === path ? path : nearest(dirname(path));
}
