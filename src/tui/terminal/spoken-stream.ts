import {isPlain} from '../text/width.ts';
import {wrap} from '../text/wrap.ts';
import {createInkStdout} from './ink-stdout.ts';

export type SpokenStreamOptions = {
	readonly columns: () => number;
	readonly rows: () => number;
	readonly write: (bytes: string) => void;
};

/** Where the cursor belongs: rows above the last line, cells from the left. */
export type SpokenCaret = {readonly up: number; readonly x: number};

export type SpokenStream = {
	/** What Ink writes to in its screen reader's mode. */
	readonly stdout: NodeJS.WriteStream;
	/** Writes what changed, and puts the cursor in its place. */
	readonly flush: (caret: SpokenCaret) => void;
	/** The next frame is written whole. */
	readonly forget: () => void;
	/** Takes the frame away. What was said stays. */
	readonly leave: () => void;
};

/** The stream of a terminal. */
export function createSpokenStreamOn(stdout: NodeJS.WriteStream): SpokenStream {
	return createSpokenStream({
		columns: () => stdout.columns || 80,
		rows: () => stdout.rows || 24,
		write: bytes => void stdout.write(bytes),
	});
}

/**
A stdout for Ink's screen reader's mode. There Ink erases its frame and writes it anew at every change; a screen reader
would say all of it again. This writes what changed: what is said once (Ink's `Static`) above the frame, and of the
frame the changed lines from the first changed character on. Ink's own moves of the cursor are left out.
*/
export function createSpokenStream({columns, rows, write}: SpokenStreamOptions): SpokenStream {
	let next: readonly string[] = [''];
	let said = '';
	let held: string | undefined;
	let screen: Screen = empty;

	/** Of two texts in a row the first is said once; a text before a control is the frame, which is never empty. */
	function take(chunk: string): void {
		const isControl = chunk === '' || chunk.startsWith('\x1b');
		if (held !== undefined && isControl) next = held.split('\n');
		else if (held !== undefined) said += held;
		held = isControl ? undefined : chunk;
	}

	return {
		stdout: createInkStdout({columns, rows, write: take}),
		flush(caret) {
			take('');
			const lines = next.slice(-Math.max(1, rows() - 1));
			const change = said === '' ? changeLines(screen, lines) : sayAbove(screen, wrap(said, columns()), lines);
			const end = moveTo(change.screen, Math.max(0, lines.length - 1 - caret.up), caret.x);
			said = '';
			screen = end.screen;
			if (change.bytes + end.bytes !== '') write(change.bytes + end.bytes);
		},
		forget() {
			screen = {...screen, lines: screen.lines.map(() => undefined)};
		},
		leave() {
			write(`${moveTo(screen, 0, 0).bytes}\x1b[J`);
			screen = empty;
		},
	};
}

/** The lines of the frame as the terminal shows them (undefined: not known), and where the cursor is. */
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
		bytes += `${move.bytes}${text.slice(same)}${old !== undefined && text.startsWith(old) ? '' : '\x1b[K'}`;
		screen = {lines: move.screen.lines.with(line, text), line, x: isPlain(text) ? text.length : unknown};
	}
	if (screen.lines.length <= lines.length) return {screen, bytes};
	const move = moveTo(screen, lines.length, 0);
	return {screen: {...move.screen, lines: lines.slice()}, bytes: `${bytes}${move.bytes}\x1b[J`};
}

const unknown = -1;

/** Moves the cursor to a line, which is made where there is none, and a cell. */
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

/** How much two lines have in common at their beginning, where a character is a cell. */
function samePrefix(one: string, other: string): number {
	let length = 0;
	while (length < one.length && one[length] === other[length]) length++;
	return isPlain(one) && isPlain(other) ? length : 0;
}
