import type {Ground} from '../spans/theme.ts';
import type {Key, Reply} from './input/input.ts';
import {statusQuery} from './window/program-status.ts';

/**
A query that inkpod sends to the terminal once, after the first frame and after terminal.ts has set the modes. It asks
for the background (OSC 11), kitty's keyboard protocol (`CSI ? u`), the terminal's name (XTVERSION), program status (OSC
7501), and DA1. Every terminal answers DA1, so inkpod expects no other answer after it. Terminals ignore unknown
sequences.
*/
export const capabilityQuery = `\x1b]11;?\x1b\\\x1b[?u\x1b[>0q${statusQuery}\x1b[c`;

/**
The facts about the keys that this terminal can send. `unknown`: the terminal has not answered, or the answer depends on
the terminal's configuration.
*/
export type TerminalFacts = {readonly shiftEnter: 'yes' | 'no' | 'unknown'};

export type Capabilities = {
	/** Takes an answer of the terminal. */
	hearReply(reply: Reply): void;
	/** Takes a key of the user. A key that arrived proves that the terminal can send this key. */
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
			if (isAttributes(body) && shiftEnter === 'unknown' && !dependsOnSetup) shiftEnter = 'no';
		},
		hearKey({name, shift}) {
			if (name === 'enter' && shift) shiftEnter = 'yes';
		},
		facts: () => ({shiftEnter}),
	};
}

/** The bit in kitty's flags that means that Shift+Enter is reported differently from Enter. */
const disambiguates = 1;

/** Matches terminals without kitty's protocol that support xterm's modifyOtherKeys if they are configured so. */
const modifyingKeys = /^>\|(?:XTerm|tmux|mintty|WezTerm|iTerm2)\b/i;

/** Tells whether a reply is the last answer to `capabilityQuery`. */
export function isLastAnswer({kind, body}: Reply): boolean {
	return kind === 'csi' && isAttributes(body);
}

/** Tells whether this is the answer to DA1. */
function isAttributes(body: string): boolean {
	return /^\?[\d;]*c$/.test(body);
}

/** Returns the background of the terminal if the reply contains it, such as `11;rgb:1e1e/1e1e/2e2e`. */
export function groundOf({kind, body}: Reply): Ground | undefined {
	const found =
		kind === 'osc' ? /^11;rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})(?:\/|$)/i.exec(body) : null;
	if (found === null) return undefined;
	const part = (hex = '') => Math.round((Number.parseInt(hex, 16) / (16 ** hex.length - 1)) * 255);
	return {red: part(found[1]), green: part(found[2]), blue: part(found[3])};
}

/** Callbacks for the job control of the shell. */
export type JobNews = {
	/**
	Called when the process continues after an unexpected stop, such as SIGSTOP. The contents of the terminal may have
	changed.
	*/
	readonly onContinue: () => void;
	/** Called when the process should stop, for example after SIGTSTP. The callback then calls `stopGroup`. */
	readonly onStop: () => void;
};

/** Listens for job control signals until the returned function is called. */
export function watchJob({onContinue, onStop}: JobNews): () => void {
	process.on('SIGCONT', onContinue);
	process.on('SIGTSTP', onStop);
	return () => {
		process.off('SIGCONT', onContinue);
		process.off('SIGTSTP', onStop);
	};
}

/**
Stops the process group. Resolves when the group continues. The kernel does not stop an orphaned process group, because
no shell could continue it. In that case this resolves after a short wait.
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
Runs a program that shares the terminal and the process group. During this time, inkpod's listeners receive neither
signals from the keyboard nor resizes.
*/
export async function unheard(program: () => Promise<void>, stdout: NodeJS.EventEmitter): Promise<void> {
	const restore = [setAside(process, 'SIGINT'), setAside(process, 'SIGQUIT'), setAside(stdout, 'resize')];
	try {
		await program();
	} finally {
		for (const step of restore) step();
	}
}

/** The maximum number of milliseconds to wait for the stop. */
const stopWithin = 250;

/**
Removes the listeners of an event. The returned function restores them. A signal without listeners would end the
process, so an empty listener replaces them.
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
