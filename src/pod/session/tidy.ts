import {join} from 'node:path';
import {errorCode} from '../files/fs-error.ts';
import {quietly, realFiles, type Files} from './files.ts';
import {entries} from './list.ts';
import {takeLock} from './lock.ts';
import {historyFile, sessionId} from './paths.ts';

/**
Removes what killed processes left of sessions that never came to be: folders whose first commit did not come to its
end, the youngest of a project. What a live process may still be making stays. Nothing that a client was told of lies
there. Does not reject.
*/
export async function tidyProject(project: string, now = Date.now(), files: Files = realFiles): Promise<void> {
	const names = await entries(project, files).catch(() => []);
	for (const name of names
		.filter(name => sessionId.test(name))
		.toSorted()
		.slice(-looked))
		await quietly(tidy(join(project, name), now, files));
}

async function tidy(dir: string, now: number, files: Files): Promise<void> {
	if (!(await isUnbegun(dir, files)) || Math.abs(now - (await files.stat(dir)).mtimeMs) < makingMs) return;
	const locked = await takeLock(dir, files);
	if (!locked.ok) return;
	if (await isUnbegun(dir, files)) await quietly(files.unlink(`${historyFile(dir)}.new`));
	await locked.lock.release();
	await quietly(files.rmdir(dir));
}

async function isUnbegun(dir: string, files: Files): Promise<boolean> {
	try {
		await files.stat(historyFile(dir));
		return false;
	} catch (error) {
		return errorCode(error) === 'ENOENT';
	}
}

/** As many as a start may look at, of a project with thousands. */
const looked = 32;
/** A process makes a session's folder and its lock in much less. */
const makingMs = 60_000;
