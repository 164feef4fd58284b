import type {Row} from './row.ts';

/**
A list of rows that may be created only when they are shown. Their number is known in advance. An array of rows is also
such a list.
*/
export type RowList = {
	readonly length: number;
	/** Returns the rows `[from, to)` that exist. */
	slice(from: number, to: number): readonly Row[];
};

/** The parts of a list. `make` creates the rows of a part. It must return exactly `count` rows for the part. */
export type RowParts = {
	readonly parts: number;
	readonly count: (part: number) => number;
	readonly make: (part: number) => readonly Row[];
};

/** Creates a list of the rows of several parts. The rows of a part are created once, when one of them is first read. */
export function createRowList({parts, count, make}: RowParts): RowList {
	const starts = new Uint32Array(parts + 1);
	for (let part = 0; part < parts; part++) starts[part + 1] = startOf(starts, part) + count(part);
	const made = new Map<number, readonly Row[]>();
	const rowsIn = (part: number) => {
		const rows = made.get(part) ?? make(part);
		made.set(part, rows);
		return rows;
	};
	const length = startOf(starts, parts);
	return {
		length,
		slice(from, to) {
			const [first, end] = [Math.max(0, from), Math.min(to, length)];
			const rows: Row[] = [];
			for (let part = partAt(starts, first); part < parts && startOf(starts, part) < end; part++) {
				const start = startOf(starts, part);
				for (const row of rowsIn(part).slice(Math.max(0, first - start), end - start)) rows.push(row);
			}
			return rows;
		},
	};
}

/** Joins several lists into one list. */
export function joinRowLists(lists: readonly RowList[]): RowList {
	const starts = new Uint32Array(lists.length + 1);
	for (const [index, list] of lists.entries()) starts[index + 1] = startOf(starts, index) + list.length;
	const length = startOf(starts, lists.length);
	return {
		length,
		slice(from, to) {
			const [first, end] = [Math.max(0, from), Math.min(to, length)];
			return lists.flatMap((list, index) => {
				const start = startOf(starts, index);
				const isShown = start < end && start + list.length > first;
				return isShown ? list.slice(Math.max(0, first - start), end - start) : [];
			});
		},
	};
}

function startOf(starts: Uint32Array, part: number): number {
	return starts[part] ?? 0;
}

/** Returns the index of the last part that begins at or before a row. */
function partAt(starts: Uint32Array, row: number): number {
	let [low, high] = [0, starts.length - 1];
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if (startOf(starts, middle) <= row) low = middle;
		else high = middle - 1;
	}
	return low;
}
