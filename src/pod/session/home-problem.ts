import {opendir, stat} from 'node:fs/promises';
import {dirname} from 'node:path';
import type {Env} from '../env/env.ts';
import {errorCode} from '../files/fs-error.ts';
import {failureOf, failureSentence} from './files.ts';
import {sessionsRoot} from './paths.ts';

/** Why the folder of sessions cannot be read, and what to do. Nothing where it can be, or where it is not there yet. */
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
		const what = isFile
			? `${await nearest(root)} is not a folder.`
			: failureSentence(failureOf(error), root, error);
		return `Sessions cannot be read: ${what} ${nextStep}`;
	}
}

const nextStep = 'Set INKPOD_HOME to a folder that you can read and write.';

/** The path or the first folder above it that is there. */
async function nearest(path: string): Promise<string> {
	const isThere = await stat(path).then(
		() => true,
		() => false,
	);
	return isThere || dirname(path) === path ? path : nearest(dirname(path));
}
