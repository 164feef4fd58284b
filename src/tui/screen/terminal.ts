import {writeSync} from 'node:fs';

/**
The terminal modes that are ours beside Ink's: bracketed paste, no automatic wrap (a row as wide as the screen must not
break the next one), and key reports that tell Shift+Enter from Enter where the terminal can (kitty's protocol, and xterm's
modifyOtherKeys for multiplexers). Terminals ignore what they do not know.
*/
export const enterModes = '\x1b[?2004h\x1b[?7l\x1b[>1u\x1b[>4;1m';

/** The terminal as it was found. Safe to write twice, and when the modes were never entered. */
export const leaveModes = '\x1b[>4m\x1b[<u\x1b[?7h\x1b[?2004l';

/** What a process that ends without a word writes at last: main screen, cursor, wrap, no paste, no mouse. */
export const restoreAll = `\x1b[?2026l\x1b[r\x1b[0m${leaveModes}\x1b[?1000l\x1b[?1002l\x1b[?1006l\x1b[?1004l\x1b[?1049l\x1b[?25h`;

/** A terminal that is ours for a while. */
export type HeldTerminal = {
	/** Stops the process group, as the shell's own Ctrl+Z does, and comes back when it goes on. */
	readonly suspend: () => Promise<void>;
	/** Gives the terminal back as it was found. */
	release(): void;
};

/** Enters our modes and hears of the terminal's changes. However the process ends, the terminal is given back. */
export function holdTerminal(stdin: NodeJS.EventEmitter, stdout: NodeJS.WriteStream, {onResize, onContinue}: {readonly onResize: () => void; readonly onContinue: () => void}): HeldTerminal {
	const restoreAtExit = () => writeNow(1, restoreAll);
	// A terminal that is gone answers every read and write with an error; SIGHUP says what there is to say.
	for (const stream of [stdin, stdout]) stream.on('error', ignore);
	process.on('exit', restoreAtExit);
	process.on('SIGCONT', onContinue);
	stdout.on('resize', onResize);
	stdout.write(enterModes);
	return {
		async suspend() {
			process.off('SIGCONT', onContinue);
			stdout.write(leaveModes);
			const back = new Promise(resolve => process.once('SIGCONT', resolve));
			process.kill(0, 'SIGTSTP');
			await back;
			stdout.write(enterModes);
			process.on('SIGCONT', onContinue);
		},
		release() {
			stdout.off('resize', onResize);
			process.off('SIGCONT', onContinue);
			stdout.write(leaveModes);
			process.off('exit', restoreAtExit);
		},
	};
}

function ignore(): void {}

/** Writes at once, past every buffer. A terminal that is gone has nothing to restore. */
export function writeNow(fd: number, text: string): void {
	try {
		writeSync(fd, text);
	} catch {}
}
