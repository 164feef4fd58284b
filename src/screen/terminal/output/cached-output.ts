import type {Clip, OutputClass, OutputLike, Size, Transformer} from './stock-output.ts';
import {isComplete} from './stock-output.ts';

/**
Returns an `Output` class for Ink that reuses rows of earlier frames. Its output equals that of `Stock` in every cell.
For every frame, Ink creates a new `Output` and splits every visible text into tokens again, which takes most of the
time of a frame. Here, a row is cached by its contents: the columns, and the texts after clipping and transforming.
`Stock` paints a row only if the cache does not contain the row. A row with a single plain ASCII text is not painted at
all.
*/
export function keepRows(Stock: OutputClass, limits = defaultLimits): OutputClass {
	const caches: Caches = {width: 0, rows: createTextCache(limits), lines: createTextCache(limits)};
	return class CachedOutput implements OutputLike {
		readonly width: number;
		readonly height: number;
		readonly #operations: Operation[] = [];

		constructor({width, height}: Size) {
			this.width = width;
			this.height = height;
		}

		write(
			x: number,
			y: number,
			text: string,
			{transformers}: {readonly transformers: readonly Transformer[]},
		): void {
			if (text !== '') this.#operations.push({type: 'write', x, y, text, transformers});
		}

		clip(clip: Clip): void {
			this.#operations.push({type: 'clip', clip});
		}

		unclip(): void {
			this.#operations.push({type: 'unclip'});
		}

		get(): {readonly output: string; readonly height: number} {
			const {width, height} = this;
			if (!isWhole(this, this.#operations)) return replay(new Stock({width, height}), this.#operations).get();
			if (caches.width !== width) Object.assign(caches, {width, rows: createTextCache(limits)});
			const rows: Piece[][] = Array.from({length: height}, () => []);
			for (const write of clippedWrites(this.#operations)) {
				for (const {row, ...piece} of piecesOf(write, height, Stock, caches)) rows[row]?.push(piece);
			}
			return {output: rows.map(pieces => rowOf(pieces, width, Stock, caches)).join('\n'), height};
		}
	};
}

/** The cache has room for the rows of several screens. A row takes a few hundred bytes. */
const defaultLimits = {maxEntries: 2048, maxTextLength: 16_384};

/** The caches. `rows` is valid only for a screen that is `width` cells wide. */
type Caches = {readonly width: number; readonly rows: TextCache<string>; readonly lines: TextCache<readonly CutLine[]>};

type Write = {
	readonly type: 'write';
	readonly x: number;
	readonly y: number;
	readonly text: string;
	readonly transformers: readonly Transformer[];
};
type Operation = Write | {readonly type: 'clip'; readonly clip: Clip} | {readonly type: 'unclip'};

/**
A line of a text, cut but not transformed yet. `x` is counted from the text's left edge. `index` is the index of the
line in the text.
*/
type CutLine = {readonly x: number; readonly index: number; readonly line: string};
/** A line at its position in a row of the screen. `x` is counted from the screen's left edge. */
type Piece = CutLine & {readonly transformers: readonly Transformer[]};
type PlacedPiece = Piece & {readonly row: number};

/** Tells whether a layout has only whole numbers of cells. Ink itself handles all other layouts. */
function isWhole({width, height}: Size, operations: readonly Operation[]): boolean {
	return (
		[width, height].every(Number.isSafeInteger) &&
		operations.every(operation => {
			if (operation.type === 'unclip') return true;
			if (operation.type === 'write')
				return Number.isSafeInteger(operation.x) && Number.isSafeInteger(operation.y);
			const {x1, x2, y1, y2} = operation.clip;
			return [x1, x2, y1, y2].every(bound => bound === undefined || Number.isSafeInteger(bound));
		})
	);
}

function replay(output: OutputLike, operations: readonly Operation[]): OutputLike {
	for (const operation of operations) {
		if (operation.type === 'clip') output.clip(operation.clip);
		else if (operation.type === 'unclip') output.unclip();
		else output.write(operation.x, operation.y, operation.text, operation);
	}
	return output;
}

type ClippedWrite = Write & {readonly clip: Clip};

/** Yields each write with the intersection of all clips that are open at that time. */
function* clippedWrites(operations: readonly Operation[]): Generator<ClippedWrite> {
	const clips: Clip[] = [];
	for (const operation of operations) {
		const clip = clips.at(-1) ?? unbounded;
		if (operation.type === 'clip') clips.push(intersect(clip, operation.clip));
		else if (operation.type === 'unclip') clips.pop();
		else if (!isEmpty(clip)) yield {...operation, clip};
	}
}

const unbounded: Clip = {x1: undefined, x2: undefined, y1: undefined, y2: undefined};

function intersect(outer: Clip, inner: Clip): Clip {
	return {
		x1: tighter(outer.x1, inner.x1, Math.max),
		x2: tighter(outer.x2, inner.x2, Math.min),
		y1: tighter(outer.y1, inner.y1, Math.max),
		y2: tighter(outer.y2, inner.y2, Math.min),
	};
}

type Bound = number | undefined;

function tighter(a: Bound, b: Bound, choose: (a: number, b: number) => number): Bound {
	if (a === undefined) return b;
	return b === undefined ? a : choose(a, b);
}

function isEmpty({x1, x2, y1, y2}: Clip): boolean {
	return (x1 !== undefined && x2 !== undefined && x1 >= x2) || (y1 !== undefined && y2 !== undefined && y1 >= y2);
}

/** Returns the visible lines of a write, each with the index of its row. */
function piecesOf(write: ClippedWrite, height: number, Stock: OutputClass, {lines}: Caches): readonly PlacedPiece[] {
	const {x, y, text, transformers, clip} = write;
	const window = windowOf(write, height);
	if (window.first >= window.end) return [];
	const isWhole =
		window.left === undefined ? isPlain(text) || !cut.test(text) : isPlain(text) && fits(x, text.length, clip);
	if (isWhole) return [{row: y, x, index: 0, line: text, transformers}];
	// The key does not contain the position of the text, so that a text stays cached while it scrolls.
	const key = `${window.left} ${window.right} ${window.first} ${window.end} ${text}`;
	const found = lines.get(key, () => cutLines(text, window, Stock));
	return found.map(line => ({...line, x: x + line.x, row: y + line.index, transformers}));
}

/**
Matches newlines and characters without their own cell. Ink removes some of these characters before it transforms a
text.
*/
const cut = /[\n\p{Cf}\p{Mn}\p{Me}]/u;

/** The visible part of a text, counted from the text's upper left corner. `right` and `end` are not included. */
type Window = {
	readonly left: number | undefined;
	readonly right: number | undefined;
	readonly first: number;
	readonly end: number;
};

function windowOf({x, y, text, clip: {x1, x2, y1, y2}}: ClippedWrite, height: number): Window {
	const isCut = x1 !== undefined && x2 !== undefined;
	return {
		left: isCut ? x1 - x : undefined,
		right: isCut ? x2 - x : undefined,
		first: Math.max(Math.max(y1 ?? 0, 0) - y, 0),
		end: Math.min(Math.min(y2 ?? height, height) - y, text.split('\n').length),
	};
}

/** Tells whether a text is printable ASCII on one line. Such a text has one cell for each code unit, and no styles. */
function isPlain(text: string): boolean {
	return /^[ -~]*$/.test(text);
}

function fits(x: number, cells: number, {x1, x2}: Clip): boolean {
	return x1 === undefined || x2 === undefined || (x >= x1 && x + cells <= x2);
}

/** Cuts a text into lines with Ink's own `Output`. A transformer collects each line directly after Ink has cut it. */
function cutLines(text: string, {left, right, first, end}: Window, Stock: OutputClass): readonly CutLine[] {
	const found: CutLine[] = [];
	const output = new Stock({width: 0, height: end});
	output.clip({x1: left, x2: right, y1: first, y2: end});
	const hear: Transformer = (line, index) => {
		found.push({x: left === undefined ? 0 : Math.max(0, left), index, line});
		return '';
	};
	output.write(0, 0, text, {transformers: [hear]});
	output.get();
	return found;
}

type Painted = {readonly x: number; readonly line: string};

function rowOf(pieces: readonly Piece[], width: number, Stock: OutputClass, {rows}: Caches): string {
	const painted = pieces.map(paint).filter(({line}) => line !== '');
	if (painted.length === 0) return '';
	const [{x, line}, ...others] = painted as [Painted, ...Painted[]];
	const isAlone = others.length === 0 && x >= 0 && x <= width;
	if (isAlone && isPlain(line)) return (' '.repeat(x) + line).trimEnd();
	return rows.get(keyOf(painted), () => {
		return isAlone && isComplete(line) ? (' '.repeat(x) + line).trimEnd() : makeRow(painted, width, Stock);
	});
}

/**
Returns the cache key of a row. A single line at the left edge is its own key, which saves time. No line contains a
newline, so the keys are unambiguous.
*/
function keyOf(painted: readonly Painted[]): string {
	const [{x, line}] = painted as [Painted];
	return painted.length === 1 && x === 0 ? line : painted.map(one => `\n${one.x} ${one.line}`).join('');
}

function paint({x, index, line, transformers}: Piece): Painted {
	return {x, line: transformers.reduce((text, transform) => transform(text, index), line)};
}

/** Paints a row with Ink's own `Output`. The transformers return the finished lines, so Ink cuts no text again. */
function makeRow(painted: readonly Painted[], width: number, Stock: OutputClass): string {
	const output = new Stock({width, height: 1});
	for (const {x, line} of painted) output.write(x, 0, 'x', {transformers: [() => line]});
	return output.get().output;
}

/** Caches values by text. The least recently used values are removed first. */
type TextCache<Value> = {
	/** Returns the value of a text, and creates it if it is missing. */
	get(text: string, make: () => Value): Value;
	readonly size: number;
};

type CacheLimits = {
	readonly maxEntries: number;
	/** The maximum length of a cached text, in code units. */
	readonly maxTextLength: number;
};

export function createTextCache<Value extends {}>({maxEntries, maxTextLength}: CacheLimits): TextCache<Value> {
	const values = new Map<string, Value>();
	return {
		get size() {
			return values.size;
		},
		get(text, make) {
			if (text.length > maxTextLength) return make();
			let value = values.get(text);
			if (value === undefined) value = make();
			else values.delete(text);
			values.set(text, value);
			if (values.size > maxEntries) dropFirst(values);
			return value;
		},
	};
}

function dropFirst(values: Map<string, unknown>): void {
	const [first] = values.keys();
	if (first !== undefined) values.delete(first);
}
