import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {decode} from '../../../../src/screen/terminal/input/keys/key-names.ts';
import type {Input} from '../../../../src/screen/terminal/input/keys/key-names.ts';
import {createTokenizer} from '../../../../src/screen/terminal/input/tokens.ts';
import {cpuTime} from '../../../helpers/cpu-time.ts';
import {describeInput} from './terminal-input.ts';

const long = process.env['INKPOD_TEST'] === 'long';

/** Complete sequences. None of them has another meaning when it is cut. */
const corpus = [
	'hello',
	'\r',
	'\n',
	'\t',
	'\x7f',
	'\x03',
	'\x00',
	'\x1f',
	'é',
	'日本語',
	'👩‍👩‍👧',
	'🇩🇪',
	'e\u0301',
	'\x1bb',
	'\x1b\x7f',
	'\x1b\r',
	'\x1bé',
	'\x1b日',
	'\x1b\x01',
	'\x1b\x1b[A',
	'\x1b\x1bOA',
	'\x1b[A',
	'\x1b[1;5D',
	'\x1b[1;2H',
	'\x1b[H',
	'\x1b[4~',
	'\x1b[3;5~',
	'\x1b[15~',
	'\x1b[Z',
	'\x1b[5^',
	'\x1b[5$',
	'\x1b[a',
	'\x1b[[A',
	'\x1bOP',
	'\x1bOA',
	'\x1bOa',
	'\x1bO5C',
	'\x1bOM',
	'\x1bOp',
	'\x1b[97u',
	'\x1b[97;5u',
	'\x1b[97;1:3u',
	'\x1b[97;1:2u',
	'\x1b[13;2u',
	'\x1b[1089::99;5u',
	'\x1b[97:65;2;65u',
	'\x1b[57399u',
	'\x1b[57441;2u',
	'\x1b[1;1:3A',
	'\x1b[27;2;13~',
	'\x1b[27;5;106~',
	'\x1b[<0;10;5M',
	'\x1b[<0;10;5m',
	'\x1b[<32;11;5M',
	'\x1b[<64;1;1M',
	'\x1b[<65;300;200M',
	'\x1b[M !!',
	'\x1b[I',
	'\x1b[O',
	'\x1b]11;rgb:1e1e/1e1e/2e2e\x07',
	'\x1b]11;rgb:ffff/ffff/ffff\x1b\\',
	'\x1bP>|kitty(0.32)\x1b\\',
	'\x1b_Gi=31;OK\x1b\\',
	'\x1b^pm\x1b\\',
	'\x1bXsos\x07',
	'\x1b]52;c;aGk=\x07',
	'\x1b[?62;22c',
	'\x1b[?1u',
	'\x1b[?2026;2$y',
	'\x1b[24;80R',
	'\x1b[8;24;80t',
	'\x1b[0n',
	'\x1b[>1;10;0c',
	'\x1b[99;99z',
	'\x1b[1;2;3;4;5q',
	'\x1b[200~a\rb\r\nc\x1b[31mred\x1b[20\x1b[201~',
	'\x1b[200~\x1b[201~',
	'\x1b[200~日本\x1b[<35;1;1Mx\x1b[Iy\x1b[201~',
];

function read(pieces: readonly Uint8Array[]): Input[] {
	const tokenizer = createTokenizer();
	const inputs = pieces.flatMap(piece => tokenizer.push(piece)).flatMap(decode);
	expect(tokenizer.waiting()).toBe('nothing');
	return inputs;
}

function names(bytes: string): string[] {
	return read([Buffer.from(bytes)]).map(describeInput);
}

describe('the tokenizer', () => {
	it('returns the same inputs when a stream is split at any byte', () => {
		for (const sequence of corpus) {
			const bytes = Buffer.from(`x${sequence}y`);
			const whole = read([bytes]);
			for (let at = 1; at < bytes.length; at++)
				expect([sequence, at, read([bytes.subarray(0, at), bytes.subarray(at)])]).toEqual([
					sequence,
					at,
					whole,
				]);
		}
	});

	it('returns the same inputs when any mix of sequences is split anywhere', () => {
		fc.assert(
			fc.property(
				fc.array(fc.constantFrom(...corpus), {maxLength: 12}),
				fc.array(fc.nat(80), {maxLength: 30}),
				(parts, cuts) => {
					const bytes = Buffer.from(parts.join(''));
					const pieces: Uint8Array[] = [];
					let at = 0;
					for (const size of cuts) {
						pieces.push(bytes.subarray(at, at + size));
						at = Math.min(bytes.length, at + size);
					}
					pieces.push(bytes.subarray(at));
					expect(read(pieces)).toEqual(read([bytes]));
				},
			),
			{numRuns: long ? 20_000 : 500, seed: 7},
		);
	});

	it('returns the inputs of the parts for a mix of sequences', () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...corpus), {maxLength: 8}), parts => {
				expect(names(parts.join(''))).toEqual(parts.flatMap(names));
			}),
			{numRuns: long ? 5000 : 300, seed: 7},
		);
	});

	it('never throws on arbitrary bytes, and ends in the ground state', () => {
		fc.assert(
			fc.property(fc.array(fc.uint8Array({maxLength: 40}), {maxLength: 10}), pieces => {
				const tokenizer = createTokenizer();
				for (const piece of pieces) tokenizer.push(piece).flatMap(decode);
				for (let turn = 0; tokenizer.waiting() !== 'nothing'; turn++) {
					expect(turn).toBeLessThan(3);
					tokenizer.flush();
				}
				expect(tokenizer.push(Buffer.from('\r')).flatMap(decode).map(describeInput)).toContain('enter');
			}),
			{numRuns: long ? 20_000 : 500, seed: 7},
		);
	});

	it('collects a paste of 16 MB in pieces of 4 KB in linear time and truncates it at the limit', () => {
		const piece = Buffer.from('é\n'.repeat(1365));
		const time = (pieces: number) => {
			const tokenizer = createTokenizer();
			const begun = cpuTime();
			tokenizer.push(Buffer.from('\x1b[200~'));
			for (let index = 0; index < pieces; index++) tokenizer.push(piece);
			const [token] = tokenizer.push(Buffer.from('\x1b[201~'));
			return {token, ms: cpuTime() - begun};
		};
		const {token, ms} = time(4100);
		expect(token).toMatchObject({type: 'paste', cut: true});
		expect(Buffer.byteLength(token?.type === 'paste' ? token.text : '')).toBeLessThanOrEqual(10 * 1024 * 1024);
		expect(token?.type === 'paste' && token.text.includes('\uFFFD')).toBe(false);
		expect(ms).toBeLessThan(1000);
		expect(time(256).token).toEqual({type: 'paste', cut: false, text: 'é\n'.repeat(1365 * 256)});
	});

	it('turns the line endings of a paste into LF, however it is split', () => {
		fc.assert(
			fc.property(
				fc.array(fc.constantFrom('\r', '\n', '\r\n', 'a', 'é', '語'), {maxLength: 30}),
				fc.array(fc.nat(5), {maxLength: 60}),
				(parts, cuts) => {
					const tokenizer = createTokenizer();
					const bytes = Buffer.from(`\x1b[200~${parts.join('')}\x1b[201~`);
					const tokens = [];
					let at = 0;
					for (const size of [...cuts, bytes.length]) {
						tokens.push(...tokenizer.push(bytes.subarray(at, at + size)));
						at = Math.min(bytes.length, at + size);
					}
					expect(tokens).toEqual([
						{type: 'paste', cut: false, text: parts.join('').replaceAll(/\r\n?/g, '\n')},
					]);
				},
			),
			{numRuns: long ? 20_000 : 500, seed: 7},
		);
	});

	it('collects a paste that arrives byte by byte in linear time', () => {
		const tokenizer = createTokenizer();
		const begun = cpuTime();
		tokenizer.push(Buffer.from('\x1b[200~'));
		for (const byte of Buffer.from('é\x1b'.repeat(20_000))) tokenizer.push(Uint8Array.of(byte));
		expect(tokenizer.push(Buffer.from('\x1b[201~'))).toEqual([
			{type: 'paste', cut: false, text: 'é\x1b'.repeat(20_000)},
		]);
		expect(cpuTime() - begun).toBeLessThan(10_000);
	});

	it('uses bounded memory for a string that never ends, and delivers Ctrl+C', () => {
		const tokenizer = createTokenizer();
		tokenizer.push(Buffer.from('\x1b]52;c;'));
		for (let index = 0; index < 1000; index++) tokenizer.push(Buffer.alloc(4096, 'A'));
		expect(tokenizer.waiting()).toBe('sequence');
		expect(tokenizer.push(Buffer.from('\x03a')).flatMap(decode).map(describeInput)).toEqual(['ctrl+c', 'a=a']);
	});
});

describe('the keys of a terminal', () => {
	it.each([
		['hello\r', ['h=h', 'e=e', 'l=l', 'l=l', 'o=o', 'enter']],
		['A ', ['shift+a=A', 'space= ']],
		['\n', ['ctrl+j']],
		['\x08', ['ctrl+h']],
		['\x7f', ['backspace']],
		['\x00\x1f\x1a', ['ctrl+space', 'ctrl+_', 'ctrl+z']],
		['\x1bb\x1bB\x1b\r\x1b\x7f', ['alt+b', 'alt+shift+b', 'alt+enter', 'alt+backspace']],
		['\x1b[A\x1bOA\x1b[1;5D\x1b[1;3C\x1b[1;6H', ['up', 'up', 'ctrl+left', 'alt+right', 'ctrl+shift+home']],
		[
			'\x1b[5~\x1b[6;2~\x1b[3~\x1b[Z\x1b[15~\x1bOP\x1b[[B',
			['pageup', 'shift+pagedown', 'delete', 'shift+tab', 'f5', 'f1', 'f2'],
		],
		['\x1b\x1b[A', ['alt+up']],
		['\x1b[13;2u\x1b[27;2;13~\x1b[27;5;106~', ['shift+enter', 'shift+enter', 'ctrl+j']],
		['\x1b[97;5u\x1b[97;1:3u\x1b[97;1:2u\x1b[97;65u\x1b[97;2u', ['ctrl+a', 'a=a', 'a=a', 'shift+a=A']],
		['\x1b[1089::99;5u\x1b[1089u', ['ctrl+c', 'с=с']],
		['\x1b[1084::118;3u\x1b[1092:1060:97;6u', ['alt+v', 'ctrl+shift+a']],
		['\x1b[46::47;5u', ['ctrl+.']],
		['\x1b[97:65;2;65u\x1b[57399u\x1b[57414u\x1b[57441;2u', ['shift+a=A', '0=0', 'enter', '']],
		['\x1b[27u\x1b[127;5u\x1b[9;2u', ['escape', 'ctrl+backspace', 'shift+tab']],
		['\x1bOq\x1bOM', ['1=1', 'enter']],
		['\x1b[99;99z\x1b[1;2;3;4;5q', []],
		['\x1b[M\ra', ['enter', 'a=a']],
	])('are decoded from %j', (bytes, expected) => {
		expect(names(bytes)).toEqual(expected.filter(name => name !== ''));
	});

	it('turn a lone ESC into Escape, introducers into Alt keys, and an incomplete sequence into nothing', () => {
		const flushed = (bytes: string) => {
			const tokenizer = createTokenizer();
			return [...tokenizer.push(Buffer.from(bytes)), ...tokenizer.flush()].flatMap(decode).map(describeInput);
		};
		expect(flushed('\x1b')).toEqual(['escape']);
		expect(flushed('\x1b\x1b')).toEqual(['escape', 'escape']);
		expect(flushed('\x1b[')).toEqual(['alt+[']);
		expect(flushed('\x1bO')).toEqual(['alt+shift+o']);
		expect(flushed('\x1b]')).toEqual(['alt+]']);
		expect(flushed('\x1bP')).toEqual(['alt+shift+p']);
		expect(flushed('\x1b[<35;1')).toEqual([]);
		expect(flushed('\x1b]11;rgb')).toEqual([]);
		expect(flushed('\x1b[200~lost end')).toEqual([JSON.stringify({type: 'paste', text: 'lost end', cut: false})]);
	});

	it('takes the replies of a terminal out of a paste that began before them', () => {
		const replies = '\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\\x1b]10;rgb:ffff/ffff/ffff\x07\x1b[?1u\x1b[?1;2c';
		const tokens = createTokenizer().push(Buffer.from(`\x1b[200~one ${replies}two\x1b[201~`));
		expect(tokens).toEqual([{type: 'paste', text: 'one two', cut: false}]);
	});
});

describe('the reports of a terminal', () => {
	it('include replies, which are never keys', () => {
		const replies = corpus.filter(sequence => /^\x1b(?:[\]P_^X]|\[[?>]|\[24|\[8;|\[0n)/.test(sequence));
		expect(replies.length).toBeGreaterThan(12);
		for (const reply of replies)
			expect([reply, ...read([Buffer.from(reply)]).map(input => input.type)]).toEqual([reply, 'reply']);
	});

	it.each([
		['\x1b[<0;10;5M', {kind: 'press', button: 'left', x: 9, y: 4}],
		['\x1b[<2;1;1m', {kind: 'release', button: 'right', x: 0, y: 0}],
		['\x1b[<32;11;5M', {kind: 'drag', button: 'left', x: 10, y: 4}],
		['\x1b[<35;11;5M', {kind: 'move', button: 'none', x: 10, y: 4}],
		['\x1b[<64;1;1M', {kind: 'wheel', button: 'up', x: 0, y: 0}],
		['\x1b[<81;1;1M', {kind: 'wheel', button: 'down', ctrl: true}],
		['\x1b[M !!', {kind: 'press', button: 'left', x: 0, y: 0}],
		['\x1b[M#*%', {kind: 'release', x: 9, y: 4}],
		['\x1b[Ma!!', {kind: 'wheel', button: 'down'}],
	])('are decoded from %j', (bytes, expected) => {
		expect(read([Buffer.from(bytes)])).toMatchObject([{type: 'mouse', mouse: expected}]);
	});
});
