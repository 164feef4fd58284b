import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {errorCode, unwritableHome, type Env} from '../../pod/first-frame.ts';
import {notSaved} from './texts.ts';

type UnsavedHome = {
	/** The environment with a state folder that is deleted when the process ends. */
	readonly env: Env;
	readonly warning: string;
};

/**
Returns a temporary state folder for a chat that cannot be saved, because the state folder is not writable. All features
of a session work there. Returns `undefined` if the state folder is usable, or if no temporary folder can be created.
*/
export async function unsavedHome(env: Env): Promise<UnsavedHome | undefined> {
	const problem = await unwritableHome(env);
	const folder = problem === undefined ? undefined : temporaryFolder();
	if (problem === undefined || folder === undefined) return undefined;
	process.once('exit', () => rmSync(folder, {recursive: true, force: true}));
	return {env: {...env, INKPOD_HOME: folder}, warning: notSaved(problem)};
}

/** Creates a temporary folder that only the user can read (0700). */
function temporaryFolder(): string | undefined {
	try {
		return mkdtempSync(join(tmpdir(), 'inkpod-unsaved-'));
	} catch (error) {
		if (errorCode(error) === '') throw error;
		return undefined;
	}
}
