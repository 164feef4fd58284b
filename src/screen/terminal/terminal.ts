import {writeSync} from 'node:fs';
import {capabilityQuery} from './capabilities.ts';
import {stopGroup, unheard, watchJob, type JobNews} from './capabilities.ts';
import {isPlainStdout} from './ink-stdout.ts';
import type {Reply} from './input/input.ts';
import {createStatusReports, type ProgramStatus} from './window/program-status.ts';

/**
The terminal modes that inkpod sets. Bracketed paste and focus reports are on. Automatic wrapping is off, so that a full
row never wraps into the next row. Key reports distinguish Shift+Enter from Enter in multiplexers (xterm's
modifyOtherKeys). Mouse reports are turned off first, because a killed process may have left them on. Terminals ignore
unknown modes.
*/
const mouseOff = '\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l';
export const enterModes = `${mouseOff}\x1b[?2004h\x1b[?1004h\x1b[?7l\x1b[>4;1m`;

/**
Restores the terminal's modes. These sequences do no harm if they are written twice, or if the modes were never set.
*/
export const leaveModes = `${mouseOff}\x1b[>4m\x1b[?7h\x1b[?1004l\x1b[?2004l`;

/**
Turns on reports of button presses, the wheel and drags (1002), with positions of any size (1006, SGR). Source: xterm's
ctlseqs.
*/
const enterMouse = '\x1b[?1002h\x1b[?1006h';
const leaveMouse = '\x1b[?1006l\x1b[?1002l';

/**
Turns on key reports of kitty's protocol: unambiguous keys (1), and alternate keys (4), which name the key of the
standard layout, so that chords work on a Cyrillic layout, too. A terminal ignores the flags that it does not know. The
main screen and the alternate screen have separate stacks of key modes, so the mode is set and reset on the alternate
screen. Source: sw.kovidgoyal.net/kitty/keyboard-protocol.
*/
const enterKeys = '\x1b[>5u';
const leaveKeys = '\x1b[<u';

/** The sequences for the shapes of the cursor (DECSCUSR), and the sequence for the user's own shape. */
const cursorShapes = {block: '\x1b[2 q', underline: '\x1b[4 q', bar: '\x1b[6 q'} as const;
const defaultCursor = '\x1b[0 q';
export type CursorShape = keyof typeof cursorShapes;

const enterAlternate = '\x1b[?1049h';
const leaveAlternate = '\x1b[?1049l';
const showCursor = '\x1b[?25h';

/** Restores the keys, the modes, the style and the cursor when the process ends unexpectedly. */
const restoreInline = `${leaveKeys}\x1b[?2026l\x1b[r\x1b[0m${leaveModes}${showCursor}`;

/**
Does the same as `restoreInline`, and also returns to the main screen. Not used inline, because without an alternate
screen the return would move the cursor.
*/
export const restoreAll = `${restoreInline}${leaveAlternate}`;

/** The terminal while inkpod uses it. A frame is a single write, so other writes never split a frame. */
export type HeldTerminal = {
	/**
	Shows a blank alternate screen. `leaveScreen` shows the main screen again. With `inline`, the main screen is used
	all the time.
	*/
	readonly enterScreen: () => void;
	readonly leaveScreen: () => void;
	/** Sets the modes again after another program has changed them. */
	readonly enter: () => void;
	/** Stops the process group, as Ctrl+Z does in a shell. Resolves when the group continues. */
	readonly suspend: () => Promise<void>;
	/** Lends the terminal to a program until it ends. Signals from the keyboard reach only that program. */
	readonly lend: (program: () => Promise<void>) => Promise<void>;
	/**
	Sets the window's title. The text must be sanitized. While another program uses the terminal, the window has its
	earlier title.
	*/
	readonly setTitle: (text: string) => void;
	/**
	Turns mouse reports on or off. After the terminal was lent to a program, the setting applies again. Without mouse
	reports, the terminal itself handles selection and scrolling.
	*/
	readonly setMouse: (on: boolean) => void;
	/**
	Sets the shape of the cursor. While another program uses the terminal, the cursor has the terminal's own shape.
	*/
	readonly setCursorShape: (shape: CursorShape) => void;
	/** Rings the bell, unless another program uses the terminal. */
	readonly ring: () => void;
	/** Writes a desktop notification, unless another program uses the terminal. */
	readonly notify: (bytes: string) => void;
	/**
	Reports the state of the program if the terminal takes such reports. While another program uses the terminal,
	nothing is reported.
	*/
	readonly report: (status: ProgramStatus) => void;
	/** Takes an answer of the terminal. The answer may show that the terminal takes reports. */
	readonly hearReply: (reply: Reply) => void;
	/** Sends `capabilityQuery`. `Capabilities` receives the answers. */
	readonly askCapabilities: () => void;
	/** Restores the terminal. */
	release(): void;
	/** Writes all sequences that restore a terminal, regardless of its current state. */
	readonly restore: () => void;
};

type HoldOptions = JobNews & {
	readonly onResize: () => void;
	readonly mouse?: boolean;
	/** Whether the alternate screen is not used. */ readonly inline?: boolean;
	/** Whether the terminal is known to show progress. */ readonly hasProgress?: boolean;
};

/** Sets the terminal's modes and handles job control. The terminal is restored no matter how the process ends. */
export function holdTerminal(
	stdin: NodeJS.EventEmitter,
	stdout: NodeJS.WriteStream,
	{onResize, onContinue, onStop, mouse = false, inline = false, hasProgress = false}: HoldOptions,
): HeldTerminal {
	const isPlain = isPlainStdout(stdout);
	const title = createTitle(text => stdout.write(text));
	const reports = createStatusReports(text => stdout.write(text), {hasProgress: hasProgress && !isPlain});
	const restoring = isPlain ? '' : inline ? restoreInline : restoreAll;
	const restoreAtExit = () => writeNow(1, restoring + ownShape() + title.last() + reports.last());
	let [onScreen, away, released] = [false, false, false];
	let hasMouse = mouse;
	let shape: CursorShape | undefined;
	const ownShape = () => (shape === undefined ? '' : defaultCursor);
	const enter = () => void stdout.write(enterModes + (hasMouse ? enterMouse : ''));
	const write = (bytes: string) => {
		if (!away && !released) stdout.write(bytes);
	};
	ignoreErrors([stdin, stdout]);
	process.on('exit', restoreAtExit);
	let unwatch = watchJob({onContinue, onStop});
	stdout.on('resize', onResize);
	unblock([stdout, process.stderr]);
	enter();

	async function giveAway(during: () => Promise<void>): Promise<void> {
		away = true;
		unwatch();
		title.hide();
		reports.hide();
		stdout.write(leaveModes + ownShape());
		await during();
		if (released) return;
		enter();
		if (shape !== undefined) stdout.write(cursorShapes[shape]);
		title.show();
		reports.show();
		unwatch = watchJob({onContinue, onStop});
		away = false;
	}

	return {
		enterScreen() {
			onScreen = true;
			stdout.write((inline ? '' : enterAlternate) + enterKeys);
		},
		leaveScreen() {
			if (onScreen) stdout.write(leaveKeys + (inline ? '' : leaveAlternate) + showCursor);
			onScreen = false;
		},
		enter,
		suspend: async () => giveAway(stopGroup),
		lend: async program => giveAway(async () => unheard(program, stdout)),
		setTitle: text => (away ? title.keep(text) : title.set(text)),
		setMouse(on) {
			hasMouse = on;
			write(on ? enterMouse : leaveMouse);
		},
		setCursorShape(wanted) {
			shape = wanted;
			write(cursorShapes[wanted]);
		},
		ring: () => write('\x07'),
		notify: write,
		report: reports.set,
		hearReply: reports.hearReply,
		askCapabilities: () => void stdout.write(capabilityQuery),
		restore: () => void stdout.write(restoring),
		release() {
			released = true;
			stdout.off('resize', onResize);
			unwatch();
			title.hide();
			reports.hide();
			stdout.write(leaveModes + ownShape());
			process.off('exit', restoreAtExit);
		},
	};
}

/**
Ignores the errors of the streams. If the terminal is closed, reads and writes fail, but SIGHUP already reports that.
*/
function ignoreErrors(streams: readonly NodeJS.EventEmitter[]): void {
	for (const stream of streams) if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore);
}

/**
Makes writes to the terminal non-blocking. By default, Node blocks while it writes to a terminal. If the terminal
stopped reading, inkpod could not handle keys, signals or other clients. With this change, unread output waits in the
stream. At exit the streams are set to block again, for the parent process.
*/
function unblock(streams: readonly Unblockable[]): void {
	const handles = streams.flatMap(({isTTY, _handle: handle}) =>
		isTTY !== true || handle === undefined || unblocked.has(handle) ? [] : [handle],
	);
	for (const handle of handles) {
		unblocked.add(handle);
		handle.setBlocking?.(false);
	}
	if (handles.length === 0) return;
	process.once('exit', () => {
		// If output is still waiting, the terminal may have stopped reading. The streams then stay non-blocking, so
		// that the last writes of other code do not hang.
		if (streams.every(({writableLength}) => writableLength === 0))
			for (const handle of handles) handle.setBlocking?.(true);
	});
}

type Unblockable = {
	readonly isTTY?: boolean;
	readonly writableLength?: number;
	readonly _handle?: {setBlocking?(on: boolean): void};
};

const unblocked = new WeakSet<object>();

function ignore(): void {}

/**
Writes synchronously, without buffers. Errors are ignored, because a closed terminal does not need to be restored.
*/
export function writeNow(fd: number, text: string): void {
	try {
		writeSync(fd, text);
	} catch {}
}

/**
Manages the window's title (xterm's OSC 2). The earlier title is saved on a stack in the terminal. If a terminal does
not have such a stack, its title is empty afterwards.
*/
function createTitle(write: (bytes: string) => void) {
	let wanted: string | undefined;
	let shown = false;
	const last = () => (shown ? '\x1b]2;\x1b\\\x1b[23;0t' : '');
	const set = (text: string) => {
		wanted = text;
		write(`${shown ? '' : '\x1b[22;0t'}\x1b]2;${text}\x1b\\`);
		shown = true;
	};
	return {
		set,
		last,
		keep(text: string) {
			wanted = text;
		},
		hide() {
			if (shown) write(last());
			shown = false;
		},
		show() {
			if (wanted !== undefined) set(wanted);
		},
	};
}
