import {EventEmitter} from 'node:events';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {createInput} from '../../../../src/tui/terminal/input/input.ts';

const long = process.env['INKPOD_TEST'] === 'long';

/** A terminal's input whose time is moved by hand. */
function terminal() {
	const stream = Object.assign(new EventEmitter(), {
		isTTY: true,
		raw: [] as boolean[],
		flowing: false,
		setRawMode(raw: boolean) {
			stream.raw.push(raw);
		},
		resume() {
			stream.flowing = true;
		},
		pause() {
			stream.flowing = false;
		},
	});
	let now = 0;
	let timers: Array<{at: number; callback: () => void}> = [];
	let timersMade = 0;
	const heard: string[] = [];
	const input = createInput(
		stream,
		{
			onKey: key => heard.push(key.text ?? `<${key.ctrl ? 'ctrl+' : ''}${key.alt ? 'alt+' : ''}${key.name}>`),
			onPaste: (text, cut) => heard.push(`paste${cut ? ' cut' : ''}:${text}`),
			onMouse: mouse => heard.push(`<${mouse.kind}>`),
			onFocus: focused => heard.push(focused ? '<focus>' : '<blur>'),
			onEnd: () => heard.push('<end>'),
			onReply: reply => heard.push(`reply:${reply.body}`),
		},
		{
			now: () => now,
			after(ms, callback) {
				const timer = {at: now + ms, callback};
				timers.push(timer);
				timersMade++;
				return () => {
					timers = timers.filter(other => other !== timer);
				};
			},
		},
	);
	return {
		stream,
		input,
		heard,
		write: (text: string) => stream.emit('data', Buffer.from(text)),
		writeBytes: (bytes: Uint8Array) => stream.emit('data', bytes),
		pass: (ms: number) => {
			now += ms;
			for (const timer of timers.filter(timer => timer.at <= now)) {
				timers = timers.filter(other => other !== timer);
				timer.callback();
			}
		},
		timers: () => timers.length,
		timersMade: () => timersMade,
		take: () => heard.splice(0).join(''),
	};
}

describe('reading a terminal', () => {
	test('started and stopped, is raw and listens, then is given back with no timer left', () => {
		const {stream, input, write, timers, take} = terminal();
		input.start();
		input.start();
		expect(stream).toMatchObject({raw: [true], flowing: true});
		write('a\x1b');
		expect(timers()).toBe(1);
		input.stop();
		input.stop();
		expect(stream).toMatchObject({raw: [true, false], flowing: false});
		expect([timers(), stream.listenerCount('data'), take()]).toEqual([0, 0, 'a']);
		input.start();
		write('[A');
		expect(take()).toBe('[A');
	});

	test('whose modes another has set meanwhile, is made raw anew and loses nothing: a half sequence, half a paste, words with their Enter', () => {
		const {stream, input, write, pass, take} = terminal();
		input.renew();
		expect(stream.raw).toEqual([]);
		input.start();
		for (const [before, behind, heard] of [
			['\x1b', '[A', '<up>'],
			['\x1b[200~one\rt', 'wo\r\x1b[201~', 'paste:one\ntwo\n'],
			['hello\r', '', 'hello<enter>'],
		] as const) {
			write(before);
			stream.raw = [];
			input.renew();
			expect(stream).toMatchObject({raw: [false, true], flowing: true});
			write(behind);
			pass(1000);
			expect(take()).toBe(heard);
		}
	});

	test('a lone ESC, is Escape after a while; with the rest in time, it is the sequence', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('\x1b');
		pass(19);
		expect(take()).toBe('');
		pass(1);
		expect(take()).toBe('<escape>');
		write('\x1b');
		pass(10);
		write('[A');
		expect(take()).toBe('<up>');
	});

	test('a report on a slow line, types nothing; what is typed after Escape is typed', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		for (const byte of '\x1b[?62;22c') {
			write(byte);
			pass(100);
		}
		expect(take()).toBe('<escape>reply:?62;22c');
		for (const byte of '\x1b[1] P') {
			write(byte);
			pass(200);
		}
		expect(take()).toBe('<escape>[1] P');
	});

	test('a paste without an end, ends after a while and the keyboard lives on', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('\x1b[200~abc');
		pass(1999);
		write('def');
		pass(1999);
		expect(take()).toBe('');
		pass(1);
		expect(take()).toBe('paste:abcdef');
		write('x\x1b[201~y');
		expect(take()).toBe('xy');
	});

	test.for([
		['in its marks', '\x1b[200~', '\x1b[201~'],
		['without marks', '', ''],
	] as const)('a paste of 1 MB %s, costs a timer and not one a read', ([, before, after]) => {
		const {input, write, pass, timers, timersMade, heard} = terminal();
		input.start();
		write(before);
		for (let read = 0; read < 256; read++) write(`${'x'.repeat(4095)}\r`);
		write(after);
		pass(100);
		expect(heard).toHaveLength(1);
		expect(timersMade()).toBeLessThanOrEqual(2);
		pass(2000);
		expect(timers()).toBe(0);
	});

	test('a reply without an end, is dropped after a while', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('\x1b]11;rgb:1e1e');
		pass(500);
		write('x');
		expect(take()).toBe('x');
	});

	test('text typed behind a reply that never ends, is heard again in the end', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('\x1b]11;rgb:');
		for (let count = 0; count < 30; count++) {
			pass(100);
			write('x');
		}
		expect(take()).toMatch(/^x{9,}$/);
	});

	test('a terminal that goes away, is told', () => {
		const {input, stream, take} = terminal();
		input.start();
		stream.emit('error', new Error('EIO'));
		expect(take()).toBe('<end>');
	});

	test('mouse, focus and replies among keys, come in order', () => {
		const {input, write, take} = terminal();
		input.start();
		write('a\x1b[Ib\x1b[<64;1;1M\x1b[?62cc\x1b[A\x1b[O');
		expect(take()).toContain('<focus>');
		write('\x1b[Ax\x1b[B');
		expect(take()).toContain('<up>x<down>');
	});
});

describe('a paste without brackets', () => {
	test('text and Enter in one read, is typed and submitted', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('hello\r');
		pass(12);
		expect(take()).toBe('hello<enter>');
	});

	test('text, then Enter at once, is submitted', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('hello');
		pass(1);
		write('\r');
		expect(take()).toBe('hello');
		pass(12);
		expect(take()).toBe('<enter>');
	});

	test("a person's Enter, is heard at once", () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('o');
		pass(30);
		write('\r');
		expect(take()).toBe('o<enter>');
	});

	test('an Enter amid text, makes a paste that submits nothing', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('one\rtwo\r');
		pass(99);
		expect(take()).toBe('');
		pass(1);
		expect(take()).toBe('paste:one\rtwo\r');
	});

	test('lines that come in reads close together, make one paste', () => {
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

	test('a long text and an Enter, is a paste of the text and the Enter', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write(`${'x'.repeat(500)}\r`);
		pass(100);
		expect(take()).toBe(`paste:${'x'.repeat(500)}<enter>`);
	});

	test('Ctrl+J amid text, is a newline key as any other', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('one\ntwo\r');
		pass(12);
		expect(take()).toBe('one<ctrl+j>two<enter>');
	});

	test('Enter held down or other keys among text, stay keys', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('\r\r\r');
		write('a\rb\x7f');
		write('one\r');
		write('\x1b[A');
		pass(50);
		expect(take()).toBe('<enter><enter><enter>a<enter>b<backspace>one<enter><up>');
	});

	test('a mouse report amid its reads, does not end it', () => {
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

	test('with colours and cursor moves in it, is one paste of its bytes, however it is cut', () => {
		for (let at = 1; at < log.length; at++) {
			const {input, write, pass, heard} = terminal();
			input.start();
			write(log.slice(0, at));
			pass(at % 30);
			write(log.slice(at));
			pass(100);
			// The little that came before anything told that it is a paste was typed.
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

	test.each([
		['\x1b[31mone line\x1b[0m\r', 'paste:\x1b[31mone line\x1b[0m\r'],
		['one\rtwo\x1b[A\x1b[Bthree\r', 'paste:one\rtwo\x1b[A\x1b[Bthree\r'],
		['a\r\x07b\x08b\x0fc\r', 'paste:a\r\x07b\x08b\x0fc\r'],
		[`${'x'.repeat(128)}\x03\x1b[A\r`, `paste:${'x'.repeat(128)}\x03\x1b[A\r`],
		['if x:\r\x1bOAy\x1b(Bz\r', 'paste:if x:\r\x1bOAy\x1b(Bz\r'],
	])('%j, is a paste', (text, expected) => {
		const {input, write, pass, take} = terminal();
		input.start();
		write(text);
		pass(100);
		expect(take()).toBe(expected);
	});

	test.each([
		['\x1b[A\x1b[A\x1b[A', '<up><up><up>'],
		['\x1b[A\r', '<up><enter>'],
		['hello\x1b[Dx\r', 'hello<left>x<enter>'],
		['hello\r\x1b[A\r', 'hello<enter><up><enter>'],
		['teh\x7f\x7fhe cat\rnext\r', 'teh<backspace><backspace>he cat<enter>next<enter>'],
		['go\rwait\x03', 'go<enter>wait<ctrl+c>'],
		['\x1b[0m', ''],
	])('%j, is keys: typed while the program was busy, or written by one', (text, expected) => {
		const {input, write, pass, take} = terminal();
		input.start();
		write(text);
		pass(100);
		expect(take()).toBe(expected);
	});

	test('16 MB of it, is taken in bounded memory and cut', () => {
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

describe('any input', () => {
	const pieces = fc.oneof(
		{weight: 4, arbitrary: fc.constantFrom('a', 'word', ' ', 'é', '日本', '👩‍👩‍👧', 'x'.repeat(140), '[', '1;2', '~')},
		{weight: 2, arbitrary: fc.constantFrom('\r', '\n', '\t')},
		{
			weight: 1,
			arbitrary: fc.constantFrom(
				'\x1b[<35;3;4M',
				'\x1b]11;rgb:1/2/3\x1b\\',
				'\x1b[?62;22c',
				'\x1bP>|term 1\x1b\\',
				'\x1b[24;80R',
				'\x1b[?1u',
			),
		},
	);
	const cuts = fc.array(fc.tuple(fc.nat(40), fc.constantFrom(0, 1, 5, 11)), {maxLength: 60});

	test('of text and reports cut anywhere, gives all text once and in order, and no report as text', () => {
		fc.assert(
			fc.property(fc.array(pieces, {maxLength: 30}), cuts, (parts, sizes) => {
				const {input, writeBytes, pass, heard} = terminal();
				input.start();
				const bytes = Buffer.from(parts.join(''));
				let at = 0;
				for (const [size, ms] of sizes) {
					writeBytes(bytes.subarray(at, at + size));
					at = Math.min(bytes.length, at + size);
					pass(ms);
				}
				writeBytes(bytes.subarray(at));
				pass(3000);
				const text = heard
					.filter(said => !/^(?:reply:|<(?:move|focus|blur)>)/.test(said))
					.map(said =>
						said
							.replace(/^paste:/, '')
							.replace('<enter>', '\r')
							.replace('<ctrl+j>', '\n')
							.replace('<tab>', '\t'),
					)
					.join('');
				expect(text).toBe(parts.filter(part => !part.startsWith('\x1b')).join(''));
			}),
			{numRuns: long ? 20_000 : 400, seed: 21},
		);
	});

	test('of arbitrary bytes, throws nothing and the keyboard lives on', () => {
		const bytes = fc.oneof(
			fc.uint8Array({maxLength: 40}),
			fc
				.array(
					fc.constantFrom(0x1b, 0x5b, 0x4f, 0x5d, 0x50, 0x3b, 0x31, 0x7e, 0x4d, 0x3c, 0x0d, 0x07, 0xe6, 0x97),
					{maxLength: 30},
				)
				.map(codes => Uint8Array.from(codes)),
		);
		fc.assert(
			fc.property(fc.array(fc.tuple(bytes, fc.constantFrom(0, 15, 60, 600)), {maxLength: 12}), reads => {
				const {input, writeBytes, pass, timers, take} = terminal();
				input.start();
				for (const [each, ms] of reads) {
					writeBytes(each);
					pass(ms);
				}
				for (let turn = 0; turn < 5; turn++) pass(3000);
				expect(timers()).toBe(0);
				take();
				writeBytes(Buffer.from('q'));
				pass(3000);
				expect(take()).toMatch(/^(?:<alt\+\uFFFD>)?\uFFFD*q$/);
			}),
			{numRuns: long ? 20_000 : 400, seed: 22},
		);
	});
});
