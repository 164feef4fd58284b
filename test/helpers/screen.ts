import headless from '@xterm/headless';
import type {IBufferCell, Terminal} from '@xterm/headless';
import {useGraphemeWidths} from './unicode.ts';

/** A colour: `#rrggbb`, `ansi-0` to `ansi-255`, or undefined for the terminal's own. */
export type Color = string | undefined;

/** The contents of a cell. The right half of a wide character has width 0 and no text. */
export type Cell = {
	readonly text: string;
	readonly width: number;
	readonly foreground: Color;
	readonly background: Color;
	readonly bold: boolean;
	readonly dim: boolean;
	readonly italic: boolean;
	readonly underline: boolean;
	readonly inverse: boolean;
	readonly strikethrough: boolean;
};

/** The position of the cursor. Rows and columns count from 0. */
export type Cursor = {readonly row: number; readonly column: number; readonly visible: boolean};

/** A terminal without a window. It shows what a user would see after the bytes that were written to it. */
export type Screen = {
	readonly terminal: Terminal;
	/** Resolves when the bytes are on the screen. */
	write(bytes: string | Uint8Array): Promise<void>;
	/** Returns the visible rows without trailing blanks. */
	rows(): string[];
	/** Returns the visible rows as one text. */
	text(): string;
	/** Returns a visible cell, or undefined outside the screen. */
	cell(row: number, column: number): Cell | undefined;
	cells(row: number): Cell[];
	cursor(): Cursor;
	/** Whether the alternate screen is shown. */
	isAlternate(): boolean;
	resize(cols: number, rows: number): void;
	dispose(): void;
};

/** Creates an empty screen with a short scrollback. */
export function createScreen(cols: number, rows: number): Screen {
	const terminal = new headless.Terminal({cols, rows, scrollback: 1000, allowProposedApi: true});
	useGraphemeWidths(terminal);
	const cursorVisible = trackCursor(terminal);
	const cell = (row: number, column: number) => readCell(visibleLine(terminal, row)?.getCell(column));
	const lines = () =>
		Array.from({length: terminal.rows}, (_, row) => visibleLine(terminal, row)?.translateToString(true) ?? '');
	return {
		terminal,
		write: async bytes => new Promise(done => terminal.write(bytes, done)),
		rows: lines,
		text: () => lines().join('\n'),
		cell,
		cells: row =>
			Array.from({length: terminal.cols}, (_, column) => cell(row, column)).filter(found => found !== undefined),
		cursor: () => ({
			row: terminal.buffer.active.cursorY,
			column: terminal.buffer.active.cursorX,
			visible: cursorVisible(),
		}),
		isAlternate: () => terminal.buffer.active.type === 'alternate',
		resize: (newCols, newRows) => terminal.resize(newCols, newRows),
		dispose: () => terminal.dispose(),
	};
}

/** Returns the screen in a frame, for messages. */
export function framed(rows: readonly string[]): string {
	const width = Math.max(0, ...rows.map(row => row.length));
	const edge = `+${'-'.repeat(width)}+`;
	return [edge, ...rows.map(row => `|${row.padEnd(width)}|`), edge].join('\n');
}

// xterm.js knows whether the cursor is visible, but has no API for it.
function trackCursor(terminal: Terminal): () => boolean {
	let visible = true;
	const follow = (value: boolean) => (parameters: Array<number | number[]>) => {
		if (parameters.includes(25)) visible = value;
		return false;
	};
	terminal.parser.registerCsiHandler({prefix: '?', final: 'h'}, follow(true));
	terminal.parser.registerCsiHandler({prefix: '?', final: 'l'}, follow(false));
	return () => visible;
}

function visibleLine(terminal: Terminal, row: number) {
	const buffer = terminal.buffer.active;
	return buffer.getLine(buffer.baseY + row);
}

function readCell(cell: IBufferCell | undefined): Cell | undefined {
	if (cell === undefined) return undefined;
	return {
		text: cell.getChars(),
		width: cell.getWidth(),
		foreground: cell.isFgDefault() ? undefined : color(cell.isFgRGB(), cell.getFgColor()),
		background: cell.isBgDefault() ? undefined : color(cell.isBgRGB(), cell.getBgColor()),
		bold: cell.isBold() !== 0,
		dim: cell.isDim() !== 0,
		italic: cell.isItalic() !== 0,
		underline: cell.isUnderline() !== 0,
		inverse: cell.isInverse() !== 0,
		strikethrough: cell.isStrikethrough() !== 0,
	};
}

/**
Returns the address of the link (OSC 8) that a cell belongs to. xterm.js knows it, but has no API for it without a
window.
*/
export function linkOf(terminal: Terminal, cell: IBufferCell | undefined): string | undefined {
	const {extended} = cell as unknown as {readonly extended?: {readonly urlId: number}};
	const {_core: core} = terminal as unknown as {readonly _core: {readonly _oscLinkService: LinkService}};
	return extended === undefined || extended.urlId === 0
		? undefined
		: core._oscLinkService.getLinkData(extended.urlId)?.uri;
}

type LinkService = {readonly getLinkData: (id: number) => {readonly uri: string} | undefined};

function color(isRgb: boolean, value: number): string {
	return isRgb ? `#${value.toString(16).padStart(6, '0')}` : `ansi-${value}`;
}
