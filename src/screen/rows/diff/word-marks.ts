import {required} from '../../../text/required.ts';

/** A part of a line, in code units. */
export type Part = {readonly from: number; readonly to: number};

/** The parts of a removed line and of the added line in its place that differ. */
export type WordMarks = {readonly removed: readonly Part[]; readonly added: readonly Part[]};

/**
Compares two lines by words. Returns `undefined` if they have too little in common, because marks would then cover
nearly everything, or if a line is very long. Of lines with many words, only the common beginning and end count.
*/
export function wordMarks(removed: string, added: string): WordMarks | undefined {
	if (removed.length > maxLength || added.length > maxLength) return undefined;
	const [before, after] = [wordsOf(removed), wordsOf(added)];
	const start = commonStart(before, after);
	const end = commonEnd(before.slice(start), after.slice(start));
	const [old, fresh] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
	const kept = old.length * fresh.length <= maxProduct ? commonWords(old, fresh) : noWords;
	const marks = {
		removed: partsOf(before, start, old, kept.old),
		added: partsOf(after, start, fresh, kept.fresh),
	};
	return isMostly(marks.removed, removed) || isMostly(marks.added, added) ? undefined : marks;
}

/** The maximum length of a line whose words are compared, in code units. */
const maxLength = 2000;
/** The maximum number of pairs of words that are compared. It takes a fraction of a millisecond. */
const maxProduct = 10_000;

/** Which words of two lists also occur in the other list, in the same order. */
type Common = {readonly old: ReadonlySet<number>; readonly fresh: ReadonlySet<number>};

const noWords: Common = {old: new Set(), fresh: new Set()};

function wordsOf(line: string): readonly string[] {
	return line.match(/[\p{L}\p{N}_$]+|\s+|[^\p{L}\p{N}_$\s]/gu) ?? [];
}

function commonStart(one: readonly string[], other: readonly string[]): number {
	const length = Math.min(one.length, other.length);
	for (let at = 0; at < length; at++) if (one[at] !== other[at]) return at;
	return length;
}

function commonEnd(one: readonly string[], other: readonly string[]): number {
	const length = Math.min(one.length, other.length);
	for (let at = 0; at < length; at++) if (one.at(-1 - at) !== other.at(-1 - at)) return at;
	return length;
}

/** Returns a longest common subsequence of two lists. */
function commonWords(old: readonly string[], fresh: readonly string[]): Common {
	const columns = fresh.length + 1;
	const lengths = new Uint16Array((old.length + 1) * columns);
	const lengthAt = (row: number, column: number) => required(lengths[row * columns + column], 'length');
	for (let row = old.length - 1; row >= 0; row--)
		for (let column = fresh.length - 1; column >= 0; column--)
			lengths[row * columns + column] =
				old[row] === fresh[column]
					? lengthAt(row + 1, column + 1) + 1
					: Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
	const kept = {old: new Set<number>(), fresh: new Set<number>()};
	for (let row = 0, column = 0; row < old.length && column < fresh.length;) {
		if (old[row] === fresh[column]) {
			kept.old.add(row++);
			kept.fresh.add(column++);
		} else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row++;
		else column++;
	}
	return kept;
}

/** Returns the parts of a line that its changed words cover. A blank between two changed words belongs to them. */
function partsOf(
	words: readonly string[],
	start: number,
	changed: readonly string[],
	kept: ReadonlySet<number>,
): readonly Part[] {
	const parts: Array<{from: number; to: number}> = [];
	let at = words.slice(0, start).join('').length;
	let gap = at;
	for (const [index, word] of changed.entries()) {
		const end = at + word.length;
		if (!kept.has(index)) {
			const last = parts.at(-1);
			if (last !== undefined && last.to === gap) last.to = end;
			else parts.push({from: at, to: end});
			gap = end;
		} else if (word.trim() !== '' || gap !== at) gap = -1;
		else gap = parts.at(-1)?.to ?? -1;
		at = end;
	}
	return parts;
}

function isMostly(parts: readonly Part[], line: string): boolean {
	const marked = parts.reduce((sum, {from, to}) => sum + to - from, 0);
	return marked > line.trim().length * 0.7;
}
