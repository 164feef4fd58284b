import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {Ask} from '../../../../src/pod/protocol.ts';
import {detailRows} from '../../../../src/screen/view/card/choices.ts';
import {viewAsk, type AskFacts} from '../../../../src/screen/view/card/card-view.ts';
import {plainText, type Row} from '../../../../src/screen/spans/row.ts';
import {sanitizeLine} from '../../../../src/text/sanitize.ts';
import {width} from '../../../../src/text/width.ts';
import {newAnswering, type Answering} from '../../../../src/screen/model/card/answering.ts';

import {paintRow} from '../../../../src/screen/spans/paint-row.ts';
import {createTheme} from '../../../../src/screen/spans/theme.ts';

const choices = [
	{choice: 'allow', label: 'Yes'},
	{choice: 'always', label: 'Always in this session'},
	{choice: 'deny', label: 'No'},
];
const five: Ask['choices'] = [
	{choice: 'once', label: 'Yes, this once'},
	{choice: 'session', label: 'Yes, for this session: bash `npm run test:unit -- --coverage`'},
	{
		choice: 'project',
		label: 'Yes, always in this project\n(a rule in your own configuration: bash, npm run test:unit*)',
	},
	{choice: 'deny_reason', label: 'No, and tell the model why', reason: true},
	{choice: 'deny', label: 'No', refuses: true},
];
const ask = (detail: string, extra: Partial<Ask> = {}): Ask => ({
	id: 'a',
	title: 'Run a command?',
	detail,
	choices,
	...extra,
});
const answering = (change: Partial<Answering>): Answering => ({
	...newAnswering({refusal: 2, isDraftEmpty: true}),
	...change,
});
const rowsOf = (question: Ask, columns: number, maxRows: number, facts: Partial<AskFacts> = {}) =>
	viewAsk(question, {columns, maxRows, ...facts}).rows.map(plainText);

/** Returns the text of a detail line by line, without gutters and marks. */
function saidBy(rows: readonly string[]): string {
	return rows
		.filter(row => /^[│┆]/.test(row))
		.map((row, index) => (row.startsWith('│') && index > 0 ? '\n' : '') + row.slice(2).replace(/ →$/, ''))
		.join('');
}

describe('the card', () => {
	it('shows where the parts of the call came from below the call, and above the note', () => {
		const origins = ['https://x.example/: first in a\u001b[31m.md, line 2'];
		const rows = rowsOf(ask('curl https://x.example/', {note: 'Confined'}), 60, 12, {origins});
		expect(rows.slice(1, 4)).toEqual([
			'│ curl https://x.example/',
			`  ${sanitizeLine(origins[0] ?? '')}`,
			'  Confined',
		]);
		expect(rows.join('')).not.toContain('\u001b');
	});

	it('shows title, detail and the choices with their keys', () => {
		expect(rowsOf(ask('rm -rf build\n'), 60, 10)).toEqual([
			'? Run a command?',
			'│ rm -rf build',
			'  1. Yes',
			'  2. Always in this session',
			'❯ 3. No (Esc)',
		]);
	});

	it('names headings and code of a plan for a screen reader', async () => {
		await import('../../../../src/screen/markdown/stream.ts');
		const plan = ask('## A plan\n\n```ts\nrun();\n```', {shows: 'markdown'});
		const text = rowsOf(plan, 60, 20, {isSpoken: true}).join('\n');
		expect(text).toMatch(/Heading 2: A plan[^]*Code, ts:[^]*run\(\);/);
		expect(rowsOf({...plan}, 60, 20).join('\n')).not.toContain('Heading');
	});

	it('shows its number when there are several', () => {
		expect(rowsOf(ask('x'), 60, 10, {count: 3})[0]).toBe('? Run a command? (1 of 3)');
	});

	it('scrolls a long detail, counts the hidden rows, and always shows title and choices', () => {
		const long = ask(Array.from({length: 100}, (_, index) => `line ${index}`).join('\n'));
		expect(rowsOf(long, 100, 6)).toEqual([
			'? Run a command?',
			'│ line 0',
			'│ line 1',
			'│ line 2',
			'▼ rows 1-3 of 100 · 97 more below: PgDn, Ctrl+End. Read to the end, then choose.',
			' 1 Yes  2 Always in this session ❯3 No (Esc)',
		]);
		expect(rowsOf(long, 60, 6, {scroll: 50})[1]).toBe('│ line 50');
		expect(rowsOf(long, 40, 6)[4]).toBe('▼ 98 more rows: PgDn');
		expect(viewAsk(long, {columns: 60, maxRows: 6, scroll: 999})).toMatchObject({scroll: 97, total: 100, shown: 3});
		expect(rowsOf(long, 60, 6, {scroll: 999})[4]).toBe('▲ rows 98-100 of 100 (PgUp, PgDn)');
	});

	it('wraps a long line with a mark at its end and in the gutter, and drops no space', () => {
		expect(rowsOf(ask(`echo ${'a'.repeat(20)}   ${'b'.repeat(20)} c\ntrue`), 40, 20).slice(1, 4)).toEqual([
			`│ echo ${'a'.repeat(20)}    →`,
			`┆ ${'b'.repeat(20)} c`,
			'│ true',
		]);
	});

	it('puts the real mark and gutter where a text that imitates them cannot be', () => {
		expect(rowsOf(ask('x →\n┆ rm -rf /'), 60, 10).slice(1, 3)).toEqual(['│ x →', '│ ┆ rm -rf /']);
	});

	it('shows and emphasises characters that would hide text or have an effect', () => {
		const hostile = ask('ls \x1b[2K\r\u202eevil\u200b;\tx', {title: '\x1b[31mt\nu'});
		const view = rowsOf(hostile, 80, 10);
		expect(view[0]).toBe('? ␛[31mt␊u');
		expect(view[1]).toBe('│ ls ␛[2K␍⟨U+202E⟩evil⟨U+200B⟩;␉x');
		const painted = paintRow(viewAsk(hostile, {columns: 80, maxRows: 10}).rows[1]!, createTheme(1));
		expect(painted).toContain('\x1b[33m\x1b[7m␍\x1b[27m\x1b[39m');
	});

	it.each([
		['indentation', '-\tone\n+  one\n', ['-␉  one', '+  one']],
		['a tab between words', '-one two\n+one\ttwo\n', ['-one two', '+one␉   two']],
		['the end of a line', '-one\n+one\t\n', ['-one', '+one␉']],
		['a line without other characters', '+\t\n', ['+␉']],
		['words', '-\tone\n+\ttwo\n', ['-   one', '+   two']],
		[
			'words of only one of two lines',
			'-\tone\n-\ttwo\n+  one\n+\tthree\n',
			['-␉  one', '-   two', '+  one', '+   three'],
		],
	])('marks tabs only on lines whose change is in white space: %s', (_, lines, shown) => {
		const [removed, added] = ['-', '+'].map(sign => lines.split('\n').filter(line => line.startsWith(sign)).length);
		const diff = ask(`--- a/x\n+++ b/x\n@@ -1,${removed} +1,${added} @@\n${lines}`, {shows: 'diff'});
		const rows = viewAsk(diff, {columns: 60, maxRows: 16}).rows.map(row => plainText(row).trimEnd());
		expect(rows.filter(row => /^│ \d /.test(row)).map(row => row.slice(4).replace(/(␉) +$/, '$1'))).toEqual(shown);
		const split = viewAsk(diff, {columns: 200, maxRows: 16, isSplit: true}).rows.map(plainText).join('\n');
		expect(split.includes('␉')).toBe(shown.some(row => row.includes('␉')));
	});

	it('colours every line of a diff with its numbers, and draws its tabs as blanks', () => {
		const diff = ask('--- a/x.ts\n+++ b/x.ts\n@@ -8,3 +8,3 @@\n same\n-\told\n+\tnew\r\n same\n', {shows: 'diff'});
		const {rows} = viewAsk(diff, {columns: 60, maxRows: 16});
		expect(rows.map(row => plainText(row).trimEnd()).slice(1, 5)).toEqual([
			'│  8  same',
			'│  9 -   old',
			'│  9 +   new␍',
			'│ 10  same',
		]);
		expect(rows[2]?.spans[0]).toEqual({text: '-', style: ['error', 'removed']});
		expect(rows[3]?.spans[0]).toEqual({text: '+', style: ['ok', 'added']});
	});

	it('has a blank row before the choices when there are rows to spare', () => {
		expect(rowsOf(ask('npm test'), 60, 20).slice(0, 3)).toEqual(['? Run a command?', '│ npm test', '']);
		expect(rowsOf(ask('npm test'), 60, 10)[2]).not.toBe('');
	});

	it('repeats its question above the choices, below a detail of 16 rows or more', () => {
		const shown = (rows: number, maxRows: number, facts: Partial<AskFacts> = {}) =>
			rowsOf(ask(Array.from({length: rows}, (_, row) => `line ${row}`).join('\n')), 60, maxRows, facts);
		const asked = (rows: readonly string[]) => rows.filter(row => row.includes('Run a command?'));
		expect(shown(16, 32).slice(-6)).toEqual([
			'│ line 15',
			'',
			'  Run a command?',
			'  1. Yes',
			'  2. Always in this session',
			'❯ 3. No (Esc)',
		]);
		const long = shown(100, 32);
		expect(long).toHaveLength(32);
		expect(long.slice(-5)).toEqual([
			'▼ 74 more rows: PgDn. Read to the end, then choose.',
			'  Run a command?',
			'  1. Yes',
			'  2. Always in this session',
			'❯ 3. No (Esc)',
		]);
		for (const near of [shown(15, 32), shown(100, 23), shown(16, 32, {isSpoken: true})])
			expect(asked(near)).toEqual(['? Run a command?']);
		expect(rowsOf(ask(' x\n'.repeat(50), {title: '\x1b[2J\n' + 'long '.repeat(40)}), 40, 40).at(-4)).toMatch(
			/^ {2}␛\[2J␊long .*…$/u,
		);
	});

	it('does not repeat its question while a rule waits for confirmation', () => {
		const rule = Array.from({length: 30}, (_, row) => `line ${row}`).join('\n');
		const always = {...ask('x'), choices: [{choice: 'always', label: 'Always', rule}, ...choices.slice(2)]};
		const rows = rowsOf(always, 60, 40, {answering: answering({confirming: {choice: 0, since: 0}})});
		expect(rows.filter(row => row.includes('?'))).toEqual(['? Write this rule and stop asking?']);
	});

	it('shows a detail unchanged when it only claims to be a diff', () => {
		expect(rowsOf(ask('+ 1\n- 2', {shows: 'diff'}), 60, 10).slice(1, 3)).toEqual(['│ + 1', '│ - 2']);
	});

	it('shows the rule instead of the detail while it waits for confirmation', () => {
		const always = {
			...ask('x'),
			choices: [
				{choice: 'always', label: 'Always', rule: 'Allow bash, only for exactly:\nx'},
				{choice: 'deny', label: 'No', refuses: true},
			],
		};
		expect(rowsOf(always, 40, 10, {answering: answering({confirming: {choice: 0, since: 0}})})).toEqual([
			'? Write this rule and stop asking?',
			'│ Allow bash, only for exactly:',
			'│ x',
		]);
	});
});

describe('the choices of a card', () => {
	it('are a list with all of their words when the detail has room', () => {
		expect(rowsOf(ask('npm run test:unit', {choices: five}), 60, 11)).toEqual([
			'? Run a command?',
			'│ npm run test:unit',
			'  1. Yes, this once',
			'  2. Yes, for this session: bash `npm run test:unit --',
			'     --coverage`',
			'  3. Yes, always in this project',
			'     (a rule in your own configuration: bash, npm run',
			'     test:unit*)',
			'  4. No, and tell the model why',
			'❯ 5. No (Esc)',
		]);
	});

	it.each([
		[20, 8],
		[21, 8],
		[22, 8],
	])('leave in %i rows at least %i for the detail, or share one row', (maxRows, least) => {
		const view = viewAsk(ask('x\n'.repeat(50), {choices: five}), {columns: 60, maxRows});
		const isFolded = view.rows.map(plainText).at(-1)!.includes('❯5 No');
		expect(isFolded || view.shown >= least).toBe(true);
		expect(view.rows.length).toBeLessThanOrEqual(maxRows);
	});

	it('share one row that shows all of the marked choice when there is no room for more', () => {
		const view = viewAsk(ask('npm run test:unit', {choices: five}), {columns: 40, maxRows: 6});
		const rows = view.rows.map(plainText);
		expect(rows).toHaveLength(6);
		expect(rows.at(-1)).toMatch(/^ 1 .* 2 .* 3 .* 4 .*❯5 No \(Esc\)$/);
		const at = (scroll: number) =>
			rowsOf(ask('npm run test:unit', {choices: five}), 40, 6, {scroll}).slice(1, 1 + view.shown);
		const last = view.total - view.shown;
		const all = [...Array.from({length: last}, (_, scroll) => at(scroll)[0]!), ...at(last)];
		expect(saidBy(all)).toContain('(a rule in your own configuration: bash, npm run test:unit*)');
	});

	it('name the marked one in words for a screen reader, where they share a row', () => {
		const row = (marked: number) =>
			rowsOf(ask('npm run test:unit', {choices: five}), 60, 5, {
				isSpoken: true,
				answering: answering({marked}),
			}).at(-1)!;
		expect(row(4)).toMatch(/^1 .* 2 .* 3 .* 4 .* \(selected\) 5 No \(Esc\)$/);
		expect(row(0)).toMatch(/^\(selected\) 1 Yes, this once 2 .* 5 No/);
		expect(row(0)).not.toMatch(/❯| {2}/);
		expect(width(row(4))).toBeLessThan(60);
	});

	it('are lines of their own for a screen reader in a window in which others share a row', () => {
		const rows = (isSpoken: boolean) => rowsOf(ask('x\n'.repeat(50)), 60, 10, {isSpoken}).slice(-3);
		expect(rows(true)).toEqual(['  1. Yes', '  2. Always in this session', '❯ 3. No (Esc)']);
		expect(rows(false).at(-1)).toContain('❯3 No');
	});

	it('are dim until you can take them, and the marked one and the highlighted one differ', () => {
		const long = ask('x\n'.repeat(50));
		const last = (change: Partial<Answering>) =>
			viewAsk(long, {columns: 60, maxRows: 6, answering: answering(change)}).rows.at(-1)!;
		const [unseen, seen, lit, early] = [
			last({}),
			last({isSeen: true}),
			last({isSeen: true, lit: {choice: 0, typed: '1', due: 1}}),
			last({isSeen: true, lit: {choice: 0, typed: '1', due: 1, isVoid: true}}),
		];
		const styleOf = (row: Row, words: string) => row.spans.find(({text}) => text.startsWith(words))?.style;
		expect([styleOf(unseen, ' 1 Yes'), styleOf(unseen, '❯3 No')]).toEqual(['dim', 'accent']);
		expect(styleOf(seen, ' 1 Yes')).toBe('plain');
		expect(early).toEqual(seen);
		expect(styleOf(lit, '❯1 Yes')).toBe('selection');
	});

	it('have digits in the accent colour in a list, unless they are highlighted', () => {
		const digits = (change: Partial<Answering>) =>
			viewAsk(ask('x'), {columns: 60, maxRows: 20, answering: answering(change)})
				.rows.slice(-3)
				.map(({spans}) => spans.map(({text, style}) => [text, style]));
		expect(digits({})[0]).toEqual([
			['1. ', 'accent'],
			['Yes', 'plain'],
		]);
		expect(digits({lit: {choice: 0, typed: '1', due: 1}})[0]).toEqual([
			['1. ', 'selection'],
			['Yes', 'selection'],
		]);
	});
});

const seed = 61_803;

it.each([
	[40, 6],
	[60, 11],
	[120, 33],
	[200, 8],
])('the card fits any detail on %d columns and %d rows, and scrolling shows the whole detail', (columns, maxRows) => {
	const piece = fc.constantFrom(
		'rm -rf / ',
		'\x1b[2J',
		'\u202e',
		'\r',
		'\t',
		'   ',
		'日本語',
		'👨‍👩‍👧',
		'e\u0301',
		'\u200b',
		'\n',
		'x'.repeat(70),
		'│ → ┆',
		'\x9b31m',
	);
	fc.assert(
		fc.property(
			fc.array(piece, {maxLength: 40}),
			fc.constantFrom('command', 'diff', 'text'),
			fc.boolean(),
			(pieces, shows, many) => {
				const detail = pieces.join('');
				const question = ask(detail, {shows, ...(many && {choices: five})});
				const detailed = detailRows(question, columns);
				const all = detailed.slice(0, detailed.length).map(plainText);
				expect(saidBy(all)).toBe(detail.replace(/\n$/, '').split('\n').map(sanitizeLine).join('\n'));
				const {total, shown} = viewAsk(question, {columns, maxRows});
				for (let scroll = 0; scroll <= total - shown; scroll++) {
					const rows = rowsOf(question, columns, maxRows, {scroll});
					expect(rows.length).toBeLessThanOrEqual(maxRows);
					expect(rows.slice(1, 1 + Math.max(0, Math.min(shown, all.length - scroll)))).toEqual(
						all.slice(scroll, scroll + shown),
					);
					for (const row of rows) {
						expect(width(row)).toBeLessThanOrEqual(columns);
						expect(row).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b\u202e]/);
					}
				}
			},
		),
		{seed, numRuns: process.env['INKPOD_TEST'] === 'long' ? 2000 : 100},
	);
});
