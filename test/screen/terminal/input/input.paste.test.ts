import {describe, expect, it} from 'vitest';
import {terminal} from './terminal-input.ts';

describe('a paste without brackets', () => {
	it('counts as typing and sending when text and Enter are in one read', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('hello\r');
		pass(12);
		expect(take()).toBe('hello<enter>');
	});

	it('is sent when Enter follows the text at once', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('hello');
		pass(1);
		write('\r');
		expect(take()).toBe('hello');
		pass(12);
		expect(take()).toBe('<enter>');
	});

	it("does not delay a user's Enter", () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('o');
		pass(30);
		write('\r');
		expect(take()).toBe('o<enter>');
	});

	it('sends nothing when an Enter is within the text', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('one\rtwo\r');
		pass(99);
		expect(take()).toBe('');
		pass(1);
		expect(take()).toBe('paste:one\rtwo\r');
	});

	it('joins lines that come in reads close together', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('one\r');
		pass(5);
		write('two\r');
		pass(5);
		write('thr');
		pass(5);
		pass(80);
		write('ee\r');
		pass(100);
		expect(take()).toBe('paste:one\rtwo\rthree\r');
	});

	it('becomes a paste of the text and the Enter when the text is long', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write(`${'x'.repeat(500)}\r`);
		pass(100);
		expect(take()).toBe(`paste:${'x'.repeat(500)}<enter>`);
	});

	it('treats Ctrl+J within text as a newline key', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('one\ntwo\r');
		pass(12);
		expect(take()).toBe('one<ctrl+j>two<enter>');
	});

	it('leaves a held Enter or other keys among text as keys', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('\r\r\r');
		write('a\rb\x7f');
		write('one\r');
		write('\x1b[A');
		pass(50);
		expect(take()).toBe('<enter><enter><enter>a<enter>b<backspace>one<enter><up>');
	});

	it('continues after a mouse report between its reads', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('one\rtwo');
		write('\x1b[<35;1;1M');
		write('\rthree');
		pass(100);
		expect(take()).toBe('<move>paste:one\rtwo\rthree');
	});

	const log =
		'\x1b[32mINFO\x1b[0m started\r\x1b[33mWARN\x1b[0m \x1b]8;;http://x.y\x07slow\x1b]8;;\x07\r\x1b[1A\x1b[2Kdone\r';

	it('is one paste when it has colours and cursor moves, however it is split', () => {
		for (let at = 1; at < log.length; at++) {
			const {input, write, pass, heard} = terminal();
			input.start();
			write(log.slice(0, at));
			pass(at % 30);
			write(log.slice(at));
			pass(100);
			// A few bytes before the detection of the paste were delivered as keys.
			const pasted = heard.findIndex(said => said.startsWith('paste:'));
			expect([at, heard.slice(0, pasted), heard.length]).toEqual([
				at,
				pasted === 0 ? [] : [expect.stringMatching(/^\w|<escape>|<alt\+\[>$/), ...heard.slice(1, pasted)],
				pasted + 1,
			]);
			expect(heard.slice(0, pasted).join('')).not.toMatch(/<(?:enter|up|ctrl)/);
			expect(log.endsWith(heard[pasted]!.slice('paste:'.length))).toBe(true);
		}
	});

	it.each([
		['\x1b[31mone line\x1b[0m\r', 'paste:\x1b[31mone line\x1b[0m\r'],
		['one\rtwo\x1b[A\x1b[Bthree\r', 'paste:one\rtwo\x1b[A\x1b[Bthree\r'],
		['a\r\x07b\x08b\x0fc\r', 'paste:a\r\x07b\x08b\x0fc\r'],
		[`${'x'.repeat(128)}\x03\x1b[A\r`, `paste:${'x'.repeat(128)}\x03\x1b[A\r`],
		['if x:\r\x1bOAy\x1b(Bz\r', 'paste:if x:\r\x1bOAy\x1b(Bz\r'],
	])('is recognised: %j', (text, expected) => {
		const {input, write, pass, take} = terminal();
		input.start();
		write(text);
		pass(100);
		expect(take()).toBe(expected);
	});

	it.each([
		['\x1b[A\x1b[A\x1b[A', '<up><up><up>'],
		['\x1b[A\r', '<up><enter>'],
		['hello\x1b[Dx\r', 'hello<left>x<enter>'],
		['hello\r\x1b[A\r', 'hello<enter><up><enter>'],
		['teh\x7f\x7fhe cat\rnext\r', 'teh<backspace><backspace>he cat<enter>next<enter>'],
		['go\rwait\x03', 'go<enter>wait<ctrl+c>'],
		['\x1b[0m', ''],
	])('is not recognised in typing during a busy moment or from a program: %j', (text, expected) => {
		const {input, write, pass, take} = terminal();
		input.start();
		write(text);
		pass(100);
		expect(take()).toBe(expected);
	});

	it('is read up to 16 MB in bounded memory, and truncated', () => {
		const {input, write, pass, heard} = terminal();
		input.start();
		const piece = `${'abc'.repeat(21)}\r`.repeat(64);
		for (let index = 0; index < 4096; index++) write(piece);
		pass(100);
		expect(heard).toHaveLength(1);
		expect(heard[0]!.startsWith('paste cut:abc')).toBe(true);
		expect(heard[0]!.length).toBeLessThan(11 * 1024 * 1024);
	});
});
