import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {Item} from '../../../../../src/pod/protocol.ts';
import {textOf} from '../../../../../src/screen/spans/row.ts';
import {searchTexts, createScan, type Scan} from '../../../../../src/screen/model/search/scan/scan.ts';
import {locate, matchMarks} from '../../../../../src/screen/model/search/scan/locate.ts';
import {patternOf} from '../../../../../src/screen/model/search/search-state.ts';
import {createTranscriptStore} from '../../../../../src/screen/rows/store.ts';
import {atEnd, visible} from '../../../../../src/screen/rows/viewport/viewport.ts';
import {createItems} from '../../../../helpers/items.ts';

const seed = 4711;
const detail = {view: 'detail', columns: 80} as const;
const long = process.env['INKPOD_TEST'] === 'long';

function storeOf(items: readonly Item[], columns = 80) {
	const store = createTranscriptStore({columns, view: 'detail'});
	store.dispatch({
		type: 'snapshot',
		session: {id: 's', model: 'm', scope: {pwd: '/', writable: true, readRoots: []}},
		items,
		tail: [],
		status: {kind: 'idle', asks: [], queue: []},
	});
	return store;
}

async function done(scan: Scan): Promise<void> {
	while (!scan.total().isDone) await new Promise(resolve => setImmediate(resolve));
}

describe('a scan', () => {
	const make = createItems();
	const items = [
		make.user('find me'),
		make.assistant('nothing here'),
		make.user('find find'),
		make.file('a.ts', `${'line\n'.repeat(20)}find the end`),
		make.assistant('**fi**nd &amp; found'),
	];

	it('counts all matches, including hidden ones and those across markup, and steps around the ends', async () => {
		const store = storeOf(items);
		const scan = createScan({
			source: store,
			pattern: patternOf('find')!,
			form: detail,
			from: 1,
			to: 3,
			texts: new Map(),
			onProgress() {},
		});
		await done(scan);
		expect(scan.total()).toEqual({count: 5, isDone: true});
		const walked = [scan.first()!];
		for (let at = 0; at < 5; at++) walked.push(scan.step(walked.at(-1)!, 1)!);
		expect(walked.map(match => scan.before(match))).toEqual([1, 2, 3, 4, 0, 1]);
		expect(scan.step(walked[4]!, -1)).toEqual(walked[3]);
	});

	it('counts new matches while a session continues', async () => {
		const store = storeOf(items.slice(0, 2));
		const scan = createScan({
			source: store,
			pattern: patternOf('find')!,
			form: detail,
			from: 0,
			to: 2,
			texts: new Map(),
			onProgress() {},
		});
		await done(scan);
		for (const item of items.slice(2)) store.dispatch({type: 'item', item});
		scan.refresh(false);
		await done(scan);
		expect(scan.total().count).toBe(5);
	});

	it('gives way to other work many times in 100,000 rows', async () => {
		const body = Array.from({length: 40}, (_, line) => `line ${line} with some words of a file`).join('\n');
		const turns = Array.from({length: long ? 2000 : 400}, (_, turn) => [
			make.user(`question ${turn}`),
			make.assistant(`# Answer ${turn}\n\n${'Some **words** and `code`.\n'.repeat(8)}`),
			make.file(`f${turn}.ts`, body),
		]).flat();
		const store = storeOf(turns);
		let slices = 0;
		const scan = createScan({
			source: store,
			pattern: patternOf('words')!,
			form: detail,
			from: turns.length - 3,
			to: turns.length,
			texts: new Map(),
			onProgress() {},
		});
		while (!scan.total().isDone) {
			await new Promise(resolve => setImmediate(resolve));
			slices++;
		}
		expect(scan.total().count).toBe((turns.length / 3) * 48);
		expect(slices).toBeGreaterThan(4);
	});
});

describe('a match in a block', () => {
	const pieces = [
		'needle',
		'Needle',
		'hay ',
		' ',
		'日本語',
		'👨‍👩‍👧',
		'e\u0301',
		'\t',
		'\n',
		'x'.repeat(30),
		'\u001b[2J',
	];
	const text = fc
		.array(fc.constantFrom(...pieces), {minLength: 1, maxLength: 40})
		.map(list => list.join(''))
		.filter(made => made.trim() !== '');

	it('is found equally often in its rows at any width', () => {
		fc.assert(
			fc.property(
				text,
				fc.integer({min: 16, max: 100}),
				fc.constantFrom('needle', 'hay n', '日本', 'é', 'xx'),
				(body, columns, query) => {
					const store = storeOf([createItems().file('a', body)], columns);
					const pattern = patternOf(query)!;
					const count = searchTexts(store.block(0)!, detail).join('\n').match(pattern)?.length ?? 0;
					expect(locate(store.rows(0), pattern, 0).count).toBe(count);
				},
			),
			{seed, numRuns: long ? 2000 : 150},
		);
	});

	it('is marked on every row over which it wraps, and exactly matches the query', () => {
		fc.assert(
			fc.property(
				text,
				fc.integer({min: 16, max: 60}),
				fc.constantFrom('needle', '日本', 'é', 'hay n'),
				(body, columns, query) => {
					const store = storeOf([createItems().file('a', body)], columns);
					const pattern = patternOf(query)!;
					const {rows} = visible(store, atEnd, 500);
					const marks = matchMarks(store, pattern, rows);
					const marked = rows
						.flatMap(({key, row}) =>
							(marks.get(key) ?? []).map(({from, to}) => textOf(row).slice(from, to)),
						)
						.join('')
						.replaceAll(' ', '');
					const count = locate(store.rows(0), pattern, 0).count;
					expect(marked.normalize('NFC').toLowerCase()).toBe(query.replaceAll(' ', '').repeat(count));
				},
			),
			{seed, numRuns: long ? 2000 : 150},
		);
	});

	it('is marked once as the current match', () => {
		const store = storeOf([createItems().file('a', 'needle hay needle\nneedle')], 14);
		const pattern = patternOf('needle')!;
		const {found} = locate(store.rows(0), pattern, 1);
		const {rows} = visible(store, atEnd, 50);
		const marks = [...matchMarks(store, pattern, rows, {...found!, id: store.block(0)!.id}).values()].flat();
		expect(marks.map(({look}) => look)).toEqual(['match', 'match.current', 'match']);
	});
});
