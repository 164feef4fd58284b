import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {Item} from '../../../../../src/pod/protocol.ts';
import {searchTexts} from '../../../../../src/screen/model/search/scan/scan.ts';
import {patternOf} from '../../../../../src/screen/model/search/search-state.ts';
import {countAll, numberMatches} from '../../../../../src/screen/model/search/scan/count-matches.ts';
import {textOf} from '../../../../../src/screen/spans/row.ts';
import {createTranscriptStore} from '../../../../../src/screen/rows/store.ts';
import {createItems} from '../../../../helpers/items.ts';

const seed = 4711;
const pattern = patternOf('needle')!;

/** Returns the matches of a block that the normal view shows, and how many the whole block has. */
function matchesOf(items: readonly Item[], columns = 80) {
	const store = createTranscriptStore({columns, view: 'normal'});
	store.dispatch({
		type: 'snapshot',
		session: {id: 's', model: 'm', scope: {pwd: '/', writable: true, readRoots: []}},
		items,
		tail: [],
		status: {kind: 'idle', asks: [], queue: []},
	});
	const texts = searchTexts(store.block(0)!, {view: 'opened', columns});
	const rows = store.rows(0);
	const shown = numberMatches(rows, texts, pattern);
	const rowOf = (row: number) => textOf(rows[row]!);
	const count = countAll(texts, pattern);
	store.toggle(store.block(0)!.id);
	return {shown, count, rowOf, opened: numberMatches(store.rows(0), texts, pattern).length};
}

const make = createItems();
const failed = (output: string) => [
	make.call('a', 'bash', {command: 'npm test'}),
	{...make.result('a', 'exit code 1', `${output}\n[exit code 1]`, true)},
];
const ran = (output: string) => [
	make.call('a', 'bash', {command: 'npm test'}),
	make.item('tool_result', {
		callId: 'a',
		summary: 'exit 1',
		content: `${output}\n[exit 1]`,
		isError: true,
		ms: 1,
		details: {command: {bytes: output.length, exitCode: 1}},
	}),
];

describe('a match that the normal view shows', () => {
	it('has its number in the whole block, before and after the hidden lines', () => {
		const lines = Array.from({length: 30}, (_, line) => (line % 4 === 1 ? `needle ${line}` : `line ${line}`));
		const first = matchesOf([make.file('needle.txt', lines.join('\n'))]);
		expect([first.count, first.opened]).toEqual([9, 9]);
		expect(first.shown.map(({whole, row}) => [whole, first.rowOf(row)])).toEqual([
			[0, 'File needle.txt · 30 lines · 245 B'],
			[1, 'needle 1'],
		]);
		const last = matchesOf(failed(lines.join('\n')));
		expect([last.count, last.opened]).toEqual([8, 8]);
		expect(last.shown.map(({whole, row}) => [whole, last.rowOf(row)])).toEqual([
			[5, 'needle 21'],
			[6, 'needle 25'],
			[7, 'needle 29'],
		]);
	});

	it('has its number in the whole block, between the lines that say what failed', () => {
		const lines = Array.from({length: 20}, (_, line) => `needle ${line}`);
		const output = [...lines, ' FAIL  needle', '', 'needle a', '', 'needle b', '⎯⎯⎯', ...lines, 'end'].join('\n');
		const {shown, count, rowOf} = matchesOf(ran(output));
		expect(count).toBe(43);
		expect(shown.map(({whole, row}) => [whole, rowOf(row)])).toEqual([
			[20, ' FAIL  needle'],
			[21, 'needle a'],
			[22, 'needle b'],
		]);
	});

	it('is not one that the end of a row cuts off', () => {
		const {shown, count} = matchesOf([make.file('a.txt', `needle ${'x'.repeat(80)} needle\nneedle\n3\n4\n5`)]);
		expect([shown.map(({whole}) => whole), count]).toEqual([[0, 2], 3]);
	});

	it('is counted once in a changed file, and not in its arguments and headers', () => {
		const diff = '--- needle.ts\n+++ needle.ts\n@@ -1,2 +1,2 @@ needle\n same\n-a needle\n+two needles\n';
		const {shown, count} = matchesOf([
			make.call('a', 'edit_file', {path: 'needle.ts', edits: [{old: 'a needle', new: 'two needles'}]}),
			make.result('a', '1 edit', diff),
		]);
		expect([shown.map(({whole}) => whole), count]).toEqual([[0, 1, 2], 3]);
	});

	it('is counted once in the command that the title of a call shows', () => {
		const {count} = matchesOf([
			make.call('a', 'bash', {command: 'grep needle'}),
			make.result('a', 'exit code 0', 'found a needle\n[exit code 0]'),
		]);
		expect(count).toBe(2);
	});

	it('has its number in a block that is too long to draw for the count', () => {
		const lines = Array.from({length: 6000}, (_, line) => (line % 100 === 99 ? `needle ${line}` : `line ${line}`));
		const {shown, count} = matchesOf(failed(`\n\n${lines.join('\n')}\n\n`));
		expect([shown.map(({whole}) => whole), count]).toEqual([[59], 60]);
		const diff = `--- a\n+++ a\n@@ -0,0 +1,6000 @@\n${lines.map(line => `+${line}\n`).join('')}`;
		const written = matchesOf([
			make.call('a', 'write_file', {path: 'a', content: lines.join('\n')}),
			make.result('a', 'needle made', diff),
		]);
		expect([written.shown.map(({whole}) => whole), written.count]).toEqual([[0], 61]);
	});

	it('is one of the whole block in every output that says what failed', () => {
		const line = fc.constantFrom(
			'needle',
			'hay',
			'',
			'error needle',
			' FAIL  a',
			'needle needle',
			'⎯⎯⎯',
			'npm notice',
		);
		fc.assert(
			fc.property(fc.array(line, {minLength: 8, maxLength: 60}), lines => {
				const {shown, count, opened} = matchesOf(ran(lines.join('\n')));
				expect(opened).toBe(count);
				expect(new Set(shown.map(({whole}) => whole)).size).toBe(shown.length);
				expect(shown.every(({whole}) => whole < count)).toBe(true);
			}),
			{seed, numRuns: 200},
		);
	});

	it('is one of the whole block in every output, and the rows of the opened block show all', () => {
		const piece = fc.constantFrom('needle', 'hay ', '\n', '\n', 'x'.repeat(30), '日本語', '\t');
		const text = fc.array(piece, {minLength: 1, maxLength: 60}).map(pieces => pieces.join(''));
		fc.assert(
			fc.property(text, fc.integer({min: 40, max: 100}), fc.boolean(), (body, columns, isFile) => {
				const {shown, count, opened} = matchesOf(isFile ? [make.file('a', body)] : failed(body), columns);
				expect(opened).toBe(count);
				expect(new Set(shown.map(({whole}) => whole)).size).toBe(shown.length);
				expect(shown.every(({whole}) => whole < count)).toBe(true);
				// The last lines of a command's output are shown.
				const last = body.trimEnd().split('\n').at(-1) ?? '';
				if (!isFile && last.trim() === 'needle') expect(shown.at(-1)?.whole).toBe(count - 1);
			}),
			{seed, numRuns: 200},
		);
	});
});
