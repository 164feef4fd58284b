import {plural} from '../tools/output.ts';
import type {ReadAgain, Wanted} from './auto-read.ts';

/** A path, with the lines that were meant, and why it is not read again. */
export type Refused = {readonly path: string; readonly reason: string};

type Read = Pick<Extract<ReadAgain, {ok: true}>, 'key' | 'real' | 'tokens'>;

/** The files that a summary needs read again, within a budget of tokens. */
export type AutoReadMarks = {
	/** Tokens of the budget that no mark has taken. */
	left(): number;
	isFull(): boolean;
	/** Whether these lines, or the whole file, are marked already. */
	has(read: Pick<Read, 'key' | 'real'>): boolean;
	add(wanted: Wanted, read: Read): void;
	refuse(wanted: Wanted, reason: string): void;
	/** In the order of the marks. */
	wanted(): readonly Wanted[];
	/** A file that was marked later, whole or in part, is not among them. */
	refused(): readonly Refused[];
};

/** `max`: how many files can be marked, and how many refused ones are remembered. */
export function createAutoReadMarks(budget: number, max: number): AutoReadMarks {
	const marked: Array<{readonly wanted: Wanted; readonly real: string; readonly key: string}> = [];
	const refused = new Map<string, Refused & {readonly of: string}>();
	let left = budget;
	return {
		left: () => left,
		isFull: () => marked.length >= max,
		has: ({key, real}) => marked.some(mark => mark.key === key || (mark.real === real && isWhole(mark))),
		add(wanted, {real, key, tokens}) {
			left -= tokens;
			marked.push({wanted: {...wanted, real}, real, key});
			for (const [name, {of}] of refused) if (of === wanted.path) refused.delete(name);
		},
		refuse(wanted, reason) {
			const name = nameOf(wanted);
			if (refused.size < max) refused.set(name, {path: name, reason, of: wanted.path});
		},
		wanted: () => marked.map(({wanted}) => wanted),
		refused: () => [...refused.values()].map(({path, reason}) => ({path, reason})),
	};
}

function isWhole({key, real}: Pick<Read, 'key' | 'real'>): boolean {
	return key === JSON.stringify([real, 'whole']);
}

/** `a.ts`, `a.ts:10-20`, `a.ts:10-`. */
export function nameOf({path, first, last}: Wanted): string {
	return first === undefined ? path : `${path}:${first}-${last ?? ''}`;
}

/** Why a file that would be too long is not read again. */
export function overBudget(tokens: number, left: number): string {
	return `it takes about ${plural(tokens, 'token')}, and ${left} of those to be read again were left.`;
}
