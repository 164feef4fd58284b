import {cellMask, isPlain, noEnd, noStart, steps, wide} from './width.ts';

/**
A row of a wrapped line. The row shows the part `[from, to)`, and the next row begins at `next`. The spaces between `to`
and `next` belong to no row.
*/
type WrapRange = {readonly from: number; readonly to: number; readonly next: number};

/**
Wraps text into rows of at most `columns` cells (at least 2, for wide characters). Rows break at spaces, which are
dropped, and before or after wide characters. A word that is longer than a row is cut. Leading spaces stay.
*/
export function wrap(text: string, columns: number): string[] {
	const rows: string[] = [];
	for (const line of text.split('\n')) {
		for (const {from, to} of wrapLine(line, columns)) rows.push(line.slice(from, to));
	}
	return rows;
}

/**
Wraps one line. The result has at least one range, even for an empty line, so the caller finds a row for every position.
*/
export function wrapLine(line: string, columns: number): WrapRange[] {
	const room = Math.max(2, columns);
	if (isPlain(line))
		return line.length <= room ? [{from: 0, to: line.length, next: line.length}] : wrapPlain(line, room);
	return wrapWide(line, room);
}

/**
Wraps one line without dropping any space. A row breaks after the last space in its second half. If there is none, the
row breaks at its end.
*/
export function wrapWhole(line: string, columns: number): WrapRange[] {
	const room = Math.max(2, columns);
	const ranges: WrapRange[] = [];
	let from = 0;
	let cells = 0;
	let behindSpace = {at: 0, cells: 0};
	for (const step of steps(line)) {
		const size = step.traits & cellMask;
		while (cells + size > room && cells > 0) {
			const {at: to, cells: taken} = behindSpace.cells * 2 >= room ? behindSpace : {at: step.from, cells};
			ranges.push({from, to, next: to});
			from = to;
			cells -= taken;
			behindSpace = {at: to, cells: 0};
		}
		cells += size;
		if (line.charCodeAt(step.from) === space) behindSpace = {at: step.end, cells};
	}
	ranges.push({from, to: line.length, next: line.length});
	return ranges;
}

function wrapPlain(line: string, columns: number): WrapRange[] {
	const ranges: WrapRange[] = [];
	let from = 0;
	while (line.length - from > columns) {
		const to = lastBreak(line, from, from + columns);
		const next = to === undefined ? from + columns : skipSpaces(line, to);
		ranges.push({from, to: to ?? next, next});
		from = next;
	}
	if (from < line.length || ranges.length === 0) ranges.push({from, to: line.length, next: line.length});
	return ranges;
}

/** Returns the end of the last word that ends before `limit`, or `undefined` if there is none. */
function lastBreak(line: string, from: number, limit: number): number | undefined {
	let end = limit;
	while (end > from && line.charCodeAt(end) !== space) end--;
	while (end > from && line.charCodeAt(end - 1) === space) end--;
	return end > from ? end : undefined;
}

function skipSpaces(line: string, from: number): number {
	let next = from;
	while (line.charCodeAt(next) === space) next++;
	return next;
}

function wrapWide(line: string, columns: number): WrapRange[] {
	const ranges: WrapRange[] = [];
	let from = 0;
	let cells = 0;
	/** The last place where the line may break, and the number of cells of the row before `next`. */
	let at = {to: -1, next: -1, cells: 0};
	let previous = 0;
	let afterSpace = false;
	let hasWord = false;
	for (const step of steps(line)) {
		const size = step.traits & cellMask;
		const isSpace = line.charCodeAt(step.from) === space && step.end === step.from + 1;
		if (isSpace && hasWord) {
			at = {to: afterSpace && at.to !== -1 ? at.to : step.from, next: step.end, cells: cells + size};
			cells += size;
			afterSpace = true;
			continue;
		}
		if (!isSpace && !afterSpace && hasWord && canPart(previous, step.traits))
			at = {to: step.from, next: step.from, cells};
		while (cells + size > columns && cells > 0) {
			const {to, next, cells: before} = at.to === -1 ? {to: step.from, next: step.from, cells} : at;
			ranges.push({from, to, next});
			from = next;
			cells -= before;
			at = {to: -1, next: -1, cells: 0};
			hasWord = cells > 0;
		}
		cells += size;
		hasWord ||= !isSpace;
		afterSpace = false;
		previous = step.traits;
	}
	if (afterSpace && cells > columns && at.to !== -1) {
		ranges.push({from, to: at.to, next: line.length});
		return ranges;
	}
	if (from < line.length || ranges.length === 0) ranges.push({from, to: line.length, next: line.length});
	return ranges;
}

function canPart(left: number, right: number): boolean {
	return ((left | right) & wide) !== 0 && (left & noEnd) === 0 && (right & noStart) === 0 && (right & cellMask) !== 0;
}

const space = 0x20;
