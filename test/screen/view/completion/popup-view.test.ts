import {describe, expect, it} from 'vitest';
import type {Completions, Match} from '../../../../src/pod/protocol.ts';
import {
	answered,
	closedPopup,
	edited,
	highlight,
	nameOf,
	queryOf,
	type Popup,
} from '../../../../src/screen/model/completion/completion-state.ts';
import {viewPopup} from '../../../../src/screen/view/completion/popup-view.ts';
import {tokenAt} from '../../../../src/screen/model/completion/token.ts';
import {draftOf, endOf} from '../../../../src/screen/editor/draft.ts';
import {plainText} from '../../../../src/screen/spans/row.ts';
import {width} from '../../../../src/text/width.ts';

const file = (path: string, marks: readonly number[] = [], ignored = false): Match => ({
	type: 'path',
	path,
	directory: path.endsWith('/'),
	ignored,
	marks,
});
const workflow = (slug: string, description: string): Match => ({type: 'workflow', slug, description, marks: []});

function popup(text: string, matches: readonly Match[], rest: Partial<Completions> = {}): Popup {
	const draft = draftOf(text);
	const open = edited(closedPopup, tokenAt(draft, endOf(draft)));
	return answered(open, {query: queryOf(open)!, matches, indexing: false, ...rest});
}

function rows(state: Popup, columns = 40, maxRows = 12, top = 0): string[] {
	return viewPopup(state, {columns, maxRows, top}).map(plainText);
}

describe('the rows of the popup', () => {
	it('mark the highlighted entry with a sign, directories with a slash, and ignored files with a word', () => {
		expect(rows(popup('@s', [file('src/'), file('src/a.ts'), file('dist/s.js', [], true)]))).toEqual([
			'▸ src/',
			'  src/a.ts',
			'  dist/s.js  ignored',
		]);
	});

	it('emphasise the match', () => {
		const [first, second] = viewPopup(popup('@sa', [file('src/a.ts', [0, 4]), file('src/a.js', [0, 4])]), {
			columns: 40,
			maxRows: 8,
			top: 0,
		});
		expect(first?.spans.slice(0, 2)).toEqual([
			{text: 's', style: ['selection', 'bold']},
			{text: 'rc/', style: 'selection'},
		]);
		expect(second?.spans).toEqual([
			{text: 's', style: 'accent'},
			{text: 'rc/', style: 'plain'},
			{text: 'a', style: 'accent'},
			{text: '.js', style: 'plain'},
		]);
	});

	it('show the ends of long paths', () => {
		expect(
			rows(popup('@x', [file(`${'deep/'.repeat(20)}main.ts`), file(`${'深い/'.repeat(20)}主.ts`)]), 20),
		).toEqual(['▸ …deep/deep/main.ts', '  …/深い/深い/主.ts']);
	});

	it('describe commands and workflows in one truncated row', () => {
		const workflows = [
			workflow('review', 'Looks at what has changed and says what is wrong'),
			workflow('help', 'never shown'),
		];
		expect(rows(popup('/', workflows), 40, 20)).toEqual([
			expect.stringMatching(/^▸ \/help {12}Show commands, .*…$/),
			expect.stringMatching(/^ {2}\/new {13}Start a new/),
			expect.stringMatching(/^ {2}\/clear {11}Start a new/),
			expect.stringMatching(/^ {2}\/resume \[id\] {5}Resume another/),
			expect.stringMatching(/^ {2}\/sessions {8}Show/),
			expect.stringMatching(/^ {2}\/rename \[TITLE\] {2}Name/),
			expect.stringMatching(/^ {2}\/fork {12}Fork/),
			expect.stringMatching(/^↓ \/copy \[n\] {8}Copy/),
		]);
		expect(rows(popup('/rev', workflows), 40, 20)).toEqual([
			expect.stringMatching(/^▸ \/review {2}Looks at what has changed…$/),
		]);
	});

	it('list first what you use most, among entries that match equally well', () => {
		const used = {...closedPopup, used: ['review', 'quit', 'context', 'resume']};
		const names = (text: string) => {
			const draft = draftOf(text);
			const open = edited(used, tokenAt(draft, endOf(draft)));
			const matches = [workflow('review', ''), workflow('plan', '')];
			return answered(open, {query: queryOf(open)!, matches, indexing: false}).entries.map(nameOf);
		};
		expect(names('/').slice(0, 6)).toEqual(['review', 'quit', 'context', 'resume', 'help', 'new']);
		expect(names('/con').slice(0, 2)).toEqual(['context', 'config']);
		expect(names('/re').slice(0, 2)).toEqual(['review', 'resume']);
		expect(names('/m')[0]).toBe('model');
		expect(names('do /').slice(0, 2)).toEqual(['review', 'plan']);
	});

	it('list commands that you may have mistyped, but only if no command matches', () => {
		const names = (text: string) => popup(text, []).entries.map(nameOf);
		expect(names('/modle')).toEqual(['model']);
		expect(names('/cotnex')).toEqual(['context']);
		expect(names('/Qiut')).toEqual(['quit']);
		expect(names('/com')).toEqual(['compact']);
		expect(names('/zzzz')).toEqual([]);
	});

	it('list only workflows at a slash in the middle of a message, and nothing when there are none', () => {
		expect(rows(popup('do /', [workflow('review', 'Looks')]))).toEqual(['▸ /review  Looks']);
		expect(rows(popup('do /', []))).toEqual([]);
		expect(rows(popup('/zzz', []))).toEqual([]);
	});

	it('report that nothing matches, or the reason', () => {
		expect(rows(popup('@zz', []))).toEqual(['  No matching files or directories.']);
		expect(rows(popup('@/etc/p', [], {note: '/etc lies outside of this directory.'}))).toEqual([
			'  /etc lies outside of this directory.',
		]);
		expect(rows(popup('@zz', [], {indexing: true}))).toEqual(['  indexing…']);
	});

	it('report at the bottom that the index is being built', () => {
		expect(rows(popup('@a', [file('a.ts')], {indexing: true}))).toEqual(['▸ a.ts', '  indexing…']);
	});
});

describe('the visible rows of the popup', () => {
	const many = popup(
		'@f',
		Array.from({length: 50}, (_, index) => file(`f${index}`)),
	);

	it.each([
		[0, 0],
		[1, 1],
		[3, 3],
		[8, 4],
		[12, 6],
		[40, 8],
	])('with room for %d are %d', (maxRows, count) => {
		expect(rows(many, 40, maxRows)).toHaveLength(count);
		expect(
			rows({...many, answer: {...many.answer!, indexing: true, note: 'a note'}}, 40, maxRows).length,
		).toBeLessThanOrEqual(Math.max(count, 0));
	});

	it('follow the highlight, with arrows where entries are hidden', () => {
		expect(rows(many, 40, 6)).toEqual(['▸ f0', '  f1', '  f2', '↓ f3']);
		expect(rows(highlight(many, 5), 40, 6)).toEqual(['↑ f2', '  f3', '  f4', '▸ f5']);
		expect(rows(highlight(many, 5), 40, 6, 4)).toEqual(['↑ f4', '▸ f5', '  f6', '↓ f7']);
		expect(rows(highlight(many, -1), 40, 6)).toEqual(['↑ f46', '  f47', '  f48', '▸ f49']);
	});
});

describe('the rows of hostile names', () => {
	const names = [
		'a\x1b[2J\x1b]0;x\x07b',
		'a\nb\r',
		'\u202eevil\u2066',
		'\u0301'.repeat(300),
		'👨‍👩‍👧‍👦'.repeat(40),
		'ส้ำ'.repeat(50),
		'\ud800x',
		'日本'.repeat(60),
		'\u{e0041}'.repeat(9),
		'x'.repeat(4000),
	];

	it.each([1, 2, 3, 5, 10, 40, 80])('are inert and fit on %d columns', columns => {
		const paths = popup(
			'@',
			names.map(name => file(name, [0, 1, 5], true)),
			{note: names.join('')},
		);
		const slugs = popup(
			'x /',
			names.map(name => workflow(name, name)),
		);
		for (const state of [paths, slugs, highlight(paths, 3), highlight(slugs, 4)]) {
			for (const row of rows(state, columns, 20)) {
				expect(row).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
				expect(row.isWellFormed()).toBe(true);
				expect(width(row)).toBeLessThanOrEqual(columns);
			}
		}
	});
});
