import {lstat, open, realpath, rename, rm} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {errorCode, failureOf, stateHome, type StoredSessionOptions} from '../../pod/index.ts';
import {exists, inState} from './texts.ts';

/** The reason why a file must not be written. */
type DestinationProblem = {readonly reason: 'exists' | 'in_state'; readonly sentence: string};

/** Returns why a file must not be written. */
export async function destinationProblem(
	file: string,
	{force, env}: {readonly force: boolean; readonly env: StoredSessionOptions['env']},
): Promise<DestinationProblem | undefined> {
	const [folder, state] = await Promise.all([realOf(dirname(file)), realOf(stateHome(env))]);
	if (`${folder}/`.startsWith(`${state}/`)) return {reason: 'in_state', sentence: inState(file)};
	const known = await lstat(file).catch(() => undefined);
	return known === undefined || force ? undefined : {reason: 'exists', sentence: exists(file)};
}

async function realOf(path: string): Promise<string> {
	return realpath(path).catch(() => path);
}

/**
Writes a file that only the user can read. The content is first written under another name. Without `force`, an existing
file is not replaced.
*/
export async function writeWhole(
	file: string,
	bytes: Buffer | AsyncIterable<Uint8Array>,
	force: boolean,
): Promise<string | undefined> {
	const path = force ? join(dirname(file), `.${basename(file)}.${process.pid}.tmp`) : file;
	try {
		const handle = await open(path, 'wx', 0o600);
		try {
			await handle.writeFile(bytes);
		} finally {
			await handle.close();
		}
		if (force) await rename(path, file);
		return undefined;
	} catch (error) {
		if (errorCode(error) === '') throw error;
		if (errorCode(error) !== 'EEXIST') await rm(path, {force: true});
		return failureOf(error) + (errorCode(error) === '' ? '' : ` (${errorCode(error)})`);
	}
}
