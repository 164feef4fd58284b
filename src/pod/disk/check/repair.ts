import {dirname} from 'node:path';
import {HistoryError, type Clock, type Item} from '../../../worker/index.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {shareBackups} from '../bodies/backups.ts';
import {shareBlobs} from '../bodies/blobs.ts';
import {createSession} from '../log/create.ts';
import {failureOf, failureSentence, realFiles, type Files} from '../files.ts';
import {historyFile, idOf} from '../paths.ts';
import {QueueError, saveWaiting} from '../log/queue-file.ts';
import {rawLines} from '../log/raw-lines.ts';
import {planSummaries, repairSummaries, withoutLinks, type SummaryPlan} from './repair-summaries.ts';
import {intactCopy} from './intact-copy.ts';
import {repairTexts} from '../texts.ts';
import {verifySession} from './verify.ts';

export type Repaired =
	/** `dir` is the folder of the copy. `changes` are sentences about the differences from the damaged session. */
	| {readonly ok: true; readonly dir: string; readonly changes: readonly string[]}
	/** `intact`: there is nothing to repair. */
	| {readonly ok: false; readonly intact: boolean; readonly sentence: string};

type RepairOptions = {
	/** The hashes of the backups that belong to these items. */
	readonly backupsOf: (items: readonly Item[]) => Iterable<string>;
	/** Copies the kept outputs of these items between session folders. Returns the number that is not copied. */
	readonly copyOutputs: (from: string, to: string, items: readonly Item[]) => Promise<number>;
};

/**
Creates an intact copy of a damaged session, beside the original. It does not change the damaged session. The copy
contains every item that can be read, in the order in which the items were written, and a notice where something is
missing. At its end are the items and messages that the next start would show.
*/
export async function repairSession(
	dir: string,
	options: RepairOptions,
	clock: Clock,
	files: Files = realFiles,
): Promise<Repaired> {
	try {
		const read = await rawLines(dir, files, clock);
		if (!read.ok) return {ok: false, intact: false, sentence: read.sentence};
		const summaries = await planSummaries(dir, read.items, files);
		const isSound = read.decoded.closed && verifySession({id: idOf(dir), decoded: read.decoded}).ok;
		if (isSound && summaries.areSound) return {ok: false, intact: true, sentence: repairTexts.intact};
		const sound = intactCopy(read, idOf(dir), clock);
		const items = [...sound.items, ...read.open.streamed];
		const last = items.at(-1);
		if (last === undefined) return {ok: false, intact: false, sentence: repairTexts.empty};
		const at = {root: '', project: dirname(dir), cwd: read.cwd, fork: {session: idOf(dir), to: last.id}};
		const session = createSession(at, clock, files);
		await session.log.write(withoutLinks(items, summaries.unlinked));
		const missing = await copyBeside({from: dir, to: session.dir, cwd: read.cwd, items}, summaries, options, {
			clock,
			files,
		});
		await saveWaiting(session, read.open.waiting, files);
		await session.close();
		return {ok: true, dir: session.dir, changes: [...sound.changes, ...missing]};
	} catch (error) {
		if (error instanceof HistoryError || error instanceof QueueError)
			return {ok: false, intact: false, sentence: error.message};
		if (errorCode(error) === '') throw error;
		return {ok: false, intact: false, sentence: failureSentence(failureOf(error), historyFile(dir), error)};
	}
}

type Copying = {readonly from: string; readonly to: string; readonly cwd: string; readonly items: readonly Item[]};

/** Copies what belongs to the items. Returns a sentence for each kind that is not complete, or that changed. */
async function copyBeside(
	{from, to, cwd, items}: Copying,
	summaries: SummaryPlan,
	{backupsOf, copyOutputs}: RepairOptions,
	{clock, files}: {readonly clock: Clock; readonly files: Files},
): Promise<readonly string[]> {
	const backups = await shareBackups(from, to, backupsOf(items), files).catch(oneMissing);
	const blobs = await shareBlobs(from, to, items, files).catch(oneMissing);
	const outputs = await copyOutputs(from, to, items).catch(oneMissing);
	return [
		...(backups > 0 ? [repairTexts.backups] : []),
		...(outputs > 0 ? [repairTexts.outputs] : []),
		...(blobs > 0 ? [repairTexts.blobs] : []),
		...(await repairSummaries(summaries, {from, to, cwd}, clock, files)),
	];
}

function oneMissing(error: unknown): number {
	if (errorCode(error) === '') throw error;
	return 1;
}
