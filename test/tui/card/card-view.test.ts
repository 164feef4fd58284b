import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Ask} from '../../../src/pod/protocol.ts';
import {detailRows} from '../../../src/tui/card/card-detail.ts';
import {viewAsk, type AskFacts} from '../../../src/tui/card/card-view.ts';
import {sanitizeLine} from '../../../src/tui/screen/sanitize.ts';
import {width} from '../../../src/tui/screen/width.ts';
import {createQuery} from '../../../src/tui/search/query.ts';
import {createTheme, setTheme} from '../../../src/tui/theme.ts';

const choices = [{choice: 'allow', label: 'Yes'}, {choice: 'always', label: 'Always in this session'}, {choice: 'deny', label: 'No'}];
const five: Ask['choices'] = [
	{choice: 'once', label: 'Yes, this once'},
	{choice: 'session', label: 'Yes, for this session: bash `npm run test:unit -- --coverage`'},
	{choice: 'project', label: 'Yes, always in this project\n(a rule in your own configuration: bash, npm run test:unit*)'},
	{choice: 'deny', label: 'No'},
	{choice: 'deny_reason', label: 'No, and tell the model why', reason: true},
];
const ask = (detail: string, extra: Partial<Ask> = {}): Ask => ({id: 'a', title: 'Run a command?', detail, choices, ...extra});
const bare = (row: string) => row.replaceAll(/\x1b\[[\d;]*m/g, '');
const rowsOf = (question: Ask, columns: number, maxRows: number, facts: Partial<AskFacts> = {}) => viewAsk(question, {columns, maxRows, ...facts}).rows.map(bare);

/** What the rows of a detail say: the text without gutters and marks, line by line. */
function saidBy(rows: readonly string[]): string {
	return rows.filter(row => /^[│┆]/.test(row)).map((row, index) => (row.startsWith('│') && index > 0 ? '\n' : '') + row.slice(2).replace(/ →$/, '')).join('');
}

describe('the card', () => {
	test('shows title, detail and the choices with their keys', () => {
		expect(rowsOf(ask('rm -rf build\n'), 60, 10)).toEqual([
			'? Run a command?',
			'│ rm -rf build',
			'[1, y] Yes  [2, a] Always in this session  [3, n, Esc] No',
		]);
	});

	test('of several, says which one it is', () => {
		expect(rowsOf(ask('x'), 60, 10, {count: 3})[0]).toBe('? Run a command? (1 of 3)');
	});

	test('with a long detail, scrolls it, says how much is hidden, and always shows title and choices', () => {
		const long = ask(Array.from({length: 100}, (_, index) => `line ${index}`).join('\n'));
		expect(rowsOf(long, 100, 6)).toEqual([
			'? Run a command?', '│ line 0', '│ line 1', '│ line 2',
			'▼ rows 1-3 of 100, 97 more below: PgDn, Ctrl+End. Nothing says yes before its end was shown.',
			expect.stringContaining('[1, y]'),
		]);
		expect(rowsOf(long, 60, 6, {scroll: 50})[1]).toBe('│ line 50');
		expect(rowsOf(long, 40, 6)[2]).toBe('▼ 99 more rows: PgDn, then yes');
		expect(viewAsk(long, {columns: 60, maxRows: 6, scroll: 999})).toMatchObject({scroll: 97, total: 100, shown: 3});
		expect(rowsOf(long, 60, 6, {scroll: 999})[4]).toBe('▲ rows 98-100 of 100 (PgUp, PgDn)');
	});

	test('a line that goes on, is wrapped with a mark at its end and in the gutter, and no space is dropped', () => {
		expect(rowsOf(ask(`echo ${'a'.repeat(20)}   ${'b'.repeat(20)} c\ntrue`), 40, 20).slice(1, 4)).toEqual([
			`│ echo ${'a'.repeat(20)}    →`,
			`┆ ${'b'.repeat(20)} c`,
			'│ true',
		]);
	});

	test('a text that imitates the mark and the gutter, is told from them by where it stands', () => {
		expect(rowsOf(ask('x →\n┆ rm -rf /'), 60, 10).slice(1, 3)).toEqual(['│ x →', '│ ┆ rm -rf /']);
	});

	test('what would hide or act, is visible and stands out', () => {
		const hostile = ask('ls \x1b[2K\r\u202eevil\u200b;\tx', {title: '\x1b[31mt\nu'});
		const view = rowsOf(hostile, 80, 10);
		expect(view[0]).toBe('? ␛[31mt␊u');
		expect(view[1]).toBe('│ ls ␛[2K␍⟨U+202E⟩evil⟨U+200B⟩;␉x');
		const before = setTheme(createTheme(1));
		const painted = viewAsk({...hostile}, {columns: 80, maxRows: 10}).rows[1]!;
		setTheme(before);
		expect(painted).toContain('\x1b[33m\x1b[7m␍\x1b[27m\x1b[39m');
	});

	test('a diff, is coloured line by line with its numbers, every line of it, and its tabs are seen', () => {
		const before = setTheme(createTheme(1));
		const diff = ask('--- a/x.ts\n+++ b/x.ts\n@@ -8,3 +8,3 @@\n same\n-\told\n+\tnew\r\n same\n', {shows: 'diff'});
		const painted = viewAsk(diff, {columns: 60, maxRows: 20}).rows;
		setTheme(before);
		expect(painted.map(bare).slice(1, -1)).toEqual(['│    --- a/x.ts', '│    +++ b/x.ts', '│    @@ -8,3 +8,3 @@', '│  8  same', '│  9 -␉  old', '│  9 +␉  new␍', '│ 10  same']);
		expect(painted[5]).toContain('\x1b[31m-');
		expect(painted[6]).toContain('\x1b[32m+');
	});

	test('a detail that is called a diff and is none, is shown as it is', () => {
		expect(rowsOf(ask('+ 1\n- 2', {shows: 'diff'}), 60, 10).slice(1, 3)).toEqual(['│ + 1', '│ - 2']);
	});

	test('a reason that is written, takes the place of the choices, and the cursor stands in it', () => {
		const view = viewAsk(ask('x'), {columns: 40, maxRows: 10, reason: {choice: 'deny', text: createQuery('use rg'), open: true}});
		expect(view.rows.map(bare)).toEqual(['? Run a command?', '│ x', 'Why? Enter sends, Esc goes back', '❯ use rg']);
		expect(view.caret).toEqual({x: 8, y: 3});
	});
});

describe('the choices', () => {
	test('that do not fit in a row, stand on rows of their own, with all of their words', () => {
		expect(rowsOf(ask('npm run test:unit', {choices: five}), 60, 11)).toEqual([
			'? Run a command?',
			'│ npm run test:unit',
			'[1, y] Yes, this once',
			'[2] Yes, for this session: bash `npm run test:unit --',
			'    --coverage`',
			'[3] Yes, always in this project',
			'    (a rule in your own configuration: bash, npm run',
			'    test:unit*)',
			'[4, n, Esc] No',
			'[5] No, and tell the model why',
		]);
	});

	test('for which even that is too much, are cut, and the card scrolls to all of their words', () => {
		const view = viewAsk(ask('npm run test:unit', {choices: five}), {columns: 40, maxRows: 6});
		const rows = view.rows.map(bare);
		expect(rows).toHaveLength(6);
		expect(rows.join(' ')).toMatch(/\[1, y\].*\[2\].*\[3\].*\[4, n, Esc\].*\[5\]/);
		const all = Array.from({length: view.total}, (_, scroll) => rowsOf(ask('npm run test:unit', {choices: five}), 40, 6, {scroll})[1]!);
		expect(saidBy(all)).toContain('(a rule in your own configuration: bash, npm run test:unit*)');
	});

	test('while the end was not seen, are dim but for those that say no; all are while the person types', () => {
		const before = setTheme(createTheme(1));
		const long = ask('x\n'.repeat(50));
		const last = (facts: Partial<AskFacts>) => viewAsk(long, {columns: 60, maxRows: 6, ...facts}).rows.at(-1)!;
		const [unseen, seen, typing] = [last({}), last({seen: true}), last({seen: true, listening: false})];
		setTheme(before);
		expect(unseen).toMatch(/\x1b\[2m\[1, y\] Yes.*\x1b\[36m\[3, n, Esc\] No/);
		expect(seen).toMatch(/\x1b\[36m\[1, y\] Yes/);
		expect(typing).not.toContain('\x1b[36m');
	});
});

const seed = 61_803;

test.each([[40, 6], [60, 11], [120, 33], [200, 8]])('any detail on %d columns and %d rows, fits, and scrolled through shows all of itself', (columns, maxRows) => {
	const piece = fc.constantFrom('rm -rf / ', '\x1b[2J', '\u202e', '\r', '\t', '   ', '日本語', '👨‍👩‍👧', 'e\u0301', '\u200b', '\n', 'x'.repeat(70), '│ → ┆', '\x9b31m');
	fc.assert(fc.property(fc.array(piece, {maxLength: 40}), fc.constantFrom('command', 'diff', 'text'), fc.boolean(), (pieces, shows, many) => {
		const detail = pieces.join('');
		const question = ask(detail, {shows, ...(many && {choices: five})});
		const all = detailRows(question, columns).map(bare);
		expect(saidBy(all)).toBe(detail.replace(/\n$/, '').split('\n').map(sanitizeLine).join('\n'));
		const {total, shown} = viewAsk(question, {columns, maxRows});
		for (let scroll = 0; scroll <= total - shown; scroll++) {
			const rows = rowsOf(question, columns, maxRows, {scroll});
			expect(rows.length).toBeLessThanOrEqual(maxRows);
			expect(rows.slice(1, 1 + Math.max(0, Math.min(shown, all.length - scroll)))).toEqual(all.slice(scroll, scroll + shown));
			for (const row of rows) {
				expect(width(row)).toBeLessThanOrEqual(columns);
				expect(row).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b\u202e]/);
			}
		}
	}), {seed, numRuns: process.env['INKPOD_TEST'] === 'long' ? 2000 : 100});
});
