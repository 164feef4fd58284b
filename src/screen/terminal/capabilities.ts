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
