import {dirname} from 'node:path';
import {HistoryError, type Clock, type Item, hasHalves, liveItems, withWholeCharacters} from '../../../worker/index.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import {shareBackups} from '../bodies/pasted.ts';
import {shareBlobs} from '../bodies/hashed-files.ts';
import {createSession} from '../log/open.ts';
import {failureOf, failureSentence, realFiles, type Files} from '../files.ts';
import {historyFile, idOf, compactionsDir, sideDir} from '../paths.ts';
import {QueueError, saveWaiting} from '../log/queue-file.ts';
import {rawLines, type RawLines} from '../log/raw-lines.ts';
import {repairTexts, sideTexts, verifyTexts} from '../texts.ts';
import {verifySession, strayResults} from './verify.ts';
import {copySummaries} from '../conversations/summary-conversations.ts';
import {isOfOther, linkedCompactions, refusingLinks, summaryIds} from '../conversations/summary-conversations.ts';
import {verifySummaries, type SummariesVerdict} from './verify-summaries.ts';
import {t} from '../../../language/index.ts';
import {closingResults} from '../../ground/history/reader.ts';
import {damageSentence} from '../log/notices.ts';
import {elementAt} from '../../ground/values/is-record.ts';
import type {Line} from '../format/decode.ts';
import {strayEnds} from './verify-pairs.ts';

export type Repaired =
	/** `dir` is the folder of the copy. `changes` are sentences about the differences from the damaged session. */
	| {readonly ok: true; readonly dir: string; readonly changes: readonly string[]}
	/** `intact`: there is nothing to repair. */
	| {readonly ok: false; readonly intact: boolean; readonly sentence: string};

type RepairOptions = {
	/** The hashes of the backups that belong to these items. */
	readonly backupsOf: (items: readonly Item[]) => Iterable<string>;
	/**
	Copies the saved outputs of these items between session folders. Returns the number of outputs that were not copied.
	*/
	readonly copyOutputs: (from: string, to: string, items: readonly Item[]) => Promise<number>;
};

/**
Creates an intact copy of a damaged session, beside the original. It does not change the damaged session. The copy
contains every item that can be read, in the order in which the items were written, and a notice at each place where
something is missing. At its end, it contains the items and messages that the next start would add.
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

/**
Copies the files that belong to the items. Returns a sentence for each kind of file that is incomplete, and for each
change.
*/
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
	/**
	The compactions whose summary conversation is missing, unreadable, or not the recorded one. Such a conversation is not
	copied.
	*/
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

/** Removes the link to the conversation from each of these compactions. */
function withoutLinks(items: readonly Item[], unlinked: ReadonlySet<string>): readonly Item[] {
	return items.map(item => {
		if (item.type !== 'compaction' || !unlinked.has(item.id)) return item;
		const {conversation: _, ...rest} = item;
		return rest;
	});
}

type Places = {readonly from: string; readonly to: string; readonly cwd: string};

/** Creates the copies of a plan. Returns sentences about the differences from the damaged session. */
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

type Lines = Extract<RawLines, {readonly ok: true}>;

/**
Returns the items of an intact copy of these lines, and sentences about the differences. `id` is the session's id.
*/
function intactCopy(
	read: Lines,
	id: string,
	clock: Clock,
): {readonly items: readonly Item[]; readonly changes: readonly string[]} {
	const {items, changes} = intactItems(read, id);
	const closed = closingResults(items, repairTexts.lostResult, clock);
	const closings = closed.length > 0 ? [repairTexts.closed(closed.length)] : [];
	return {items: [...items, ...closed], changes: [...fileChanges(read), ...changes, ...closings]};
}

/** Returns sentences about the damage of the file. */
function fileChanges({decoded}: Lines): string[] {
	const end = decoded.torn ? verifyTexts.torn : verifyTexts.openEnd;
	return [
		...decoded.lines.flatMap(line => ('damage' in line ? [damageSentence(t, line)] : [])),
		...decoded.unchecked.map(line => repairTexts.line(line, verifyTexts.unchecked)),
		...decoded.unseparated.map(line => repairTexts.line(line, verifyTexts.unseparated)),
		...(decoded.closed ? [] : [end]),
	];
}

/**
Returns the items of an intact copy of a session, and sentences about the items that it leaves out: repeated ids,
results without a call, and ends of answers without a request. Late lines are moved to their places.
*/
function intactItems(
	{decoded, items}: Pick<Extract<RawLines, {readonly ok: true}>, 'decoded' | 'items'>,
	session: string,
): {readonly items: readonly Item[]; readonly changes: readonly string[]} {
	const placed = inOrder(decoded.lines).map(({line, at}) =>
		'item' in line ? elementAt(items, at) : lossNotice(line, elementAt(items, at), session),
	);
	const unique = withoutRepeats(placed.filter(item => item !== undefined));
	const stray = new Set(strayResults(liveItems(unique)));
	const ends = new Set(strayEnds(unique));
	const repeats = placed.filter(item => item !== undefined).length - unique.length;
	return {
		items: unique.filter(item => !stray.has(item) && !ends.has(item)).map(item => withWholeCharacters(item)),
		changes: [
			...(repeats > 0 ? [repairTexts.repeats(repeats)] : []),
			...(stray.size > 0 ? [repairTexts.strays(stray.size)] : []),
			...(ends.size > 0 ? [repairTexts.strayEnds(ends.size)] : []),
			...(unique.some(item => hasHalves(item)) ? [repairTexts.halves] : []),
		],
	};
}

type Placed = {readonly line: Line; readonly at: number};

/** Moves each late line to its place. The line after it then no longer counts as misplaced. */
function inOrder(lines: readonly Line[]): readonly Placed[] {
	const late = new Map(lines.flatMap(line => ('damage' in line && line.before ? [[line.line, line.before]] : [])));
	if (late.size === 0) return lines.map((line, at) => ({line, at}));
	const resolved = new Set(late.values());
	return lines
		.map((line, at) => ({line, at}))
		.filter(({line}) => !('damage' in line && (late.has(line.line) || resolved.has(line.line))))
		.toSorted((one, other) => placeOf(one, late) - placeOf(other, late));
}

function placeOf({line}: Placed, late: ReadonlyMap<number, number>): number {
	const before = late.get(line.line);
	return before === undefined ? line.line : before - 0.5;
}

/** Returns a notice for a damaged line that is missing in the copy. Returns `undefined` if the damage loses nothing. */
function lossNotice(line: Extract<Line, {readonly damage: string}>, shown: Item, session: string): Item | undefined {
	const text = line.damage === 'misplaced' ? repairTexts.maybeMissing : repairTexts.missing;
	const isLoss = ['unreadable', 'changed', 'misshapen', 'misplaced'].includes(line.damage);
	return isLoss && shown.type === 'message' ? {...shown, text: text(line.line, session)} : undefined;
}

function withoutRepeats(items: readonly Item[]): readonly Item[] {
	const seen = new Set<string>();
	return items.filter(({id}) => {
		const isNew = !seen.has(id);
		seen.add(id);
		return isNew;
	});
}
