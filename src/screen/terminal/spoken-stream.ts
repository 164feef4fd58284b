import {inAscii, type GlyphSet} from '../spans/glyphs.ts';
import {isPlain} from '../../text/width.ts';
import {wrap} from '../../text/wrap.ts';
import {createInkStdout} from './ink-stdout.ts';
import {isPlainStdout} from './ink-stdout.ts';

type SpokenStreamOptions = {
	readonly columns: () => number;
	readonly rows: () => number;
	readonly write: (bytes: string) => void;
	/** The signs that the terminal's font supports. Other signs are replaced with substitutes of the same width. */
	readonly glyphs?: GlyphSet;
	/** The way to write frames. By default, changed lines are overwritten in place. */
	readonly frames?: WriteFrame;
};

export type SpokenStream = {
	/** The stream to which Ink writes in its screen reader mode. */
	readonly stdout: NodeJS.WriteStream;
	/** Writes the changes and moves the cursor to the given position. */
	readonly flush: (caret: SpokenCaret) => void;
	/** Forgets the contents of the terminal, so that the next frame is written as a whole. */
	readonly forget: () => void;
	/** Erases the frame. The texts above the frame stay. */
	readonly leave: () => void;
};

/** Creates the stream that writes to this terminal. */
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
Creates a stdout for Ink's screen reader mode. Ink erases and rewrites its frame at every change, so a screen reader
would read everything again. This stream writes only changes. Ink's `Static` texts are written above the frame. A
changed line of the frame is written from the first changed character on. Ink's own cursor moves are ignored.
*/
export function createSpokenStream(options: SpokenStreamOptions): SpokenStream {
	const {columns, rows, write, glyphs, frames = changedFrames(columns)} = options;
	let next: readonly string[] = [''];
	let said = '';
	let held: string | undefined;

	/**
	Takes a write of Ink. If two texts follow each other, the first one is a `Static` text. A text before a control
	sequence is the frame, which is never empty.
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

/** Returns the default way to write frames: changed lines are overwritten in place. */
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
		// After a text that fills the line, the cursor is on the last character. Erasing the rest of the line would
		// erase this character.
		const erase = old !== undefined && text.startsWith(old) ? '' : '\x1b[K';
		bytes += `${move.bytes}${erase}${text.slice(same)}`;
		screen = {lines: move.screen.lines.with(line, text), line, x: isPlain(text) ? text.length : unknown};
	}
	if (screen.lines.length <= lines.length) return {screen, bytes};
	const move = moveTo(screen, lines.length, 0);
	return {screen: {...move.screen, lines: lines.slice()}, bytes: `${bytes}${move.bytes}\x1b[J`};
}

const unknown = -1;

/** Moves the cursor to a cell of a line. Missing lines are added. */
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

/**
Returns the length of the common beginning of two lines. Returns 0 if a line contains characters that are not exactly
one cell wide.
*/
function samePrefix(one: string, other: string): number {
	let length = 0;
	while (length < one.length && one[length] === other[length]) length++;
	return isPlain(one) && isPlain(other) ? length : 0;
}

/**
Writes the frames for a screen reader to a terminal without control sequences. Such a terminal cannot change text that
was written. So each changed line is written again below, and typed characters are appended to the last line.
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

/**
The position of the cursor. `up` is the number of rows above the last line. `x` is the number of cells from the left.
*/
export type SpokenCaret = {readonly up: number; readonly x: number};

/** Returns the bytes that change the last line: added letters, erased letters, or the whole line on a new row. */
function typed(before: string, line: string): string {
	if (line === before) return '';
	if (line.startsWith(before)) return line.slice(before.length);
	const isErased = before.startsWith(line) && isPlain(before);
	return isErased ? '\b \b'.repeat(before.length - line.length) : `${before === '' ? '' : '\r\n'}${line}`;
}

/** The functions that return the bytes for a frame. */
type WriteFrame = {
	/** `said` is the new text above the frame. */
	readonly next: (said: string, lines: readonly string[], caret: SpokenCaret) => string;
	readonly forget: () => void;
	readonly leave: () => string;
};
