import type {DiffLine} from './diff-lines.ts';
import {wordMarks, type Part, type WordMarks} from './word-marks.ts';

/**
Returns a function for the changed words of each line, by its index. The lines of each change are pairs: the first
removed line with the first added one, and so on. Words are compared when one of the two lines is asked for.
*/
export function createDiffMarks(lines: readonly DiffLine[]): (index: number) => readonly Part[] {
	let others: Int32Array | undefined;
	const compared = new Map<number, WordMarks | undefined>();
	const compare = (old: number, fresh: number) => {
		if (!compared.has(old)) compared.set(old, wordMarks(textAt(lines, old), textAt(lines, fresh)));
		return compared.get(old);
	};
	return index => {
		const other = (others ??= pairsOf(lines))[index] ?? none;
		if (other === none) return [];
		return (index < other ? compare(index, other)?.removed : compare(other, index)?.added) ?? [];
	};
}

/** The index of a line without a partner. */
const none = -1;

/** Returns the partner of each line. */
function pairsOf(lines: readonly DiffLine[]): Int32Array {
	const others = new Int32Array(lines.length).fill(none);
	for (let at = 0; at < lines.length;) {
		const removed = runOf(lines, at, 'removed');
		const added = runOf(lines, at + removed, 'added');
		for (let pair = 0; pair < Math.min(removed, added); pair++) {
			others[at + pair] = at + removed + pair;
			others[at + removed + pair] = at + pair;
		}
		at += Math.max(1, removed + added);
	}
	return others;
}

function runOf(lines: readonly DiffLine[], from: number, kind: 'added' | 'removed'): number {
	let count = 0;
	while (lines[from + count]?.kind === kind) count++;
	return count;
}

function textAt(lines: readonly DiffLine[], index: number): string {
	return lines[index]?.text.slice(1) ?? '';
}
