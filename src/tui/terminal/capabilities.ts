import type {Key, Reply} from './input/input.ts';

/**
This query asks a terminal once about its keys: kitty's keyboard protocol (`CSI ? u`), its name (XTVERSION), and DA1.
Every terminal answers DA1, so its answer ends the wait for the others. The query follows the first frame, when the
screen and the modes of terminal.ts are set. Terminals ignore unknown sequences.
*/
export const capabilityQuery = '\x1b[?u\x1b[>0q\x1b[c';

/** These facts say what this terminal can send. `unknown`: it has not answered, or its setup decides. */
export type TerminalFacts = {readonly shiftEnter: 'yes' | 'no' | 'unknown'};

export type Capabilities = {
	/** Takes in an answer of the terminal. */
	hearReply(reply: Reply): void;
	/** Takes in a key of the user, since a key that arrived can be sent. */
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

/** This bit of kitty's flags means that Shift+Enter differs from Enter. */
const disambiguates = 1;

/** These terminals lack kitty's protocol, but support xterm's modifyOtherKeys if the user allows it. */
const modifyingKeys = /^>\|(?:XTerm|tmux|mintty|WezTerm|iTerm2)\b/i;
