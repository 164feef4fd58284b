import type {Item, ItemType, ToolCall} from '../../worker/index.ts';
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
export type Finding = {readonly about: 'chain' | 'shape' | 'pairing' | 'tail'; readonly level: 'failure' | 'note'; readonly line?: number; readonly sentence: string};

/** Checks chain, shape, pairing and tail of a session that was read. Pure. */
export function verifySession({id, decoded}: Pick<StoredSession, 'id' | 'decoded'>): Verdict {
	const lines = decoded.lines.filter(line => 'item' in line);
	const findings = [
		...(decoded.header.session === id ? [] : [failure('shape', 1, `The header names the session ${JSON.stringify(decoded.header.session.slice(0, 40))}, its folder ${id}.`)]),
		...decoded.lines.flatMap(line => ('damage' in line ? [damaged(line)] : [])),
		...decoded.unchecked.map(line => failure('chain', line, 'The chain restarts here: the sum of the line before cannot be read, so this line could not be checked.')),
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
		if (seen.has(item.id)) findings.push(failure('shape', line, `The id ${JSON.stringify(item.id.slice(0, 40))} stands on an earlier line too.`));
		seen.add(item.id);
	}
	return findings;
}

/** A call that has no result yet. `requests`: how many request items came after it. */
type Waiting = {readonly line: number; readonly index: number; readonly call: ToolCall; requests: number; overtaken: boolean};

/**
The nth result of a call id answers its nth call. A call without a result is legal in the last batch only: when no message of the
person and no request but that of its own turn came after it. What a rewind took away needs no result.
*/
function pairing(lines: readonly ItemLine[]): Finding[] {
	const findings: Finding[] = [];
	const indexes = new Map<string, number>();
	let waiting: Waiting[] = [];
	for (const [index, {line, item}] of lines.entries()) {
		indexes.set(item.id, index);
		if (item.type === 'tool_call') waiting.push({line, index, call: item, requests: 0, overtaken: false});
		else if (item.type === 'tool_result') {
			const answered = waiting.find(({call}) => call.callId === item.callId);
			if (answered === undefined) findings.push(failure('pairing', line, 'This result belongs to no call.'));
			else waiting = waiting.filter(one => one !== answered);
		} else if (item.type === 'rewind') {
			const stays = indexes.get(item.to) ?? index;
			waiting = waiting.filter(one => one.index <= stays);
		} else overtake(waiting, item);
	}
	return [...findings, ...waiting.map(unansweredCall)];
}

function overtake(waiting: readonly Waiting[], item: Item): void {
	for (const one of waiting) {
		if (item.type === 'request') one.requests += 1;
		if (one.requests > 1 || (item.type === 'message' && item.role === 'user')) one.overtaken = true;
	}
}

function unansweredCall({line, overtaken}: Waiting): Finding {
	return overtaken
		? failure('pairing', line, 'This call was never answered, and the conversation went on.')
		: {about: 'pairing', level: 'note', line, sentence: 'This call of the last batch is not answered: a resume runs it, a new run closes it.'};
}

function tail(closed: boolean, torn: boolean): Finding[] {
	if (closed) return [];
	const sentence = torn ? 'The last append is not finished: it is under way, or it was cut, and the next start puts that right.' : 'The end of the file is not as it should be, but no item is cut. The next start puts that right.';
	return [{about: 'tail', level: 'note', sentence}];
}
