import {describe, expect, test} from 'vitest';
import type {Ask} from '../../src/pod/protocol.ts';
import {answerDelay, answerOf, viewAsk} from '../../src/tui/ask-card.tsx';
import {makeKey} from '../../src/tui/screen/stdin-keys.ts';
import {width} from '../../src/tui/screen/width.ts';

const choices = [{choice: 'allow', label: 'Yes'}, {choice: 'always', label: 'Always in this session'}, {choice: 'deny', label: 'No'}];
const ask = (detail: string, title = 'Run a command?'): Ask => ({id: 'a', title, detail, choices});
const bare = (row: string) => row.replaceAll(/\x1b\[[\d;]*m/g, '');
const key = (text: string) => makeKey(text.toLowerCase(), {text});

describe('the card', () => {
	test('shows title, detail and the choices with their keys', () => {
		expect(viewAsk(ask('rm -rf build\n'), 60, 10).rows.map(bare)).toEqual([
			'? Run a command?',
			'│ rm -rf build',
			'[1, y] Yes  [2, a] Always in this session  [3, n, Esc] No',
		]);
	});

	test('with a long detail, scrolls it within its rows and always shows title and choices', () => {
		const long = ask(Array.from({length: 100}, (_, index) => `line ${index}`).join('\n'));
		const rows = (scroll: number) => viewAsk(long, 60, 6, scroll).rows.map(bare);
		expect(rows(0)).toEqual(['? Run a command?', '│ line 0', '│ line 1', '│ line 2', '  rows 1-3 of 100 (PgUp, PgDn)', expect.stringContaining('[1, y]')]);
		expect(rows(50)[1]).toBe('│ line 50');
		expect(viewAsk(long, 60, 6, 999)).toMatchObject({scroll: 97, total: 100, shown: 3});
	});

	test('what would hide or act, is visible', () => {
		const view = viewAsk(ask('ls \x1b[2K\r\u202eevil\u200b; x', '\x1b[31mt\nu'), 80, 10, 0, 2).rows.map(bare);
		expect(view[0]).toBe('? ␛[31mt␊u (2 more waiting)');
		expect(view[1]).toBe('│ ls ␛[2K␍⟨U+202E⟩evil⟨U+200B⟩; x');
	});

	test.each([40, 60, 200])('fits %d columns', columns => {
		const view = viewAsk(ask('日本語'.repeat(100), '長い'.repeat(50)), columns, 8, 0, 3);
		expect(view.rows.length).toBeLessThanOrEqual(8);
		for (const row of view.rows) expect(width(bare(row))).toBeLessThanOrEqual(columns);
	});
});

describe('the answer', () => {
	test.each([['1', 'allow'], ['y', 'allow'], ['Y', 'allow'], ['2', 'always'], ['n', 'deny'], ['4', undefined], ['x', undefined]])('%s is %s', (pressed, choice) => {
		expect(answerOf(ask(''), key(pressed), answerDelay)).toBe(choice);
	});

	test('Esc says no at once; Enter and chords answer nothing', () => {
		expect(answerOf(ask(''), makeKey('escape'), 0)).toBe('deny');
		expect(answerOf({...ask(''), choices: [{choice: 'a', label: 'A'}, {choice: 'b', label: 'B'}]}, makeKey('escape'), 0)).toBe('b');
		expect(answerOf(ask(''), makeKey('enter'), answerDelay)).toBeUndefined();
		expect(answerOf(ask(''), makeKey('y', {ctrl: true}), answerDelay)).toBeUndefined();
	});

	test('a key typed in the moment the card appears, answers nothing', () => {
		expect(answerOf(ask(''), key('y'), answerDelay - 1)).toBeUndefined();
	});

	test('two choices with one first letter, have numbers only', () => {
		const twice: Ask = {...ask(''), choices: [{choice: 'a', label: 'Allow'}, {choice: 'b', label: 'Always'}]};
		expect(answerOf(twice, key('a'), answerDelay)).toBeUndefined();
		expect(answerOf(twice, key('2'), answerDelay)).toBe('b');
	});
});
