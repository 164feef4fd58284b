import {describe, expect, it} from 'vitest';
import {decode} from '../../../../src/screen/terminal/input/keys/key-names.ts';
import {createLateReports} from '../../../../src/screen/terminal/input/late-escape.ts';
import {createTokenizer} from '../../../../src/screen/terminal/input/tokens.ts';
import {describeInput, terminal} from './terminal-input.ts';

describe('the keys of a terminal whose sequences arrive late', () => {
	it('include no report whose ESC counted as the Escape key', () => {
		const rests = [
			'[<35;10;5M',
			'[I',
			'[O',
			'[?62;22c',
			'[?1u',
			'[?2026;2$y',
			'[>1;10;0c',
			'[24;80R',
			'[8;24;80t',
			']11;rgb:1/2/3\x07',
			']11;rgb:1/2/3\x1b\\',
			'P>|kitty(0.32)\x1b\\',
			'P1$r0m\x1b\\',
		];
		for (const rest of rests) {
			for (const cut of rest.startsWith('[') ? Array.from({length: rest.length}, (_, index) => index) : [0, 1]) {
				const tokenizer = createTokenizer();
				tokenizer.push(Buffer.from(`\x1b${rest.slice(0, cut)}`));
				tokenizer.flush();
				const late = tokenizer
					.push(Buffer.from(rest.slice(cut)))
					.flatMap(decode)
					.filter(input => input.type === 'key');
				expect([rest, cut, ...late, ...tokenizer.flush()]).toEqual([rest, cut]);
			}
		}
	});

	it('start a paste at its mark even if its ESC counted as the Escape key', () => {
		const tokenizer = createTokenizer();
		tokenizer.push(Buffer.from('\x1b'));
		tokenizer.flush();
		const inputs = Array.from('[200~one\rtwo\x1b[201~', byte =>
			tokenizer.push(Buffer.from(byte)).flatMap(decode),
		).flat();
		expect(inputs).toEqual([{type: 'late'}, {type: 'paste', text: 'one\ntwo', cut: false}]);
	});

	it('include no report whose bytes all arrive alone after an Escape', () => {
		for (const rest of ['[<35;10;5M', '[I', '[?62;22c', '[24;80R', ']11;rgb:1/2/3\x07', 'P>|kitty(0.32)\x1b\\']) {
			const tokenizer = createTokenizer();
			tokenizer.push(Buffer.from('\x1b'));
			tokenizer.flush();
			const inputs = Array.from(rest, byte => tokenizer.push(Buffer.from(byte)).flatMap(decode)).flat();
			expect([rest, inputs.map(input => input.type)]).toEqual([
				rest,
				['late', rest === '[I' ? 'focus' : rest.startsWith('[<') ? 'mouse' : 'reply'],
			]);
		}
	});

	it('include no rest of a reply that was given up in the middle, and no end of one', () => {
		const replies = [
			']11;rgb:1/2/3\x07',
			']11;rgb:1/2/3\x1b\\',
			']4;1;rgb:cdcd/0/0\x1b\\',
			']52;c;eHhkcDE=\x07',
			'P>|kitty(0.32)\x1b\\',
			'_Gi=31;OK\x1b\\',
			`]52;c;${'QUJD'.repeat(900)}\x07`,
		];
		for (const reply of replies)
			for (const cut of [2, 3, 5, 8, reply.length - 2, reply.length - 1]) {
				const tokenizer = createTokenizer();
				tokenizer.push(Buffer.from(`\x1b${reply.slice(0, cut)}`));
				tokenizer.flush();
				const late = [...tokenizer.push(Buffer.from(reply.slice(cut))), ...tokenizer.flush()];
				expect([reply.slice(0, 20), cut, late.flatMap(decode).filter(({type}) => type !== 'reply')]).toEqual([
					reply.slice(0, 20),
					cut,
					[],
				]);
			}
	});

	it('include text after an Escape if it only begins like a report', () => {
		const tokenizer = createTokenizer();
		tokenizer.push(Buffer.from('\x1b'));
		tokenizer.flush();
		expect(tokenizer.push(Buffer.from('[1] hi')).flatMap(decode)).toHaveLength(6);
		tokenizer.push(Buffer.from('\x1b'));
		tokenizer.flush();
		expect(tokenizer.push(Buffer.from('['))).toEqual([]);
		expect(tokenizer.waiting()).toBe('late');
		expect(tokenizer.flush().flatMap(decode).map(describeInput)).toEqual(['[=[']);
		expect([...tokenizer.push(Buffer.from('1')), ...tokenizer.flush()].flatMap(decode).map(describeInput)).toEqual([
			'1=1',
		]);
		tokenizer.push(Buffer.from('\x1b'));
		tokenizer.flush();
		expect(
			[...tokenizer.push(Buffer.from('[2')), ...tokenizer.push(Buffer.from('] x'))].flatMap(decode),
		).toHaveLength(5);
	});
});

describe('the rest of a reply that was given up', () => {
	/** Plays reads and the pauses between them. Returns what the screen hears. */
	function played(script: ReadonlyArray<string | number>): string {
		const {input, write, pass, take} = terminal();
		input.start();
		for (const step of script) {
			if (typeof step === 'number') pass(step);
			else write(step);
		}
		pass(1000);
		pass(1000);
		return take();
	}
	const oneByOne = (text: string, gap: number) => Array.from(text).flatMap(letter => [letter, gap]);

	it.each<[string, ReadonlyArray<string | number>, RegExp]>([
		['in three parts', ['\x1b]11;rgb:1e1e/', 600, 'dede/', 600, '1212\x07'], /^paste:dede\/reply:/],
		['in three parts of CSI', ['\x1b[?62;', 600, '22;', 600, '52c'], /^paste:22;reply:/],
		['byte by byte', ['\x1b]11;rgb:1e1e/', 600, ...oneByOne('dede/1212\x07', 5)], /^reply:/],
		['with an end in two parts', ['\x1bP>|tmu', 600, 'x 3.4\x1b', 600, '\\'], /^paste:x 3\.4reply:/],
		['with only its end left', ['\x1bP>|tmux 3.4', 600, '\x1b\\'], /^reply:/],
		['with half of its end left', ['\x1bP>|tmux 3.4\x1b', 600, '\\'], /^reply:/],
		['that is long', ['\x1b]52;c;QUJD', 600, 'QUJD'.repeat(5000), '\x07'], /^reply:/],
		[
			'and that of the next one',
			['\x1b]11;r', 600, 'gb:1/2/3\x07', '\x1b]12;r', 600, 'gb:1\x07'],
			/^reply:.*reply:/,
		],
	])('is no key when it comes %s', (_, script, heard) => {
		expect(played(script)).toMatch(heard);
	});

	it.each<[string, ReadonlyArray<string | number>, string]>([
		['letters', ['\x1b]11;rgb', 600, ...oneByOne('hello', 80)], 'hello'],
		['letters that are several bytes', ['\x1b]11;rgb', 600, 'é', 300, 'a', 300, '\x07'], 'éa<ctrl+g>'],
		['a word at once', ['\x1b]11;rgb', 600, 'word', 900, ...oneByOne('x', 80)], 'paste:wordx'],
		['a word and Enter', ['\x1b]11;rgb', 600, 'w', 100, 'o', 100, '\r', 100], 'wo<enter>'],
		['Escape', ['\x1b]11;rgb', 600, '\x1b', 600], '<escape>'],
		['Ctrl+C', ['\x1b]11;rgb', 600, '\x03', 600], '<ctrl+c>'],
		['digits after a part of a position', ['\x1b[12', 600, '3', 80, '4', 80], '34'],
		['Ctrl+G much later', ['\x1b]11;rgb', 600, 6000, '\x07'], '<ctrl+g>'],
	])('does not include %s that you type', (_, script, heard) => {
		expect(played(script)).toBe(heard);
	});

	it('keeps what you type fast from sight for less than half a second', () => {
		const {input, write, pass, take} = terminal();
		input.start();
		write('\x1b]11;rgb');
		pass(600);
		for (let count = 0; count < 50; count++) {
			write('ab');
			pass(20);
		}
		expect(take().length).toBeGreaterThan(50);
	});

	it('begin in time if only their end comes after the last moment', () => {
		const late = createLateReports();
		late.gaveUp('\x1b', 0);
		expect(late.join(Buffer.from('[<35;'), 4999).bytes.toString()).toBe('');
		expect(late.join(Buffer.from('10;5M'), 5010).bytes.toString()).toBe('\x1b[<35;10;5M');
	});
});
