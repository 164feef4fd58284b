import {dirname} from 'node:path';
import {HistoryError, type Clock, type Item} from '../../../worker/index.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {shareBlobs} from '../bodies/hashed-files.ts';
import {createSession} from '../log/open.ts';
import {realFiles, type Files, failureOf, failureSentence} from '../files.ts';
import {historyFile, projectDir} from '../paths.ts';
import type {Session} from '../log/log.ts';
import {rescueTexts, importTexts} from '../texts.ts';
import {modeChange, recordedIn} from '../../ground/history/recorded.ts';
import {rawLinesOf} from '../log/raw-lines.ts';
import {verifySession} from './verify.ts';

/**
Saves a whole session again if its folder has been removed, moved, replaced or unmounted. This happens at the next
write, or when the session is closed. If the old path is free, the new file has the same path and id. Otherwise the
session is saved as a fork with a new id in the same project folder, and the files at the old path stay unchanged. If
the rescue fails, the write rejects, and the next write tries again. `close` rejects if the session could not be saved
again.
*/
export function withRescue(session: Session, clock: Pick<Clock, 'now'>, files: Files = realFiles): Session {
	const held = [...session.items];
	const listeners: Array<(sentence: string) => Promise<void>> = [];
	let current = session;
	let isClosed = false;

	/**
	Saves the session again, and calls the listeners. Returns a function that waits for the listeners. A write does not
	call this function, because the listeners may write, too.
	*/
	async function rescue(batch: readonly Item[]): Promise<() => Promise<void>> {
		const lost = current;
		current = await saveAgain(lost, [...held, ...batch], clock, files);
		const sentence =
			current.id === lost.id ? rescueTexts.samePlace(lost.dir) : rescueTexts.otherPlace(lost, current);
		const heard = listeners.map(async listener => listener(sentence));
		return async () => void (await Promise.all(heard));
	}

	return {
		get id() {
			return current.id;
		},
		get dir() {
			return current.dir;
		},
		get created() {
			return current.created;
		},
		isMine: async () => current.isMine(),
		sum: () => current.sum?.(),
		prepare: async () => current.prepare?.(),
		cwd: session.cwd,
		items: session.items,
		...(session.stream && {
			stream: {
				write: pieces => current.stream?.write(pieces),
				settle: open => current.stream?.settle(open),
				close: async () => current.stream?.close(),
			},
		}),
		log: {
			async write(batch) {
				try {
					await current.log.write(batch);
				} catch (error) {
					if (!isGone(error) || isClosed || held.length === 0) throw error;
					await rescue(batch);
				}
				held.push(...batch);
			},
		},
		onRescue: listener => void listeners.push(listener),
		async close() {
			if (isClosed) return;
			isClosed = true;
			try {
				const mustSave = held.length > 0 && session.isReadOnly !== true;
				if (mustSave && !(await isThere(historyFile(current.dir), files))) await (await rescue([]))();
			} finally {
				await current.close();
			}
		},
	};
}

/**
Creates a session of a project from a history.json, with a new id. The file must be intact. The new session keeps the
folder in which the old session worked, so its first run asks the user as for a session that moved. Only the items are
imported: no trust, no rules, no approval mode or limits that another user chose, and no files beside the history. `cwd`
is the real path of the project.
*/
export async function importSession(
	file: string,
	{root, cwd}: {readonly root: string; readonly cwd: string},
	clock: Clock,
	files: Files = realFiles,
): Promise<Imported> {
	try {
		const read = await readIntact(file, files);
		if (!read.ok) return read;
		const {items, from, redacted} = read;
		const session = createSession({root, cwd: from, project: projectDir(root, cwd)}, clock, files);
		const {readOnly} = recordedIn(items).mode;
		await session.log.write([...items, ...modeChange({items}, readOnly === true ? {readOnly} : {}, clock)]);
		await session.close();
		const media = items.some(item => item.type === 'message' && mediaKinds.has(item.origin?.kind ?? ''));
		return {ok: true, dir: session.dir, items: items.length, media, redacted};
	} catch (error) {
		if (error instanceof HistoryError) return {ok: false, sentence: error.message};
		if (errorCode(error) === '') throw error;
		return {ok: false, sentence: failureSentence(failureOf(error), file, error)};
	}
}

function isGone(error: unknown): boolean {
	return error instanceof HistoryError && error.reason === 'gone';
}

/** Saves these items as a new session, and closes the lost one. Rejects with a HistoryError. */
async function saveAgain(
	lost: Session,
	items: readonly Item[],
	clock: Pick<Clock, 'now'>,
	files: Files,
): Promise<Session> {
	const isFree = !(await isThere(historyFile(lost.dir), files));
	// If only the history was removed, the lock in the folder still belongs to this process, so it is released first.
	if (isFree && (await isThere(lost.dir, files))) await lost.close();
	const {id, cwd, created, dir} = lost;
	const fork = {session: id, to: items.at(-1)?.id ?? ''};
	const place = {root: dirname(dirname(dir)), project: dirname(dir), cwd};
	const session = createSession({...place, ...(isFree ? {id, created} : {fork})}, clock, files);
	try {
		await session.log.write(items);
	} catch (error) {
		if (!(error instanceof HistoryError)) throw error;
		throw new HistoryError(error.reason, rescueTexts.failed(dir, error.message), {cause: error});
	}
	if (session.dir !== lost.dir) await shareBlobs(lost.dir, session.dir, items, files).catch(noneShared);
	await lost.close();
	return session;
}

/**
Ignores an error of the disk: the images were lost together with the folder. The requests contain a line about each
missing image.
*/
function noneShared(error: unknown): void {
	if (errorCode(error) === '') throw error;
}

/** Tells whether a path exists. If an error prevents the check, the result is true. */
async function isThere(path: string, files: Files): Promise<boolean> {
	return files.stat(path).then(
		() => true,
		(error: unknown) => !['ENOENT', 'ENOTDIR'].includes(errorCode(error)),
	);
}

type Imported =
	/** `redacted`: the number of secrets that the copy lacks. `media`: whether it lacks images or documents. */
	| {
			readonly ok: true;
			readonly dir: string;
			readonly items: number;
			readonly redacted?: number;
			readonly media: boolean;
	  }
	| {readonly ok: false; readonly sentence: string};

type Intact = {readonly ok: true; readonly items: readonly Item[]; readonly from: string; readonly redacted?: number};

async function readIntact(
	path: string,
	files: Files,
): Promise<Intact | {readonly ok: false; readonly sentence: string}> {
	const read = await rawLinesOf(path, files);
	if (!read.ok) return read;
	const {items, decoded} = read;
	const {header} = decoded;
	const {ok, findings} = verifySession({id: header.session, decoded});
	const first = findings.find(({level}) => level === 'failure');
	if (!ok || !decoded.closed) return {ok: false, sentence: importTexts.damaged(path, first?.sentence)};
	if (items.length === 0) return {ok: false, sentence: importTexts.empty(path)};
	const count = header.redacted?.count;
	return {ok: true, items, from: header.cwd, redacted: count};
}

/** The kinds of origins of items whose bytes are in files beside the history. */
const mediaKinds: ReadonlySet<string> = new Set(['image', 'document']);
