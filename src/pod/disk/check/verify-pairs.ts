import type {Item} from '../../../worker/index.ts';
import {verifyTexts} from '../texts.ts';

/** A finding about a request or the end of an answer. A note is not a failure. */
type PairFinding = {
	readonly line: number;
	readonly level: 'failure' | 'note';
	readonly sentence: string;
};

/**
Checks that each end of an answer has one earlier request. A request without an end is only a note, because a kill may
cause it, and no later start adds the end. After a damaged line, an end without a request is also only a note, because
the request may have been on that line.
*/
export function pairRequests(lines: readonly ItemLine[], firstDamage: number): PairFinding[] {
	const {strays, open} = paired(lines);
	return [
		...strays.map(({line}): PairFinding => ({
			line,
			level: line > firstDamage ? 'note' : 'failure',
			sentence: verifyTexts.strayEnd,
		})),
		...open.map((line): PairFinding => ({line, level: 'note', sentence: verifyTexts.lostAnswer})),
	];
}

/** Returns the ends of answers that have no request before them. */
export function strayEnds(items: readonly Item[]): readonly Item[] {
	return paired(items.map((item, line) => ({line, item}))).strays.map(({item}) => item);
}

type ItemLine = {readonly line: number; readonly item: Item};

/**
Pairs requests and ends. `strays` are ends without a request. `open` are the line numbers of requests without an end.
*/
function paired(lines: readonly ItemLine[]): {
	readonly strays: readonly ItemLine[];
	readonly open: readonly number[];
} {
	const open = new Map<string, number>();
	const strays: ItemLine[] = [];
	for (const {line, item} of lines) {
		if (isSent(item)) open.set(item.id, line);
		if (item.type === 'request_end' && !open.delete(item.request)) strays.push({line, item});
	}
	return {strays, open: [...open.values()]};
}

function isSent(item: Item): boolean {
	return item.type === 'request' && item.endedAt === undefined;
}
