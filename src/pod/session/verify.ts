import {liveItems, pairResults, type Item, type ItemType} from '../../worker/index.ts';
import {projectedItems} from '../history/reader.ts';
import type {Damage, Line} from './decode.ts';
import {damageSentence} from './notices.ts';
import type {StoredSession} from './read.ts';

/** What a check of a session's history found. */
export type Verdict = {
	/** Whether there is no failure. */
	readonly ok: boolean;
	readonly findings: readonly Finding[];
	/** How many items of each type there are; types that do not occur are absent. */
	readonly counts: Readonly<Partial<Record<ItemType, number>>>;
	/** The sum of the last line. */
	readonly sum: string;
};

/** A note is no failure: it is what a crash may leave, and the next start puts it right. */
export type Finding = {
	readonly about: 'chain' | 'shape' | 'pairing' | 'tail';
	readonly level: 'failure' | 'note';
	readonly line?: number;
	readonly sentence: string;
};

/** Checks chain, shape, pairing and tail of a session that was read. Pure. */
export function verifySession({id, decoded}: Pick<StoredSession, 'id' | 'decoded'>): Verdict {
	const lines = decoded.lines.filter(line => 'item' in line);
	const findings = [
		...(decoded.header.session === id
			? []
			: [
					failure(
						'shape',
						1,
						`The header names the session ${JSON.stringify(decoded.header.session.slice(0, 40))}, its folder ${id}.`,
					),
				]),
		...decoded.lines.flatMap(line => ('damage' in line ? [damaged(line)] : [])),
		...decoded.unchecked.map(line =>
			failure(
				'chain',
				line,
				'The chain restarts here: the sum of the line before cannot be read, so this line could not be checked.',
			),
		),
		...repeatedIds(lines),
		...pairing(lines),
		...tail(decoded.closed, decoded.torn),
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
	return failure(line.damage === 'changed' ? 'chain' : 'shape', line.line, damageSentence(line));
}

function repeatedIds(lines: readonly ItemLine[]): Finding[] {
	const seen = new Set<string>();
	const findings: Finding[] = [];
	for (const {line, item} of lines) {
		if (seen.has(item.id))
			findings.push(
				failure('shape', line, `The id ${JSON.stringify(item.id.slice(0, 40))} stands on an earlier line too.`),
			);
		seen.add(item.id);
	}
	return findings;
}

/**
The nth result of a call id answers its nth call. A call without a result is legal in the last batch only: when no
message of the person and no request but that of its own turn came after it, or after an act that may have brought it
back. What a rewind took away, and what is dropped or summarised, needs no result.
*/
function pairing(lines: readonly ItemLine[]): Finding[] {
	const items = lines.map(({item}) => item);
	const lineOf = new Map(lines.map(({line, item}) => [item, line]));
	const live = liveItems(items);
	const answers = pairResults(live);
	const answering = new Set<Item>(answers.values());
	const calls = new Set(live.flatMap(item => (item.type === 'tool_call' ? [item.id] : [])));
	const stray = live
		.filter(
			item =>
				item.type === 'tool_result' &&
				(item.partialOf === undefined ? !answering.has(item) : !calls.has(item.partialOf)),
		)
		.map(item => failure('pairing', lineOf.get(item)!, 'This result belongs to no call.'));
	const inContext = new Set(projectedItems(items));
	const open = live.filter(item => item.type === 'tool_call' && !answers.has(item) && inContext.has(item));
	return [
		...stray,
		...open.map(call => unansweredCall(lineOf.get(call)!, isOvertaken(live.slice(live.indexOf(call) + 1)))),
	];
}

function isOvertaken(after: readonly Item[]): boolean {
	const since = after.slice(after.findLastIndex(item => item.type === 'context' && item.op === 'restore') + 1);
	return (
		since.some(item => item.type === 'message' && item.role === 'user') ||
		since.filter(item => item.type === 'request').length > 1
	);
}

function unansweredCall(line: number, overtaken: boolean): Finding {
	return overtaken
		? failure('pairing', line, 'This call was never answered, and the conversation went on.')
		: {
				about: 'pairing',
				level: 'note',
				line,
				sentence: 'This call of the last batch is not answered: a resume runs it, a new run closes it.',
			};
}

function tail(closed: boolean, torn: boolean): Finding[] {
	if (closed) return [];
	const sentence = torn
		? 'The last append is not finished: it is under way, or it was cut, and the next start puts that right.'
		: 'The end of the file is not as it should be, but no item is cut. The next start puts that right.';
	return [{about: 'tail', level: 'note', sentence}];
}
