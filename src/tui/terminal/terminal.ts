import {writeSync} from 'node:fs';
import {capabilityQuery} from './capabilities.ts';
import {createTitle} from './window-title.ts';

/**
The terminal modes that are ours: bracketed paste, no automatic wrap (a row as wide as the screen must not
break the next one), focus reports, and key reports that tell Shift+Enter from Enter for multiplexers (xterm's
modifyOtherKeys).
A mouse that a process before left on when it was killed is turned off first. Terminals ignore what they do not know.
*/
const mouseOff = '\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l';
export const enterModes = `${mouseOff}\x1b[?2004h\x1b[?1004h\x1b[?7l\x1b[>4;1m`;

/** The terminal as it was found. Safe to write twice, and when the modes were never entered. */
export const leaveModes = `${mouseOff}\x1b[>4m\x1b[?7h\x1b[?1004l\x1b[?2004l`;

/**
Reports of presses, the wheel, and motion while a button is held (1002), as numbers of any size (1006, SGR). Source:
xterm's ctlseqs.
*/
export const enterMouse = '\x1b[?1002h\x1b[?1006h';
export const leaveMouse = '\x1b[?1006l\x1b[?1002l';

/**
Key reports by kitty's protocol, which keeps a stack of them for each screen: entered and left while the alternate one
is shown.
Source: sw.kovidgoyal.net/kitty/keyboard-protocol.
*/
export const enterKeys = '\x1b[>1u';
export const leaveKeys = '\x1b[<u';

const enterAlternate = '\x1b[?1049h';
const leaveAlternate = '\x1b[?1049l';
const showCursor = '\x1b[?25h';

/** What a process that ends without a word writes at last: cursor, wrap, no paste, no mouse. */
export const restoreInline = `${leaveKeys}\x1b[?2026l\x1b[r\x1b[0m${leaveModes}${showCursor}`;

/** The same and the main screen, which takes the cursor elsewhere where no other screen was entered. */
export const restoreAll = `${restoreInline}${leaveAlternate}`;

/** A terminal that is ours for a while. A frame is one write, so what is written by itself is between two. */
export type HeldTerminal = {
	/**
	Shows the alternate screen, blank, and the one that was there before; `inline` it stays on the one that is there.
	*/
	readonly enterScreen: () => void;
	readonly leaveScreen: () => void;
	/** Enters our modes once more, for a terminal that another had unasked. */
	readonly enter: () => void;
	/** Stops the process group, as the shell's own Ctrl+Z does, and comes back when it continues. */
	readonly suspend: () => Promise<void>;
	/**
	Gives the terminal to a program until it has ended. The signals of the keyboard are the program's: here they do
	nothing.
	*/
	readonly lend: (program: () => Promise<void>) => Promise<void>;
	/** Names the window; the text is inert. Whoever has the terminal meanwhile finds the name that was there before. */
	readonly setTitle: (text: string) => void;
	/**
	Whether the mouse is reported here, from now on or, while the terminal is given away, from then on. Where it is not,
	the terminal selects and scrolls by itself.
	*/
	readonly setMouse: (on: boolean) => void;
	/** Rings the bell, unless the terminal is given away. */
	readonly ring: () => void;
	/** Asks what the keys of the terminal can say; `Capabilities` hears the answers. */
	readonly askCapabilities: () => void;
	/** Gives the terminal back as it was found. */
	release(): void;
	/** Writes all that a terminal needs to be usable again, whatever state it is in. */
	readonly restore: () => void;
};

export type TerminalNews = {
	readonly onResize: () => void;
	/** The process went on after it was stopped unasked, as by SIGSTOP: what is on the terminal now is unknown. */
	readonly onContinue: () => void;
	/** Somebody asks the process to stop, as a shell's Ctrl+Z does: `suspend` does it. */
	readonly onStop: () => void;
};

export type HoldOptions = TerminalNews & {
	readonly mouse?: boolean;
	/** The alternate screen is not used. */ readonly inline?: boolean;
};

/** Enters our modes and hears of the terminal's changes. However the process ends, the terminal is given back. */
export function holdTerminal(
	stdin: NodeJS.EventEmitter,
	stdout: NodeJS.WriteStream,
	{onResize, onContinue, onStop, mouse = false, inline = false}: HoldOptions,
): HeldTerminal {
	const title = createTitle(text => stdout.write(text));
	const restoring = inline ? restoreInline : restoreAll;
	const restoreAtExit = () => writeNow(1, restoring + title.last());
	let onScreen = false;
	let away = false;
	let released = false;
	let hasMouse = mouse;
	const enter = () => void stdout.write(enterModes + (hasMouse ? enterMouse : ''));
	// A terminal that is gone answers every read and write with an error; SIGHUP says what there is to say.
	for (const stream of [stdin, stdout]) if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore);
	process.on('exit', restoreAtExit);
	process.on('SIGCONT', onContinue);
	process.on('SIGTSTP', onStop);
	stdout.on('resize', onResize);
	unblock([stdout, process.stderr]);
	enter();

	async function giveAway(during: () => Promise<void>): Promise<void> {
		away = true;
		process.off('SIGCONT', onContinue);
		process.off('SIGTSTP', onStop);
		title.hide();
		stdout.write(leaveModes);
		await during();
		if (released) return;
		enter();
		title.show();
		process.on('SIGCONT', onContinue);
		process.on('SIGTSTP', onStop);
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
			if (!away && !released) stdout.write(on ? enterMouse : leaveMouse);
		},
		ring() {
			if (!away) stdout.write('\x07');
		},
		askCapabilities: () => void stdout.write(capabilityQuery),
		restore: () => void stdout.write(restoring),
		release() {
			released = true;
			stdout.off('resize', onResize);
			process.off('SIGCONT', onContinue);
			process.off('SIGTSTP', onStop);
			title.hide();
			stdout.write(leaveModes);
			process.off('exit', restoreAtExit);
		},
	};
}

/**
Node writes to a terminal as long as that takes, and does nothing else meanwhile: where nobody reads, no key, no signal
and no other client would be heard. Here what the terminal does not take waits in the stream. The process behind us
finds it as it was.
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
		// What others still write at the end must not wait for a terminal that does not read.
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

/**
Stops the process group, and comes back when it continues. The kernel drops the signal where no shell could bring the
program back (an orphaned process group, as in a window of its own): then nothing continues it, and it goes on by
itself.
*/
export async function stopGroup(): Promise<void> {
	const {promise: back, resolve} = Promise.withResolvers<void>();
	process.once('SIGCONT', resolve);
	process.kill(0, 'SIGTSTP');
	const unstopped = setTimeout(resolve, stopWithin);
	await back;
	clearTimeout(unstopped);
	process.off('SIGCONT', resolve);
}

/** Milliseconds; a process that is stopped counts none before it is continued. */
const stopWithin = 250;

/**
Runs a program that shares our terminal and process group: who listens here to its keys' signals and to its resizes
hears of none.
*/
async function unheard(program: () => Promise<void>, stdout: NodeJS.EventEmitter): Promise<void> {
	const restore = [setAside(process, 'SIGINT'), setAside(process, 'SIGQUIT'), setAside(stdout, 'resize')];
	try {
		await program();
	} finally {
		for (const step of restore) step();
	}
}

/**
Takes an event's listeners away, and answers how to put them back. A signal that nobody listens to would end the
process.
*/
function setAside(emitter: NodeJS.EventEmitter, event: string): () => void {
	const listeners = emitter.rawListeners(event) as Array<(...args: unknown[]) => void>;
	emitter.on(event, ignore);
	// From the last to the first: `off` takes the last one that is this, or is this wrapped to be called once.
	for (const listener of listeners.toReversed()) emitter.off(event, listener);
	return () => {
		for (const listener of listeners) emitter.on(event, listener);
		emitter.off(event, ignore);
	};
}

function ignore(): void {}

/** Writes at once, past every buffer. A terminal that is gone has nothing to restore. */
export function writeNow(fd: number, text: string): void {
	try {
		writeSync(fd, text);
	} catch {}
}
