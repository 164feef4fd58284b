import type {Key, Reply} from './input/input.ts';

/**
Asks a terminal once what its keys can say: whether kitty's keyboard protocol is on (`CSI ? u`), its name (XTVERSION),
and then what every terminal answers (DA1), so that by then the others have been answered or never will be. To be
written when the alternate screen and the modes of terminal.ts stand, after the first frame; a terminal ignores what it
does not know.
*/
export const capabilityQuery = '\x1b[?u\x1b[>0q\x1b[c';

/** What this terminal can send. `unknown`: it has not answered, or it depends on how it was set up. */
export type TerminalFacts = {readonly shiftEnter: 'yes' | 'no' | 'unknown'};

export type Capabilities = {
	/** Hears what the terminal answered, whoever asked. */
	hearReply(reply: Reply): void;
	/** Hears the user's keys: what was seen can be sent. */
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

/** The bit of kitty's flags that tells Shift+Enter from Enter. */
const disambiguates = 1;

/** Names of terminals without kitty's protocol that know xterm's modifyOtherKeys, where the user lets them. */
const modifyingKeys = /^>\|(?:XTerm|tmux|mintty|WezTerm|iTerm2)\b/i;
