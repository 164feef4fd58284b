import {mkdir, rename} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import type {Env} from '../env/env.ts';
import {errorCode} from '../files/fs-error.ts';
import {failureOf, failureSentence, realFiles} from './files.ts';
import {lockOwner} from './lock.ts';
import {stateHome} from './paths.ts';
import {trashTexts} from './texts.ts';

/** Returns the folder of the sessions that were deleted. Below it, they have the same names as among the sessions. */
export function trashRoot(env: Env): string {
	return join(stateHome(env), 'trash');
}

/** Moves a session to the trash. A session that a process has open stays where it is. */
export async function moveToTrash(
	dir: string,
	env: Env,
): Promise<{readonly ok: true; readonly dir: string} | {readonly ok: false; readonly sentence: string}> {
	if ((await lockOwner(dir, realFiles)) !== undefined) return {ok: false, sentence: trashTexts.open(basename(dir))};
	const to = join(trashRoot(env), basename(dirname(dir)), basename(dir));
	try {
		await mkdir(dirname(to), {recursive: true, mode: 0o700});
		await rename(dir, to);
		return {ok: true, dir: to};
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return {ok: false, sentence: failureSentence(failureOf(cause), dir, cause)};
	}
}
