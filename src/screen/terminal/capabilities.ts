import type {Ground} from '../spans/theme.ts';
import type {Key, Reply} from './input/input.ts';

/**
The query that asks a terminal once about its background (OSC 11), and about its keys: kitty's keyboard protocol
(`CSI ? u`), its name (XTVERSION), and DA1. Every terminal answers DA1, so that answer ends the wait for the other
answers. The query is sent after the first frame, when the screen and the modes of terminal.ts are set. Terminals ignore
unknown sequences.
*/
export const capabilityQuery = '\x1b]11;?\x1b\\\x1b[?u\x1b[>0q\x1b[c';

/**
The facts about which keys this terminal can send. `unknown`: the terminal has not answered, or it depends on how the
user configured the terminal.
*/
export type TerminalFacts = {readonly shiftEnter: 'yes' | 'no' | 'unknown'};

export type Capabilities = {
	/** Receives an answer of the terminal. */
	hearReply(reply: Reply): void;
	/** Receives a key of the user. A key that arrived shows that the terminal can send it. */
	hearKey(key: Key): void;
	facts(): TerminalFacts;
};

export function createCapabilities(): Capabilities {
	let shiftEnter: TerminalFacts['shiftEnter'] = 'unknown';
	let dependsOnSetup = false;
	return {
		hearReply({kind, body}) {
			if (kind === 'dcs' && modifyingKeys.test(body)) dependsOnSetup = true;
			if (kind !== 'csi') return;
			const kitty = /^\?(\d+)u$/.exec(body);
			if (kitty !== null && (Number(kitty[1]) & disambiguates) !== 0) shiftEnter = 'yes';
			if (/^\?[\d;]*c$/.test(body) && shiftEnter === 'unknown' && !dependsOnSetup) shiftEnter = 'no';
		},
		hearKey({name, shift}) {
			if (name === 'enter' && shift) shiftEnter = 'yes';
		},
		facts: () => ({shiftEnter}),
	};
}

/** The bit of kitty's flags that says that Shift+Enter differs from Enter. */
const disambiguates = 1;

/** The terminals that lack kitty's protocol but support xterm's modifyOtherKeys if the user allows it. */
const modifyingKeys = /^>\|(?:XTerm|tmux|mintty|WezTerm|iTerm2)\b/i;

/** Returns the background of the terminal if a reply names it: `11;rgb:1e1e/1e1e/2e2e`. */
export function groundOf({kind, body}: Reply): Ground | undefined {
	const found =
		kind === 'osc' ? /^11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})(?:\/|$)/i.exec(body) : null;
	if (found === null) return undefined;
	const part = (hex = '') => Math.round((Number.parseInt(hex, 16) / (16 ** hex.length - 1)) * 255);
	return {red: part(found[1]), green: part(found[2]), blue: part(found[3])};
}

/** What the shell and the keyboard do with this process. */
export type JobNews = {
	/**
	Called when the process continues after an unexpected stop, such as SIGSTOP. The contents of the terminal are
	unknown then.
	*/
	readonly onContinue: () => void;
	/** Called when the process should stop, as with Ctrl+Z in a shell. `stopGroup` stops it. */
	readonly onStop: () => void;
};

/** Listens until the returned function is called. */
export function watchJob({onContinue, onStop}: JobNews): () => void {
	process.on('SIGCONT', onContinue);
	process.on('SIGTSTP', onStop);
	return () => {
		process.off('SIGCONT', onContinue);
		process.off('SIGTSTP', onStop);
	};
}

/**
Stops the process group. Resolves when it continues. The kernel ignores the signal for an orphaned process group,
because no shell could continue it. The process then continues by itself.
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

/**
Runs a program that shares the terminal and process group. Meanwhile the listeners of inkpod receive neither signals
from the keyboard nor resizes.
*/
export async function unheard(program: () => Promise<void>, stdout: NodeJS.EventEmitter): Promise<void> {
	const restore = [setAside(process, 'SIGINT'), setAside(process, 'SIGQUIT'), setAside(stdout, 'resize')];
	try {
		await program();
	} finally {
		for (const step of restore) step();
	}
}

/** The number of milliseconds to wait. The time during which the process is stopped does not count. */
const stopWithin = 250;

/**
Removes the listeners of an event. The returned function restores them. A signal without listeners would end the
process, so one listener stays.
*/
function setAside(emitter: NodeJS.EventEmitter, event: string): () => void {
	const listeners = emitter.rawListeners(event) as Array<(...args: unknown[]) => void>;
	emitter.on(event, ignore);
	// The loop goes backwards because `off` removes the last match, which may be a `once` wrapper of the same listener.
	for (const listener of listeners.toReversed()) emitter.off(event, listener);
	return () => {
		for (const listener of listeners) emitter.on(event, listener);
		emitter.off(event, ignore);
	};
}

function ignore(): void {}
