import {inAscii, type GlyphSet} from '../spans/glyphs.ts';
import {isPlain} from '../../text/width.ts';
import {wrap} from '../../text/wrap.ts';
import {createInkStdout} from './ink-stdout.ts';
import {isPlainStdout} from './ink-stdout.ts';

type SpokenStreamOptions = {
	readonly columns: () => number;
	readonly rows: () => number;
	readonly write: (bytes: string) => void;
	/** The signs that the terminal's font has. A stand-in is as wide as its sign. */
	readonly glyphs?: GlyphSet;
	/** By default, changed lines are written in their places. */
	readonly frames?: WriteFrame;
};

export type SpokenStream = {
	/** The stream to which Ink writes in its screen reader mode. */
	readonly stdout: NodeJS.WriteStream;
	/** Writes the changes and moves the cursor to the given position. */
	readonly flush: (caret: SpokenCaret) => void;
	/** Discards what is known about the contents of the terminal, so that the next frame is written as a whole. */
	readonly forget: () => void;
	/** Removes the frame. The texts above it stay. */
	readonly leave: () => void;
};

/** Creates the stream for a terminal. */
export function createSpokenStreamOn(stdout: NodeJS.WriteStream, glyphs: GlyphSet): SpokenStream {
	const columns = () => stdout.columns || 80;
	return createSpokenStream({
		columns,
		rows: () => stdout.rows || 24,
		write: bytes => void stdout.write(bytes),
		glyphs,
		...(isPlainStdout(stdout) && {frames: plainFrames(columns)}),
	});
}

/**
Creates a stdout for Ink's screen reader mode. Ink erases and rewrites its frame at every change, which would make a
screen reader read everything again. This stream writes only changes. Ink's `Static` texts are written above the frame.
Changed lines of the frame are written from the first changed character on. Ink's cursor moves are dropped.
*/
export function createSpokenStream(options: SpokenStreamOptions): SpokenStream {
	const {columns, rows, write, glyphs, frames = changedFrames(columns)} = options;
	let next: readonly string[] = [''];
	let said = '';
	let held: string | undefined;

	/**
	If two texts follow each other, the first one is a `Static` text. A text before a control sequence is the frame,
	which is never empty.
	*/
	function take(chunk: string): void {
		const isControl = chunk === '' || chunk.startsWith('\x1b');
		if (held !== undefined && isControl) next = held.split('\n');
		else if (held !== undefined) said += held;
		held = isControl ? undefined : glyphs === 'ascii' ? inAscii(chunk) : chunk;
	}

	return {
		stdout: createInkStdout({columns, rows, write: take}),
		flush(caret) {
			take('');
			const lines = next.slice(-Math.max(1, rows() - 1));
			const bytes = frames.next(said, lines, caret);
			said = '';
			if (bytes !== '') write(bytes);
		},
		forget: frames.forget,
		leave: () => write(frames.leave()),
	};
}

/** Changes the lines of a frame in their places. */
function changedFrames(columns: () => number): WriteFrame {
	let screen: Screen = empty;
	return {
		next(said, lines, caret) {
			const change = said === '' ? changeLines(screen, lines) : sayAbove(screen, wrap(said, columns()), lines);
			const end = moveTo(change.screen, Math.max(0, lines.length - 1 - caret.up), caret.x);
			screen = end.screen;
			return change.bytes + end.bytes;
		},
		forget() {
			screen = {...screen, lines: screen.lines.map(() => undefined)};
		},
		leave() {
			const {bytes} = moveTo(screen, 0, 0);
			screen = empty;
			return `${bytes}\x1b[J`;
		},
	};
}

/** The lines that the terminal shows (`undefined`: unknown), and the position of its cursor. */
type Screen = {readonly lines: ReadonlyArray<string | undefined>; readonly line: number; readonly x: number};

type Change = {readonly screen: Screen; readonly bytes: string};

const empty: Screen = {lines: [], line: 0, x: 0};

function sayAbove(screen: Screen, said: readonly string[], lines: readonly string[]): Change {
	const start = `${moveTo(screen, 0, 0).bytes}\x1b[J${said.join('\r\n')}`;
	const frame = changeLines(empty, lines);
	return {screen: frame.screen, bytes: start + frame.bytes};
}

function changeLines(before: Screen, lines: readonly string[]): Change {
	let screen = before;
	let bytes = '';
	for (const [line, text] of lines.entries()) {
		if (screen.lines[line] === text) continue;
		const same = samePrefix(screen.lines[line] ?? '', text);
		const move = moveTo(screen, line, same);
		const old = move.screen.lines[line];
		// After a text that fills the line, the cursor is on its last character, which an erasure would take away.
		const erase = old !== undefined && text.startsWith(old) ? '' : '\x1b[K';
		bytes += `${move.bytes}${erase}${text.slice(same)}`;
		screen = {lines: move.screen.lines.with(line, text), line, x: isPlain(text) ? text.length : unknown};
	}
	if (screen.lines.length <= lines.length) return {screen, bytes};
	const move = moveTo(screen, lines.length, 0);
	return {screen: {...move.screen, lines: lines.slice()}, bytes: `${bytes}${move.bytes}\x1b[J`};
}

const unknown = -1;

/** Moves the cursor to a cell of a line. Lines that are missing are added. */
function moveTo(screen: Screen, line: number, x: number): Change {
	const {lines} = screen;
	const last = Math.max(0, lines.length - 1);
	const to = Math.min(line, last);
	const up = screen.line - to;
	const vertical = up > 0 ? `\x1b[${up}A` : up < 0 ? `\x1b[${-up}B` : '';
	const made = lines.length === 0 ? [''] : [];
	const more = Array.from({length: line - to}, () => '');
	const isThere = (more.length === 0 ? screen.x : 0) === x && lines.length > 0;
	const horizontal = isThere ? '' : `\r${x > 0 ? `\x1b[${x}C` : ''}`;
	return {
		screen: {lines: [...lines, ...made, ...more], line, x},
		bytes: vertical + '\r\n'.repeat(more.length) + horizontal,
	};
}

/** Returns the length of the common beginning of two lines, as far as each character is one cell wide. */
function samePrefix(one: string, other: string): number {
	let length = 0;
	while (length < one.length && one[length] === other[length]) length++;
	return isPlain(one) && isPlain(other) ? length : 0;
}

/**
Writes the frames of the spoken screen to a terminal that has no control sequences. Nothing that was written can change,
so each line that has changed is written once more, and what you type follows the last one.
*/
export function plainFrames(columns: () => number): WriteFrame {
	let shown: readonly string[] = [];
	return {
		next(said, lines) {
			const last = lines.at(-1) ?? '';
			const changed = lines.slice(0, -1).filter(line => line.trim() !== '' && !shown.includes(line));
			const isOnlyTyped = said === '' && changed.length === 0 && shown.length > 0;
			const before = shown.at(-1) ?? '';
			const start = before === '' ? '' : '\r\n';
			shown = lines;
			if (isOnlyTyped) return typed(before, last);
			const texts = said === '' ? [] : wrap(said.replace(/\n$/, ''), columns());
			return `${start}${[...texts, ...changed, last].join('\r\n')}`;
		},
		forget() {},
		leave() {
			const isAtStart = (shown.at(-1) ?? '') === '';
			shown = [];
			return isAtStart ? '' : '\r\n';
		},
	};
}

/** The position of the cursor: how many rows above the last line, and how many cells from the left. */
export type SpokenCaret = {readonly up: number; readonly x: number};

/** Returns what changes the last line: letters, backspaces, or the line once more. */
function typed(before: string, line: string): string {
	if (line === before) return '';
	if (line.startsWith(before)) return line.slice(before.length);
	const isErased = before.startsWith(line) && isPlain(before);
	return isErased ? '\b \b'.repeat(before.length - line.length) : `${before === '' ? '' : '\r\n'}${line}`;
}

/** Returns the bytes with which a terminal shows a frame. */
type WriteFrame = {
	/** `said`: new texts above the frame. */
	readonly next: (said: string, lines: readonly string[], caret: SpokenCaret) => string;
	readonly forget: () => void;
	readonly leave: () => string;
};
