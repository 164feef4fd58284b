import {describe, expect, it} from 'vitest';
import type {Item} from '../../../src/pod/protocol.ts';
import {plainText} from '../../../src/screen/spans/row.ts';
import {createTranscriptStore} from '../../../src/screen/rows/store.ts';
import type {View} from '../../../src/transcript/block.ts';
import {createItems} from '../../helpers/items.ts';

const diff = [
	'--- a.ts',
	'+++ a.ts',
	'@@ -1,3 +1,3 @@',
	' one',
	'-two',
	'+TWO',
	' three',
	'@@ -9,2 +9,3 @@',
	' nine',
	'+ten',
	' eleven',
	'',
].join('\n');

/** Returns the rows of a call in a view, opened or not. */
function rowsOf(items: readonly Item[], {isOpened, view = 'normal'}: {isOpened: boolean; view?: View}) {
	const store = createTranscriptStore({columns: 80, view});
	store.dispatch({
		type: 'snapshot',
		session: {id: 's', model: 'm', scope: {pwd: '/', writable: true, readRoots: []}},
		items,
		tail: [],
		status: {kind: 'idle', asks: [], queue: []},
	});
	if (isOpened) store.toggle(store.block(0)!.id);
	return store
		.rows(0)
		.map(row => plainText(row).trimEnd())
		.filter(row => row !== '');
}

describe('an opened call', () => {
	const make = createItems();

	it('shows a changed file once: the diff without headers, and no arguments, which the diff repeats', () => {
		const items = [
			make.call('a', 'edit_file', {path: 'a.ts', edits: [{old: 'two', new: 'TWO'}]}),
			make.result('a', '2 edits', diff),
		];
		const rows = [
			'● Edit a.ts · 2 edits · +2 −1',
			'  │  1  one',
			'  │  2 -two',
			'  │  2 +TWO',
			'  │  3  three',
			'  │    …',
			'  │  9  nine',
			'  │ 10 +ten',
			'  │ 11  eleven',
		];
		expect(rowsOf(items, {isOpened: true})).toEqual(rows);
		const all = rowsOf(items, {isOpened: true, view: 'detail'});
		expect(all).toContain('  ┊ edits: [{"old":"two","new":"TWO"}]');
		expect(all).toContain('  │    @@ -1,3 +1,3 @@');
	});

	it('shows the diff of a change that the model did not read, and the notes that it read', () => {
		const edit = make.call('a', 'edit_file', {path: 'a.ts', edits: [{old: 'two', new: 'TWO'}]});
		const plain = {...make.result('a', '2 edits', '2 edits'), details: {diff}};
		const noted = {...make.result('a', '2 edits', '2 edits\n[not saved]'), details: {diff}};
		const stored = make.result('a', '2 edits', diff);
		for (const isOpened of [false, true]) {
			expect(rowsOf([edit, plain], {isOpened})).toEqual(rowsOf([edit, stored], {isOpened}));
			expect(rowsOf([edit, noted], {isOpened}).join('\n')).toContain('[not saved]');
		}
	});

	it('tells in the detail view what the model reads instead of the diff', () => {
		const edit = make.call('a', 'edit_file', {path: 'a.ts', edits: [{old: 'two', new: 'TWO'}]});
		const result = {...make.result('a', '2 edits', '2 edits\n[not saved]'), details: {diff}};
		const all = rowsOf([edit, result], {isOpened: true, view: 'detail'});
		expect(all.slice(-2)).toEqual(['  │ the model reads: 2 edits', '  │ [not saved]']);
		expect(all.join('\n').split('[not saved]')).toHaveLength(2);
		expect(rowsOf([edit, result], {isOpened: true}).join('\n')).not.toContain('the model reads');
	});

	it('shows the arguments of an edit that failed, because no diff shows them', () => {
		const items = [
			make.call('a', 'edit_file', {path: 'a.ts', edits: [{old: 'two', new: 'TWO'}]}),
			make.result('a', 'failed', 'a.ts does not contain "two"', true),
		];
		expect(rowsOf(items, {isOpened: true})).toEqual([
			'× Edit a.ts · failed',
			'  ┊ edits: [{"old":"two","new":"TWO"}]',
			'  │ a.ts does not contain "two"',
		]);
	});

	it('shows the whole output of a command, and its arguments except for the one in the title', () => {
		const output = `\n${Array.from({length: 8}, (_, line) => `line ${line}`).join('\n')}\n\n[exit code 0]`;
		const items = [
			make.call('a', 'bash', {command: 'npm test', timeout: 20}),
			make.result('a', 'exit code 0', output),
		];
		expect(rowsOf(items, {isOpened: true})).toEqual([
			'● Run npm test',
			'  ┊ timeout: 20',
			...Array.from({length: 8}, (_, line) => `  │ line ${line}`),
		]);
		expect(rowsOf(items, {isOpened: true, view: 'overview'})).toEqual(rowsOf(items, {isOpened: true}));
		expect(rowsOf(items, {isOpened: true, view: 'detail'})).toContain('  ┊ command: npm test');
	});

	it('shows an argument that its title shows only in part', () => {
		const command = `echo ${'long '.repeat(40)}end`;
		const items = [make.call('a', 'bash', {command}), make.result('a', 'exit code 0', 'x\n')];
		expect(rowsOf(items, {isOpened: true}).join('')).toContain('┊ command: echo long');
	});
});
