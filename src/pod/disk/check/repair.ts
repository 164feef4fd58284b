import {dirname} from 'node:path';
import {HistoryError, type Clock, type Item} from '../../../worker/index.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {shareBackups} from '../bodies/backups.ts';
import {shareBlobs} from '../bodies/blobs.ts';
import {createSession} from '../log/create.ts';
import {failureOf, failureSentence, realFiles, type Files} from '../files.ts';
import {historyFile, idOf, compactionsDir, sideDir} from '../paths.ts';
import {QueueError, saveWaiting} from '../log/queue-file.ts';
import {rawLines} from '../log/raw-lines.ts';
import {intactCopy} from './intact-copy.ts';
import {repairTexts, sideTexts} from '../texts.ts';
import {verifySession} from './verify.ts';
import {copySummaries} from '../conversations/copy-summaries.ts';
import {isOfOther, linkedCompactions, refusingLinks, summaryIds} from '../conversations/summary-conversations.ts';
import {verifySummaries, type SummariesVerdict} from './verify-summaries.ts';

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

/** How a repair treats the conversations of compactions. The lists contain the ids of the conversations. */
type SummaryPlan = {
	/** Whether there is nothing to repair. */
	readonly areSound: boolean;
	readonly copied: readonly string[];
	readonly repaired: readonly string[];
	/** The compactions that name a conversation which is missing, unreadable or another one. It is not copied. */
	readonly unlinked: ReadonlySet<string>;
	/** The number of items that each compaction names. */
	readonly named: ReadonlyMap<string, number>;
};

async function planSummaries(dir: string, items: readonly Item[], files: Files): Promise<SummaryPlan> {
	const verdict = await verifySummaries({dir, items}, files);
	const named = new Map(linkedCompactions(items).map(({id, conversation}) => [id, conversation.items]));
	if (verdict.ok)
		return {areSound: true, copied: await summaryIds(dir, files), repaired: [], unlinked: new Set(), named};
	const readable = verdict.sessions.map(session => idOf(session.dir));
	const others = new Set(verdict.sessions.filter(isOfOther).map(session => idOf(session.dir)));
	const isOther = (id: string) => others.has(id) || failuresOf(verdict, dir, id).includes(sideTexts.different);
	const isDamaged = (id: string) => failuresOf(verdict, dir, id).length > 0;
	const kept = readable.filter(id => !isOther(id));
	return {
		areSound: false,
		copied: kept.filter(id => !isDamaged(id)),
		repaired: kept.filter(isDamaged),
		unlinked: new Set([...named.keys(), ...others].filter(id => !kept.includes(id))),
		named,
	};
}

/** Takes the link to its conversation from each of these compactions. */
function withoutLinks(items: readonly Item[], unlinked: ReadonlySet<string>): readonly Item[] {
	return items.map(item => {
		if (item.type !== 'compaction' || !unlinked.has(item.id)) return item;
		const {conversation: _, ...rest} = item;
		return rest;
	});
}

type Places = {readonly from: string; readonly to: string; readonly cwd: string};

/** Makes the copies of a plan. Returns sentences about what differs from the damaged session. */
async function repairSummaries(
	{copied, repaired, unlinked, named}: SummaryPlan,
	{from, to, cwd}: Places,
	clock: Clock,
	files: Files,
): Promise<readonly string[]> {
	const failed = await copySummaries(from, to, copied, files);
	const changes: string[] = [];
	for (const id of repaired)
		changes.push(...(await repairSide(id, {from, to, cwd, named: named.get(id)}, clock, files)));
	return [...changes, ...[...unlinked, ...failed].map(repairTexts.withoutConversation)];
}

async function repairSide(
	id: string,
	{from, to, cwd, named}: Places & {readonly named: number | undefined},
	clock: Clock,
	files: Files,
): Promise<readonly string[]> {
	const read = await rawLines(sideDir(from, id), refusingLinks(files), clock);
	if (!read.ok) return [read.sentence];
	const {items, changes} = intactCopy(read, id, clock);
	const last = items.at(-1);
	if (last === undefined) return [repairTexts.emptyConversation(id)];
	const at = {root: '', project: compactionsDir(to), cwd, id, fork: {session: id, to: last.id}};
	const side = createSession(at, clock, files);
	await side.log.write(items);
	await side.close();
	const kept = named === undefined || named === items.length ? [] : [repairTexts.keptItems(items.length, named)];
	return [...changes, ...kept].map(sentence => repairTexts.inConversation(id, sentence));
}

function failuresOf({findings}: SummariesVerdict, dir: string, id: string): readonly string[] {
	const path = historyFile(sideDir(dir, id));
	return findings.flatMap(found => (found.path === path && found.level === 'failure' ? [found.sentence] : []));
}
