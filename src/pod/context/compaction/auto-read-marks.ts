import {en, enCount} from '../../../language/index.ts';
import type {ReadAgain, Wanted} from './auto-read.ts';

/** A path with the chosen lines, and the reason why they are not read again. */
export type Refused = {readonly path: string; readonly reason: string};

type Read = Pick<Extract<ReadAgain, {ok: true}>, 'key' | 'real' | 'tokens'>;

/** The files that must be read again for a summary. They share a budget of tokens. */
export type AutoReadMarks = {
	/** Returns the tokens of the budget that are still free. */
	left(): number;
	isFull(): boolean;
	/** Tells whether these lines, or the whole file, are already marked. */
	has(read: Pick<Read, 'key' | 'real'>): boolean;
	add(wanted: Wanted, read: Read): void;
	refuse(wanted: Wanted, reason: string): void;
	/** Returns the marked files in the order in which they were marked. */
	wanted(): readonly Wanted[];
	/** Returns the refused files. If a file was marked later, whole or in part, it is not one of them. */
	refused(): readonly Refused[];
};

/** Creates an empty list of marks. `max` limits the number of marked files, and also of refused ones. */
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
			const name = shortened(nameOf(wanted));
			if (refused.size < max) refused.set(name, {path: name, reason, of: wanted.path});
		},
		wanted: () => marked.map(({wanted}) => wanted),
		refused: () => [...refused.values()].map(({path, reason}) => ({path, reason})),
	};
}

/** The maximum number of characters in a path. No supported platform has longer paths. */
export const maxPathLength = 4096;

/** Every refused path is saved, so its length must be limited. A path that is longer names no file. */
function shortened(path: string): string {
	return path.length <= maxPathLength ? path : `${path.slice(0, shownLength)}…`;
}

const shownLength = 200;

function isWhole({key, real}: Pick<Read, 'key' | 'real'>): boolean {
	return key === JSON.stringify([real, 'whole']);
}

/** Returns the name of a range: `a.ts`, `a.ts:10-20` or `a.ts:10-`. */
export function nameOf({path, first, last}: Wanted): string {
	return first === undefined ? path : `${path}:${first}-${last ?? ''}`;
}

/** Returns the reason why a file that is too long is not read again. */
export function overBudget(tokens: number, left: number): string {
	return en`it takes about ${enCount(tokens, 'token')}, and ${left} of those to be read again were left.`;
}
