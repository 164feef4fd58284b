import {describe, expect, it} from 'vitest';
import {createCapabilities, groundOf} from '../../../src/screen/terminal/capabilities.ts';
import {decode} from '../../../src/screen/terminal/input/keys/key-names.ts';
import {createTokenizer} from '../../../src/screen/terminal/input/tokens.ts';

/** Returns the known facts after these bytes of a terminal. */
function known(bytes: string): string {
	const capabilities = createCapabilities();
	for (const input of createTokenizer().push(Buffer.from(bytes)).flatMap(decode)) {
		if (input.type === 'reply') capabilities.hearReply(input.reply);
		if (input.type === 'key') capabilities.hearKey(input.key);
	}
	return capabilities.facts().shiftEnter;
}

describe('Shift+Enter', () => {
	it.each([
		['no answer at all', '', 'unknown'],
		["kitty's protocol, on", '\x1b[?1u', 'yes'],
		["kitty's protocol, on, and the rest", '\x1b[?1u\x1bP>|kitty(0.32.2)\x1b\\\x1b[?62;c', 'yes'],
		["kitty's protocol with more flags", '\x1b[?31u\x1b[?62c', 'yes'],
		["kitty's protocol that stayed off", '\x1b[?0u\x1b[?62c', 'no'],
		['attributes alone', '\x1b[?1;2c', 'no'],
		['a name and attributes', '\x1bP>|VTE(7600)\x1b\\\x1b[?61;1c', 'no'],
		['xterm, whose setup decides', '\x1bP>|XTerm(390)\x1b\\\x1b[?64;1c', 'unknown'],
		['tmux, whose setup decides', '\x1bP>|tmux 3.4\x1b\\\x1b[?1;2;4c', 'unknown'],
		['attributes, and then the key itself', '\x1b[?1;2c\x1b[27;2;13~', 'yes'],
		["the key by kitty's protocol", '\x1b[13;2u', 'yes'],
		['Enter and shifted letters only', '\rA\x1b[1;2A', 'unknown'],
		['secondary attributes, a cursor report, colours', '\x1b[>1;10;0c\x1b[24;80R\x1b]11;rgb:1/2/3\x07', 'unknown'],
	])('is known for a terminal that sends %s', (_name, bytes, expected) => {
		expect(known(bytes)).toBe(expected);
	});
});

describe('the background', () => {
	it.each([
		['11;rgb:1e1e/1e1e/2e2e', {red: 30, green: 30, blue: 46}],
		['11;rgb:ff/ff/ff', {red: 255, green: 255, blue: 255}],
		['11;rgba:0000/8000/ffff/ffff', {red: 0, green: 128, blue: 255}],
		['11;?', undefined],
		['10;rgb:ff/ff/ff', undefined],
		['11;rgb:ff/ff/ff; and more', undefined],
	])('is read from the reply %s', (body, ground) => {
		expect(groundOf({kind: 'osc', body})).toEqual(ground);
		expect(groundOf({kind: 'dcs', body})).toBeUndefined();
	});
});
