import {t} from '../../../language/index.ts';
import {answerEnd, liveItems, pairResults, type Item, type ItemType, hasHalves} from '../../../worker/index.ts';
import {projectedItems} from '../../ground/history/reader.ts';
import type {Line} from '../format/decode.ts';
import type {Damage} from '../format/read-line.ts';
import {damageSentence} from '../log/notices.ts';
import type {OpenEnd, StoredSession} from '../log/read.ts';
import {pairRequests} from './verify-pairs.ts';
import {verifyRedactions} from './verify-redactions.ts';
import {verifyTexts} from '../texts.ts';

/** The result of checking a session's history. */
export type Verdict = {
	/** Whether there are no failures. */
	readonly ok: boolean;
	readonly findings: readonly Finding[];
	/** The number of items of each type. Types that do not occur are absent. */
	readonly counts: Readonly<Partial<Record<ItemType, number>>>;
	/** The checksum of the last line. */
	readonly sum: string;
};

/** A finding about the history. A note is not a failure: a crash may cause it, and the next start repairs it. */
export type Finding = {
	readonly about: 'chain' | 'shape' | 'pairing' | 'tail';
	readonly level: 'failure' | 'note';
	readonly line?: number;
	readonly sentence: string;
};

type Verified = Pick<StoredSession, 'id' | 'decoded'> & Partial<Pick<StoredSession, 'open'>>;

/** Checks the chain, shape, pairing and tail of a stored session. The function is pure. */
export function verifySession({id, decoded, open}: Verified): Verdict {
	const lines = decoded.lines.filter(line => 'item' in line);
	const findings = [
		...(decoded.header.session === id || !decoded.isHeaderSound
			? []
			: [failure('shape', 1, verifyTexts.otherSession(quote(decoded.header.session), id))]),
		...decoded.lines.flatMap(line => ('damage' in line ? [damaged(line)] : [])),
		...decoded.unchecked.map(line => failure('chain', line, verifyTexts.unchecked)),
		...decoded.unseparated.map(line => failure('shape', line, verifyTexts.unseparated)),
		...repeatedIds(lines),
		...unusualJson(lines),
		...pairing(lines),
		...pairRequests(lines, firstDamage(decoded.lines)).map((found): Finding => ({about: 'pairing', ...found})),
		...verifyRedactions(lines, decoded.redacted).map((found): Finding => ({about: 'chain', ...found})),
		...tail(decoded),
		...openEnd(open),
	];
	const counts: Partial<Record<ItemType, number>> = {};
	for (const {item} of lines) counts[item.type] = (counts[item.type] ?? 0) + 1;
	return {ok: findings.every(finding => finding.level === 'note'), findings, counts, sum: decoded.sum};
}

type ItemLine = {readonly line: number; readonly item: Item};

function failure(about: Finding['about'], line: number, sentence: string): Finding {
	return {about, level: 'failure', line, sentence};
}

function damaged(line: Extract<Line, {readonly damage: Damage}>): Finding {
	return failure(chainDamages.has(line.damage) ? 'chain' : 'shape', line.line, damageSentence(t, line));
}

/** Returns the number of the first damaged line, or `Infinity`. */
function firstDamage(lines: readonly Line[]): number {
	return lines.find(line => 'damage' in line)?.line ?? Infinity;
}

function repeatedIds(lines: readonly ItemLine[]): Finding[] {
	const seen = new Set<string>();
	const findings: Finding[] = [];
	for (const {line, item} of lines) {
		if (seen.has(item.id)) findings.push(failure('shape', line, verifyTexts.repeatedId(quote(item.id))));
		seen.add(item.id);
	}
	return findings;
}

function unusualJson(lines: readonly ItemLine[]): Finding[] {
	return lines.flatMap(({line, item}) => {
		const problem = jsonProblem(item);
		return problem === undefined ? [] : [failure('shape', line, problem)];
	});
}

/**
Checks that calls have results. The nth result of a call id answers its nth call. A call without a result is legal only
in the last batch: no user message and no request of another turn may follow it. A call without a result is also legal
if a restore brought it back. Calls that are rewound, dropped or summarised need no result.
*/
function pairing(lines: readonly ItemLine[]): Finding[] {
	const items = lines.map(({item}) => item);
	const lineOf = lineFinder(lines);
	const live = liveItems(items);
	const answers = pairResults(live);
	const stray = strayResults(live).map(item => failure('pairing', lineOf(item), verifyTexts.strayResult));
	const inContext = new Set(projectedItems(items));
	const isOpen = (item: Item) => item.type === 'tool_call' && !answers.has(item) && inContext.has(item);
	const isOvertaken = overtakenCalls(live);
	return [
		...stray,
		...live.flatMap((item, at) => (isOpen(item) ? [unansweredCall(lineOf(item), isOvertaken(at))] : [])),
	];
}

/** Returns the results that have no call. `live` are the items that no rewind removed. */
export function strayResults(live: readonly Item[]): readonly Item[] {
	const answering = new Set<Item>(pairResults(live).values());
	const calls = new Set(live.flatMap(item => (item.type === 'tool_call' ? [item.id] : [])));
	return live.filter(
		item =>
			item.type === 'tool_result' &&
			(item.partialOf === undefined ? !answering.has(item) : !calls.has(item.partialOf)),
	);
}

function lineFinder(lines: readonly ItemLine[]): (item: Item) => number {
	const numbers = new Map(lines.map(({line, item}) => [item, line]));
	return item => {
		const line = numbers.get(item);
		if (line === undefined) throw new Error('an item of the history has no line');
		return line;
	};
}

/**
Returns a function that tells whether the conversation continued after the item with this index. The function is fast,
because most items may be calls.
*/
function overtakenCalls(live: readonly Item[]): (at: number) => boolean {
	const restored = live.findLastIndex(item => item.type === 'context' && item.op === 'restore');
	const lastWords = live.findLastIndex(item => item.type === 'message' && item.role === 'user');
	const lastSent = live.findLastIndex(item => item.type === 'request' && answerEnd(item) === undefined);
	const lastEnd = live.findLastIndex(item => answerEnd(item) !== undefined);
	const endBefore = live.findLastIndex((item, at) => at < lastEnd && answerEnd(item) !== undefined);
	return at => Math.max(lastWords, lastSent, endBefore) > Math.max(at, restored);
}

function unansweredCall(line: number, overtaken: boolean): Finding {
	return overtaken
		? failure('pairing', line, verifyTexts.overtakenCall)
		: {about: 'pairing', level: 'note', line, sentence: verifyTexts.openCall};
}

function tail({closed, torn, lines}: StoredSession['decoded']): Finding[] {
	if (closed) return [];
	const line = (lines.at(-1)?.line ?? 1) + 1;
	return [{about: 'tail', level: 'note', line, sentence: torn ? verifyTexts.torn : verifyTexts.openEnd}];
}

/** Returns notes about what the next start adds to the history. */
function openEnd(open: Partial<OpenEnd> = {}): Finding[] {
	const {streamed = [], waiting = []} = open;
	return [
		...(streamed.length === 0 ? [] : [verifyTexts.streamed(streamed.length)]),
		...(waiting.length === 0 ? [] : [verifyTexts.waiting(waiting.length)]),
	].map(sentence => ({about: 'tail', level: 'note', sentence}));
}

const chainDamages: ReadonlySet<Damage> = new Set(['changed', 'misplaced', 'late', 'repeated']);

function quote(id: string): string {
	return JSON.stringify(id.slice(0, 40));
}

/** Returns why other programs, such as jq, refuse an item that inkpod can read. */
function jsonProblem(item: Item): string | undefined {
	if (isDeep(item, maxLevels)) return verifyTexts.deep;
	return hasHalves(item) ? verifyTexts.halves : undefined;
}

function isDeep(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return levels === 0 || Object.values(value).some(inner => isDeep(inner, levels - 1));
}

/** The maximum depth of an item. jq 1.6 reads 256 levels. The file and its list of items are two of these levels. */
const maxLevels = 250;
