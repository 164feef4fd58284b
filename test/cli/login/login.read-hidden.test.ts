import {PassThrough} from 'node:stream';
import {describe, expect, it} from 'vitest';
import {readHidden} from '../../../src/cli/login/login.ts';

/** A terminal that records its modes, and gets the pieces in order. */
async function typed(...pieces: readonly string[]) {
	const modes: boolean[] = [];
	let shown = '';
	const stdin = Object.assign(new PassThrough(), {isTTY: true, setRawMode: (isRaw: boolean) => modes.push(isRaw)});
	const read = readHidden('Key: ', stdin, {write: text => (shown += text)});
	for (const piece of pieces) stdin.write(piece);
	return {...(await read), modes, shown, left: stdin.listenerCount('data')};
}

describe('a hidden line', () => {
	it('is read without an echo, and the terminal is as before', async () => {
		expect(await typed('sk-', '123', '\r')).toEqual({
			text: 'sk-123',
			modes: [true, false],
			shown: 'Key: \n',
			left: 0,
		});
	});

	it.each([
		['Backspace', ['abd\x7fc\n'], 'abc'],
		['Ctrl+U', ['wrong\x15right\n'], 'right'],
		['Ctrl+D', ['abc\x04'], 'abc'],
		['a paste with its marks', ['\x1b[200~sk-1', '2\x1b[20', '1~\r'], 'sk-12'],
		['keys that type nothing', ['a\x1b[A\x1bOPb\x01\tc\r'], 'abc'],
		['a single Escape', ['a\x1b', 'b\r'], 'ab'],
	])('handles %s', async (_, pieces, text) => {
		expect(await typed(...pieces)).toMatchObject({text});
	});

	it('is given up with Ctrl+C', async () => {
		expect(await typed('abc\x03')).toMatchObject({stopped: true, modes: [true, false]});
	});

	it('does not grow beyond a limit', async () => {
		const read = await typed('x'.repeat(20_000), '\r');
		expect('text' in read && read.text.length).toBe(10_000);
	});
});
