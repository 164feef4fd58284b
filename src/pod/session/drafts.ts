import {readdir, rm, stat} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import type {Env} from '../env/env.ts';
import {pathExists} from '../files/path-exists.ts';
import {createDraftWriter, isSpent, readDraft, removeDraft, setAside, type Kept} from './draft-folder.ts';
import {failureOf, failureSentence, makeDir, quietly, realFiles} from './files.ts';
import {takeLock, type Lock} from './lock.ts';
import {historyFile, sessionId, stateHome} from './paths.ts';

export type {Kept} from './draft-folder.ts';

/**
The folder of all drafts: `<state>/drafts/<project>/<session-id>/`, beside the sessions and apart from them, as a draft
is no history.
*/
export function draftsRoot(env: Env): string {
	return join(stateHome(env), 'drafts');
}

/** Where a session keeps what is not sent yet. Each save answers a sentence when it failed. One at a time. */
export type Drafts = {
	/** What was found at the start, of this session or of one that ended before its first commit. */
	readonly found?: {readonly kept: Kept; /** ISO time of its last change. */ readonly at: string};
	/** What the person is to be told at the start. */
	readonly warnings: readonly string[];
	/** Replaces what is kept; with nothing in it, nothing is kept. */
	save(kept: Kept): Promise<string | undefined>;
	/** The last save, at once: the session is being left. */
	leave(kept: Kept): string | undefined;
};

/**
Opens the drafts of a session that this process has. A new one takes over the latest draft of its project that was left
by a session without a history whose process is dead; of two that want it one gets it. What is older than a month is
tidied away.
`dir` is the session's folder.
*/
export async function openDrafts(
	root: string,
	{dir, isNew}: {readonly dir: string; readonly isNew: boolean},
): Promise<Drafts> {
	const project = join(root, basename(dirname(dir)));
	const own = join(project, basename(dir));
	const warnings: string[] = [];
	const keeper = createKeeper(own);
	const mine = isNew ? undefined : await readOwn(own, warnings);
	const found = isNew ? await adopt(project, dirname(dir), keeper.save, warnings) : mine;
	return {...(found !== undefined && {found}), warnings, ...keeper};
}

type Found = NonNullable<Drafts['found']>;

function createKeeper(own: string): Pick<Drafts, 'save' | 'leave'> {
	const writer = createDraftWriter(own);
	let lock: Lock | undefined;
	let underWay: Promise<void> = Promise.resolve();

	async function write(kept: Kept): Promise<void> {
		if (isNothing(kept)) return writer.clear();
		lock ??= await claim(own);
		return writer.save(kept);
	}

	/** A save that was under way may have made the folder and its lock after the session was left. */
	async function letGo(isEmpty: boolean): Promise<void> {
		await quietly(underWay);
		if (isEmpty && (await lock?.isMine()) === true) await rm(own, {recursive: true, force: true});
		await lock?.release();
	}

	return {
		async save(kept) {
			try {
				underWay = write(kept);
				await underWay;
				return undefined;
			} catch (error) {
				return saveSentence('would not survive a crash', own, error);
			}
		},
		leave(kept) {
			try {
				if (isNothing(kept)) writer.clearNow();
				else writer.saveNow(kept);
				return undefined;
			} catch (error) {
				return isNothing(kept) ? undefined : saveSentence('is lost', own, error);
			} finally {
				void quietly(letGo(isNothing(kept)));
			}
		},
	};
}

const nothing: Kept = {sent: [], draft: []};

function isNothing({sent, draft}: Kept): boolean {
	return draft.length === 0 && sent.every(segments => segments.length === 0);
}

/**
Makes the folder of a session that is ours, and locks it. Before it is locked another process may look whether somebody
left it, and remove it: so this is tried for a while. A lock that is refused for longer is one that cannot be written.
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

function saveSentence(outlook: string, dir: string, error: unknown): string {
	return `The draft could not be saved, and ${outlook}: ${failureSentence(failureOf(error), dir, error)}`;
}

async function readOwn(dir: string, warnings: string[]): Promise<Found | undefined> {
	return (await pathExists(dir)) ? readOrWarn(dir, warnings) : undefined;
}

async function readOrWarn(dir: string, warnings: string[]): Promise<Found | undefined> {
	const read = await readDraft(dir);
	if (!read.ok) {
		if (read.reason === 'damaged')
			warnings.push(
				`A draft was found that cannot be read; it was passed over${await setAside(dir).then(
					aside => `, and is kept as ${aside}`,
					() => '',
				)}.`,
			);
		return undefined;
	}
	if (read.lost > 0)
		warnings.push(
			`Of the draft that was restored, ${read.lost === 1 ? 'a paste is' : `${read.lost} pastes are`} lost.`,
		);
	return {kept: read.kept, at: read.at};
}

/** The drafts of other sessions of the project, the last changed first. A lock on the folder says whose it is. */
async function adopt(
	project: string,
	sessions: string,
	save: Drafts['save'],
	warnings: string[],
): Promise<Found | undefined> {
	let found: Found | undefined;
	for (const {dir, changed} of await others(project)) {
		const isOld = Date.now() - changed > maxAgeMs;
		const isOrphan = !(await pathExists(historyFile(join(sessions, basename(dir)))));
		if (!isOld && (!isOrphan || found !== undefined)) continue;
		const lock = await lockOf(dir);
		if (lock === undefined) continue;
		if (!isOld) found = await readOrWarn(dir, warnings);
		// What was found is safe in its new place before the old one goes.
		const isSafe =
			found !== undefined && !isOld
				? (await save(found.kept)) === undefined
				: isOld || (await isSpent(dir).catch(() => false));
		// Of two that a dying lock let in, one takes the draft away.
		if (isSafe && found !== undefined && !isOld && !(await removeDraft(dir))) {
			found = undefined;
			await save(nothing);
		}
		if (isSafe) await quietly(rm(dir, {recursive: true, force: true}));
		await lock.release();
	}
	return found;
}

async function others(project: string): Promise<ReadonlyArray<{readonly dir: string; readonly changed: number}>> {
	const names = await readdir(project).catch(() => []);
	const found = await Promise.all(
		names
			.filter(name => sessionId.test(name))
			.map(async name => {
				const dir = join(project, name);
				const stats = await stat(dir).catch(() => undefined);
				return stats?.isDirectory() === true ? [{dir, changed: stats.mtimeMs}] : [];
			}),
	);
	return found.flat().toSorted((one, other) => other.changed - one.changed);
}

/** How long a draft that nobody came back for is kept. */
const maxAgeMs = 30 * 24 * 60 * 60 * 1000;
