import {rowChange, sureCells, type RowChange} from './row-change.ts';
import {endOfStyle, startStyle} from './sgr.ts';

/**
The contents of the whole screen. Each row is painted and sanitized, sets and resets its own styles, and is at most as
wide as the screen. `cursor` is counted in cells from the upper left corner.
*/
export type Picture = {
	readonly columns: number;
	readonly rows: readonly string[];
	readonly cursor: {readonly x: number; readonly y: number};
};

type ComposeOptions = {
	/** Whether inkpod may use scroll regions of the terminal (DECSTBM with SU and SD). */
	readonly scrollRegions: boolean;
};

/**
Returns the bytes that turn one picture into the next one. Returns an empty text if the pictures are equal. If there is
no previous picture of the same size, the bytes clear the screen and write all rows. Every cursor move is absolute, so
that a mistake affects only one row. The bytes form one synchronized update (mode 2026) and end with a move to the
cursor's position.
*/
export function compose(before: Picture | undefined, next: Picture, {scrollRegions}: ComposeOptions): string {
	const known = before !== undefined && isSameSize(before, next) ? before : undefined;
	let rows = known?.rows ?? next.rows.map(() => '');
	let bytes = known === undefined ? anew : '';
	const shift =
		known !== undefined && scrollRegions && changes(known, next) >= minToMove
			? findShift(rows, next.rows)
			: undefined;
	if (shift !== undefined) {
		bytes += `\x1b[${shift.top + 1};${shift.bottom}r\x1b[${Math.abs(shift.by)}${shift.by > 0 ? 'S' : 'T'}\x1b[r`;
		rows = shifted(rows, shift);
	}
	for (const [at, row] of next.rows.entries()) {
		const shown = rows[at] ?? '';
		if (row === shown) continue;
		bytes += changed(shown, row, at);
	}
	const cursor = moveTo(Math.min(next.cursor.x, next.columns - 1), next.cursor.y);
	if (bytes !== '') return begin + bytes + cursor + end;
	return next.cursor.x === known?.cursor.x && next.cursor.y === known.cursor.y ? '' : cursor;
}

/**
Returns the changes between two rows of the same length, as runs of cells. Returns `undefined` if the rows cannot be
changed in this way. Each character must have the same width in every terminal, so that a run is written at the right
column.
*/
export function cellChanges(before: string, next: string): readonly RowChange[] | undefined {
	const old = cellsOf(before);
	const fresh = old === undefined ? undefined : cellsOf(next);
	if (old === undefined || fresh === undefined || old.length !== fresh.length) return undefined;
	if (endOf(old) !== endOf(fresh)) return undefined;
	// Blanks at the end of a row must stay unwritten, but a run would write them.
	if (fresh.at(-1)?.text === ' ') return undefined;
	return runsOf(old, fresh).map(({from, to}) => ({
		column: fresh[from]?.column ?? 0,
		bytes: painted(fresh.slice(from, to)),
	}));
}

/** Writes pictures to the terminal between `start` and `stop`. At other times it writes nothing. */
export type Painter = {
	start(): void;
	stop(): void;
	paint(picture: Picture): void;
	/** Forgets the last picture, so that the next picture is written as a whole. */
	forget(): void;
};

export type ScreenStreams = {readonly stdin: NodeJS.ReadStream; readonly stdout: NodeJS.WriteStream};

/**
Creates the painter of the full screen. The painter writes only the differences from the last picture, in a single
write.
*/
export function createPainter(stdout: {write(bytes: string): unknown}, options: ComposeOptions): Painter {
	let shown: Picture | undefined;
	let isOn = false;
	return {
		start() {
			isOn = true;
			shown = undefined;
		},
		stop() {
			isOn = false;
		},
		paint(picture) {
			if (!isOn) return;
			const bytes = compose(shown, picture, options);
			shown = picture;
			if (bytes !== '') stdout.write(bytes);
		},
		forget() {
			shown = undefined;
		},
	};
}

/**
Returns the bytes that change one row. They write the row from the first difference on, or single runs of cells if that
is shorter.
*/
function changed(shown: string, row: string, at: number): string {
	const {column, bytes} = rowChange(shown, row);
	const whole = bytes === '' ? '' : moveTo(column, at) + bytes;
	if (whole.length < minToSplit) return whole;
	const runs = cellChanges(shown, row);
	const parts = runs?.map(run => moveTo(run.column, at) + run.bytes).join('');
	return parts !== undefined && parts.length < whole.length ? parts : whole;
}

function isSameSize(one: Picture, other: Picture): boolean {
	return one.columns === other.columns && one.rows.length === other.rows.length;
}

const begin = '\x1b[?2026h';

const end = '\x1b[?2026l';

/** Resets the style and the scroll region, turns off automatic wrapping, shows the cursor, and clears the screen. */
const anew = '\x1b[0m\x1b[r\x1b[?7l\x1b[?25h\x1b[H\x1b[J';

/** Scrolling is tried only if at least this number of rows has changed. */
const minToMove = 3;

/** Single runs of cells are tried only if the change of a row has at least this number of bytes. */
const minToSplit = 40;

function changes(before: Picture, next: Picture): number {
	return next.rows.reduce((count, row, at) => (row === before.rows[at] ? count : count + 1), 0);
}

function moveTo(x: number, y: number): string {
	return `\x1b[${y + 1};${x + 1}H`;
}

type Cell = {readonly text: string; readonly style: string; readonly column: number};

/** Returns the column after the last cell. */
function endOf(cells: readonly Cell[]): number {
	const last = cells.at(-1);
	return last === undefined ? 0 : last.column + sureCells(last.text.charCodeAt(0));
}

type Run = {readonly from: number; readonly to: number};

function cellsOf(row: string): readonly Cell[] | undefined {
	const cells: Cell[] = [];
	const state = startStyle();
	let style = '';
	let column = 0;
	for (let index = 0; index < row.length;) {
		const code = row.charCodeAt(index);
		if (code === 0x1b) {
			const end = state.read(row, index);
			if (end === index) return undefined;
			index = end;
			style = state.text();
			continue;
		}
		const width = sureCells(code);
		if (width === 0) return undefined;
		cells.push({text: row.charAt(index), style, column});
		column += width;
		index++;
	}
	return cells;
}

/**
Returns the runs of cells that differ. Runs that are close together are joined, because a cursor move costs bytes.
*/
function runsOf(old: readonly Cell[], fresh: readonly Cell[]): readonly Run[] {
	const runs: Array<{from: number; to: number}> = [];
	for (const [at, cell] of fresh.entries()) {
		const known = old[at];
		if (known?.text === cell.text && known.style === cell.style && known.column === cell.column) continue;
		const last = runs.at(-1);
		if (last !== undefined && at - last.to < closeCells) last.to = at + 1;
		else runs.push({from: at, to: at + 1});
	}
	return runs;
}

/**
Runs with fewer than this number of cells between them are joined. A cursor move takes about this number of bytes.
*/
const closeCells = 8;

function painted(cells: readonly Cell[]): string {
	let bytes = '';
	let style = '';
	for (const cell of cells) {
		if (cell.style !== style) bytes += endOfStyle(style) + cell.style;
		bytes += cell.text;
		({style} = cell);
	}
	return bytes + endOfStyle(style);
}

/** A move of rows. The rows `[top, bottom)` move up by `by` rows, or down if `by` is negative. */
type Shift = {readonly top: number; readonly bottom: number; readonly by: number};

/**
Returns the shift of rows that leaves the fewest bytes to write. Returns `undefined` if no shift saves more bytes than
it costs.
*/
function findShift(before: readonly string[], next: readonly string[]): Shift | undefined {
	const from = oldPlaces(before);
	const votes = new Map<number, Place>();
	for (const [at, row] of next.entries()) {
		const old = from.get(row);
		if (old === undefined || old === moreThanOne || old === at) continue;
		const vote = votes.get(old - at);
		votes.set(old - at, {first: vote?.first ?? at, last: at, count: (vote?.count ?? 0) + 1});
	}
	let best: (Place & {readonly by: number}) | undefined;
	for (const [by, vote] of votes) if (vote.count > (best?.count ?? 0)) best = {...vote, by};
	if (best === undefined) return undefined;
	const {by, first, last} = best;
	const shift = {by, top: Math.min(first, first + by), bottom: Math.max(last, last + by) + 1};
	return costOf(before, next) - costOf(shifted(before, shift), next) > shiftCost ? shift : undefined;
}

/** Returns the rows after a shift. Rows that become free are blank. */
function shifted(rows: readonly string[], {top, bottom, by}: Shift): string[] {
	return rows.map((row, at) =>
		at < top || at >= bottom ? row : at + by >= top && at + by < bottom ? (rows[at + by] ?? '') : '',
	);
}

type Place = {readonly first: number; readonly last: number; readonly count: number};

const moreThanOne = -1;

/**
Returns the index of each row text. A text that occurs more than once is marked with `moreThanOne`. Blank rows are left
out.
*/
function oldPlaces(rows: readonly string[]): Map<string, number> {
	const places = new Map<string, number>();
	for (const [at, row] of rows.entries()) if (row !== '') places.set(row, places.has(row) ? moreThanOne : at);
	return places;
}

/** Estimates the number of bytes that remain to be written. */
function costOf(before: readonly string[], next: readonly string[]): number {
	return next.reduce((sum, row, at) => (row === before[at] ? sum : sum + row.length + moveCost), 0);
}

const moveCost = 8;

/** The number of bytes that a shift costs: setting the region, scrolling, and resetting the region. */
const shiftCost = 24;
