import {mkdirSync} from 'node:fs';
import {readdir, rm, stat} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {ulid} from 'ulid';
import type {Env} from '../../ground/env/env.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {pathExists} from '../../ground/files/path-exists.ts';
import {createDraftWriter, isSpent, readDraft, removeDraft, setAside} from './draft-folder.ts';
import {dirMode, failureOf, failureSentence, makeDir, quietly, realFiles} from '../files.ts';
import {thisProcess, type Owner} from '../log/lock-owner.ts';
import {takeLock, takeLockNow, type Lock} from '../log/lock.ts';
import {historyFile, lockFile, sessionId, stateHome} from '../paths.ts';
import {draftTexts} from '../texts.ts';
import {isNothing, joined, noUnsent, type Unsent} from './unsent.ts';

export type {Unsent} from './unsent.ts';

/**
Returns the folder of all drafts. It contains `<project>/<session-id>/` for each session, and
`<project>/<session-id>-<id>/` for an attached terminal, or for a terminal whose stored session is not open yet. A
terminal whose session is not stored yet has `<project>/<id>/`. The folder is separate from the sessions, because a
draft is not history.
*/
export function draftsRoot(env: Env): string {
	return join(stateHome(env), 'drafts');
}

/** Saves the unsent messages of a session, one save at a time. A failed save returns a sentence. */
export type Drafts = DraftKeeper & {
	/**
	The draft that was found at the start. It belongs to this session, or to a session that ended before its first
	commit.
	*/
	readonly found?: {readonly kept: Unsent; /** The time of its last change (ISO). */ readonly at: string};
	/** Warnings for the user at the start. */
	readonly warnings: readonly string[];
};

export type DraftKeeper = {
	/** Creates and locks the folder, so that no other terminal adopts its draft. Never rejects. */
	claim(): Promise<void>;
	/** Replaces the saved draft. If the new draft is empty, the saved draft is removed. */
	save(unsent: Unsent): Promise<string | undefined>;
	/** Saves synchronously, so that the text is in a file before it is shown. */
	saveNow(unsent: Unsent): string | undefined;
	/** Saves synchronously for the last time, because the session is closing. */
	leave(unsent: Unsent): string | undefined;
};

/** The place of a terminal's draft. `dir` is the session's folder. */
export type DraftPlace = {
	readonly dir: string;
	/** Whether the session is new. A new session adopts a draft that belongs to no stored session. */
	readonly isNew: boolean;
	/** Whether another terminal owns the session. In this case, this terminal has a separate folder. */
	readonly isBeside?: boolean;
};

/**
Opens the drafts of a terminal. Removes drafts that are older than a month. A terminal adopts the latest draft that an
ended process left. The draft belongs to the same session or, if the session is new, to a session of the project without
a history. Only one terminal can adopt a draft.
*/
export async function openDrafts(root: string, {dir, isNew, isBeside = false}: DraftPlace): Promise<Drafts> {
	const project = join(root, basename(dirname(dir)));
	const session = basename(dir);
	const own = join(project, isBeside ? `${session}-${ulid()}` : session);
	const warnings: string[] = [];
	const keeper = createKeeper(own, await thisProcess());
	const mine = isNew || isBeside ? undefined : await readOwn(own, warnings);
	if (mine !== undefined) await keeper.claim();
	const history = (of: string) => historyFile(join(dirname(dir), of));
	const isFree = async (of: string) => (isNew && !isBeside ? !(await pathExists(history(of))) : of === session);
	const found = await adopt(
		{own, mine, isFree, save: async unsent => keeper.save(unsent), warnings},
		await others(project),
	);
	return {...keeper, found, warnings};
}

/**
Returns a keeper for the draft that the user types before the session is open. `dir` is the folder of a stored session.
The terminal of the session adopts this draft later, in this process or in a later one.
*/
export async function earlyDrafts(
	root: string,
	place: {readonly dir: string} | {readonly project: string},
): Promise<DraftKeeper> {
	const own =
		'project' in place
			? join(root, basename(place.project), ulid())
			: join(root, basename(dirname(place.dir)), `${basename(place.dir)}-${ulid()}`);
	return createKeeper(own, await thisProcess());
}

type Found = NonNullable<Drafts['found']>;

function createKeeper(own: string, owner: Owner): DraftKeeper {
	const writer = createDraftWriter(own);
	let claiming: Promise<Lock | undefined> | undefined;
	let pendingSave: Promise<unknown> = Promise.resolve();
	let isLeft = false;

	/** Creates and locks a new folder synchronously, so that Enter does not wait. Returns false if that failed. */
	function claimNow(): boolean {
		try {
			mkdirSync(own, {recursive: true, mode: dirMode});
		} catch (error) {
			if (errorCode(error) === '') throw error;
			return false;
		}
		const taken = takeLockNow(own, owner);
		if (taken !== undefined) claiming = taken.catch(() => undefined);
		return taken !== undefined;
	}

	async function claimOnce(): Promise<void> {
		if (claiming === undefined && claimNow()) return;
		claiming ??= claim(own);
		const lock = await claiming.catch((error: unknown) => {
			claiming = undefined;
			throw error;
		});
		if (lock === undefined) claiming = undefined;
	}

	async function write(unsent: Unsent): Promise<void> {
		if (isNothing(unsent)) return writer.clear();
		await claimOnce();
		return writer.save(unsent);
	}

	/** Removes an empty folder and releases its lock. First waits for a pending save, which can create both. */
	async function letGo(isEmpty: boolean): Promise<void> {
		await quietly(pendingSave);
		const lock = await claiming?.catch(() => undefined);
		// The pending save may have created the folder again, without the lock.
		const isOurs = (await lock?.isMine()) === true || !(await pathExists(lockFile(own)));
		if (isEmpty && isOurs) await rm(own, {recursive: true, force: true});
		await lock?.release();
	}

	return {
		claim: async () => quietly(claimOnce()),
		async save(unsent) {
			try {
				pendingSave = write(unsent);
				await pendingSave;
				return undefined;
			} catch (error) {
				// `leave` may already have removed the folder.
				return isLeft ? undefined : draftTexts.notSaved(sentenceOf(own, error));
			}
		},
		saveNow(unsent) {
			try {
				writer.saveNow(unsent, false);
				return undefined;
			} catch (error) {
				return draftTexts.notSaved(sentenceOf(own, error));
			}
		},
		leave(unsent) {
			isLeft = true;
			try {
				if (isNothing(unsent)) writer.clearNow();
				else writer.saveNow(unsent, true);
				return undefined;
			} catch (error) {
				return isNothing(unsent) ? undefined : draftTexts.lost(sentenceOf(own, error));
			} finally {
				void quietly(letGo(isNothing(unsent)));
			}
		},
	};
}

/**
Creates and locks the folder of this session. Tries several times, because another process may remove an unlocked
folder. Returns `undefined` if the lock cannot be taken.
*/
async function claim(own: string): Promise<Lock | undefined> {
	for (let tries = 0; tries < 100; tries++) {
		await makeDir(realFiles, own);
		const lock = await lockOf(own);
		if (lock !== undefined) return lock;
		await setTimeout(5);
	}
	return undefined;
}

async function lockOf(dir: string): Promise<Lock | undefined> {
	const locked = await takeLock(dir, realFiles);
	return locked.ok ? locked.lock : undefined;
}

function sentenceOf(dir: string, error: unknown): string {
	return failureSentence(failureOf(error), dir, error);
}

async function readOwn(dir: string, warnings: string[]): Promise<Found | undefined> {
	return (await pathExists(dir)) ? readOrWarn(dir, warnings) : undefined;
}

async function readOrWarn(dir: string, warnings: string[]): Promise<Found | undefined> {
	const read = await readDraft(dir);
	if (!read.ok) {
		if (read.reason === 'damaged') warnings.push(draftTexts.damaged(await setAside(dir).catch(() => undefined)));
		return undefined;
	}
	if (read.lost > 0) warnings.push(draftTexts.missingPastes(read.lost));
	return {kept: read.kept, at: read.at};
}

/** `mine` is the draft in the terminal's own folder. */
type Adopting = {
	readonly own: string;
	readonly mine: Found | undefined;
	readonly isFree: (session: string) => Promise<boolean>;
	readonly save: Drafts['save'];
	readonly warnings: string[];
};

/**
Adopts the latest draft of another folder whose session no process uses, and joins it with the terminal's own draft. A
folder that is locked has an owner, so it is skipped.
*/
async function adopt(
	{own, mine, isFree, save, warnings}: Adopting,
	folders: readonly Folder[],
): Promise<Found | undefined> {
	let found: Found | undefined;
	for (const {dir, session, changed} of folders) {
		const isOld = Date.now() - changed > maxAgeMs;
		if (dir === own || (!isOld && (found !== undefined || !(await isFree(session))))) continue;
		const lock = await lockOf(dir);
		if (lock === undefined) continue;
		if (!isOld) found = await readOrWarn(dir, warnings);
		// Whether the old folder may be removed. A joined draft must be saved before the removal.
		const isSafe =
			found !== undefined && !isOld
				? (await save(both(mine, found).kept)) === undefined
				: isOld || (await isSpent(dir).catch(() => false));
		// If the lock is stale, two processes may reach this line. The process that removes the draft adopts it.
		if (isSafe && found !== undefined && !isOld && !(await removeDraft(dir))) {
			found = undefined;
			await save(mine?.kept ?? noUnsent);
		}
		if (isSafe) await quietly(rm(dir, {recursive: true, force: true}));
		await lock.release();
	}
	return found === undefined ? mine : both(mine, found);
}

function both(one: Found | undefined, other: Found): Found {
	if (one === undefined) return other;
	const [earlier, later] = one.at <= other.at ? [one, other] : [other, one];
	return {kept: joined(earlier.kept, later.kept), at: later.at};
}

/** A folder with the draft of a session, or of a terminal that was attached to the session. */
type Folder = {readonly dir: string; readonly session: string; readonly changed: number};

/** Returns the folders of a project, the latest one first. */
async function others(project: string): Promise<readonly Folder[]> {
	const names = await readdir(project).catch(() => []);
	const found = await Promise.all(
		names.map(async name => {
			const [session = '', terminal = session, ...rest] = name.split('-');
			if (!sessionId.test(session) || !sessionId.test(terminal) || rest.length > 0) return [];
			const dir = join(project, name);
			const stats = await stat(dir).catch(() => undefined);
			return stats?.isDirectory() === true ? [{dir, session, changed: stats.mtimeMs}] : [];
		}),
	);
	return found.flat().toSorted((one, other) => other.changed - one.changed);
}

/** The maximum age of an abandoned draft. */
const maxAgeMs = 30 * 24 * 60 * 60 * 1000;
