import {opendir, stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import type {Env} from '../env/env.ts';
import {errorCode} from '../files/fs-error.ts';
import {failureOf, failureSentence} from './files.ts';
import {sessionsRoot} from './paths.ts';
import {homeTexts} from './texts.ts';

/**
Tells why the folder of sessions cannot be read, and what to do.
Returns `undefined` if it can be read or does not exist yet.
*/
export async function homeProblem(env: Env): Promise<string | undefined> {
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
