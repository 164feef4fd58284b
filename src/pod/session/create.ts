import {dirname, join} from 'node:path';
import {ulid} from 'ulid';
import {HistoryError, isoTime, type Clock, type Item, type Log} from '../../worker/index.ts';
import {makeDir, quietly, realFiles, type Files, type OpenFile} from './files.ts';
import {headerLine, headerSum, type Header} from './line.ts';
import {takeLock, type Lock} from './lock.ts';
import {createLog, createLogFile, historyError} from './log.ts';
import {historyFile, projectDir} from './paths.ts';
import {closable, type Session} from './session.ts';

/**
Creates a session of a project, in memory at first. The first write creates the folder, the lock and history.json.
If that write fails, it removes them, so that a later write can try again. `root` is sessionsRoot(), and `cwd` is a
real path. `project` is the project's folder, which otherwise follows from them.
*/
export function createSession(
	at: {readonly root: string; readonly cwd: string; readonly project?: string; readonly fork?: Header['fork']},
	clock: Pick<Clock, 'now'>,
	files: Files = realFiles,
): Session {
	const now = clock.now();
	const id = ulid(now);
	const dir = join(at.project ?? projectDir(at.root, at.cwd), id);
	const created = isoTime(now);
	const line = headerLine({session: id, cwd: at.cwd, created, ...(at.fork && {fork: at.fork})});
	let begun: Begun | undefined;
	const log: Log = {
		async write(batch) {
			if (begun === undefined) begun = await begin(dir, {line, sum: headerSum(line)}, batch, files);
			else await begun.log.write(batch);
		},
	};
	const release = async () => {
		await begun?.file.close();
		await begun?.lock.release();
	};
	return {id, dir, cwd: at.cwd, created, items: [], ...closable(log, release)};
}

type Begun = {readonly log: Log; readonly file: OpenFile; readonly lock: Lock};

async function begin(
	dir: string,
	head: {readonly line: string; readonly sum: string},
	batch: readonly Item[],
	files: Files,
): Promise<Begun> {
	let lock: Lock | undefined;
	try {
		await makeDir(files, dir);
		lock = await lockOrFail(dir, files);
		const made = await createLogFile(historyFile(dir), head, batch, files);
		return {log: createLog(made, lock.isMine, files), file: made.file, lock};
	} catch (error) {
		await lock?.release();
		await quietly(files.rmdir(dir));
		await quietly(files.rmdir(dirname(dir)));
		throw historyError(error, dir);
	}
}

async function lockOrFail(dir: string, files: Files): Promise<Lock> {
	const locked = await takeLock(dir, files);
	if (!locked.ok) throw new HistoryError(locked.reason === 'held' ? 'io' : locked.reason, locked.sentence);
	return locked.lock;
}
