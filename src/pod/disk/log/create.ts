import {dirname, join} from 'node:path';
import {ulid} from 'ulid';
import {HistoryError, isoTime, type Clock, type Item, type Log} from '../../../worker/index.ts';
import {hasBlobs, releaseBytes, removeBlobs, writeBlobs} from '../bodies/blobs.ts';
import {makeDir, quietly, realFiles, type Files, type OpenFile} from '../files.ts';
import {headerLine, headerSum, type Header} from '../format/line.ts';
import {takeLock, type Lock} from './lock.ts';
import {createLog, createLogFile, historyError, type ChainedLog} from './log.ts';
import {historyFile, projectDir} from '../paths.ts';
import {closable, type Session} from './session.ts';
import {createStreamLog, type StreamLog} from './stream-log.ts';

/**
The place and the header of a new session. `root` is sessionsRoot(), and `cwd` is a real path. `project` is the folder
of the project's sessions. By default it is derived from `root` and `cwd`. A new id is made unless one is given.
*/
export type NewSession = {
	readonly root: string;
	readonly cwd: string;
	readonly project?: string;
	readonly id?: string;
	/** The time of its creation (ISO), which is now unless it is given. */
	readonly created?: string;
	readonly fork?: Header['fork'];
};

/** A session whose chain can be named. `sum` is that of its last line, or `undefined` before the first write. */
type CreatedSession = Session & {readonly sum: () => string | undefined; readonly stream: StreamLog};

/**
Creates a session of a project, in memory at first. The first write creates the folder, the lock and history.json.
If that write fails, it removes them, so that a later write can try again.
*/
export function createSession(at: NewSession, clock: Pick<Clock, 'now'>, files: Files = realFiles): CreatedSession {
	const now = clock.now();
	const id = at.id ?? ulid(now);
	const created = at.created ?? isoTime(now);
	const dir = join(at.project ?? projectDir(at.root, at.cwd), id);
	const line = headerLine({session: id, cwd: at.cwd, created, fork: at.fork});
	let begun: Begun | undefined;
	const log: Log = {
		async write(batch) {
			if (begun === undefined) begun = await begin(dir, {line, sum: headerSum(line)}, batch, files);
			else await begun.log.write(batch);
		},
	};
	const stream = createStreamLog(dir);
	const release = async () => {
		await stream.close();
		await begun?.file.close();
		await begun?.lock.release();
	};
	const isMine = async () => begun !== undefined && begun.lock.isMine();
	return {
		id,
		dir,
		cwd: at.cwd,
		created,
		items: [],
		isMine,
		stream,
		sum: () => begun?.log.sum(),
		...closable(log, release),
	};
}

type Begun = {readonly log: ChainedLog; readonly file: OpenFile; readonly lock: Lock};

async function begin(
	dir: string,
	head: {readonly line: string; readonly sum: string},
	batch: readonly Item[],
	files: Files,
): Promise<Begun> {
	let lock: Lock | undefined;
	const hadBlobs = await hasBlobs(dir, files);
	try {
		await makeDir(files, dir);
		lock = await lockOrFail(dir, files);
		await writeBlobs(dir, batch, files);
		const made = await createLogFile(historyFile(dir), head, batch, files);
		releaseBytes(batch);
		return {log: createLog(made, lock.isMine, files), file: made.file, lock};
	} catch (error) {
		await lock?.release();
		if (!hadBlobs) await removeBlobs(dir, files);
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
