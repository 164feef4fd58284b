import {join} from 'node:path';
import {errorCode} from '../../ground/files/fs-error.ts';
import {removeBlobs} from '../bodies/hashed-files.ts';
import {quietly, realFiles, type Files} from '../files.ts';
import {entries} from './list.ts';
import {takeLock} from '../log/lock.ts';
import {historyFile, sessionId} from '../paths.ts';

/**
Removes session folders whose process was killed before the first commit was finished. No client has seen the contents
of these folders. Checks only a project's latest folders, and skips folders that a running process may still be
creating. Never rejects.
*/
export async function removeUnfinished(project: string, now = Date.now(), files: Files = realFiles): Promise<void> {
	const names = await entries(project, files).catch(() => []);
	for (const name of names
		.filter(name => sessionId.test(name))
		.toSorted()
		.slice(-maxChecked))
		await quietly(tidy(join(project, name), now, files));
}

async function tidy(dir: string, now: number, files: Files): Promise<void> {
	if (!(await isUnfinished(dir, files)) || Math.abs(now - (await files.stat(dir)).mtimeMs) < makingMs) return;
	const locked = await takeLock(dir, files);
	if (!locked.ok) return;
	if (await isUnfinished(dir, files)) {
		await quietly(files.unlink(`${historyFile(dir)}.new`));
		await removeBlobs(dir, files);
	}
	await locked.lock.release();
	await quietly(files.rmdir(dir));
}

async function isUnfinished(dir: string, files: Files): Promise<boolean> {
	try {
		await files.stat(historyFile(dir));
		return false;
	} catch (error) {
		return errorCode(error) === 'ENOENT';
	}
}

/** The maximum number of checked folders. This limits the time of a start in a project with thousands of sessions. */
const maxChecked = 32;
/**
The maximum number of milliseconds that a process needs to create a session's folder and lock. The usual time is much
shorter.
*/
const makingMs = 60_000;
