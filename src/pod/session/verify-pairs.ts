import type {Item} from '../../worker/index.ts';
import {verifyTexts} from './texts.ts';

/** A note is not a failure. */
export type PairFinding = {
	readonly line: number;
	readonly level: 'failure' | 'note';
	readonly sentence: string;
};

/**
Checks that each end of an answer has one earlier request. A request without an end is a note: a kill may cause it, and
nothing repairs it. After a damaged line, so is an end without a request: the request may have been on that line.
*/
export function pairRequests(
	lines: ReadonlyArray<{readonly line: number; readonly item: Item}>,
	firstDamage: number,
): PairFinding[] {
	const open = new Map<string, number>();
	const strays: PairFinding[] = [];
	for (const {line, item} of lines) {
		if (isSent(item)) open.set(item.id, line);
		if (item.type === 'request_end' && !open.delete(item.request))
			strays.push({line, level: line > firstDamage ? 'note' : 'failure', sentence: verifyTexts.strayEnd});
	}
	const lost = [...open.values()].map((line): PairFinding => ({
		line,
		level: 'note',
		sentence: verifyTexts.lostAnswer,
	}));
	return [...strays, ...lost];
}

function isSent(item: Item): boolean {
	return item.type === 'request' && item.endedAt === undefined;
}
