import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {Event, Item} from '../../../../src/pod/protocol.ts';
import {textOf} from '../../../../src/screen/spans/row.ts';
import {createTranscriptStore} from '../../../../src/screen/rows/store.ts';
import {
	atEnd,
	hold,
	home,
	keeping,
	pageBy,
	scrollBy,
	settle,
	show,
	toMessage,
	topOf,
	visible,
	type RowSource,
	type Scroll,
} from '../../../../src/screen/rows/viewport/viewport.ts';
import {createItems} from '../../../helpers/items.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const seed = 31_337;
const height = 10;

function snapshot(items: readonly Item[]): Event {
	return {
		type: 'snapshot',
		session: {id: 's', model: 'm', scope: {pwd: '/', writable: true, readRoots: []}},
		items,
		tail: [],
		status: {kind: 'running', asks: [], queue: []},
	};
}

function session(turns: number, columns = 80) {
	const make = createItems();
	const items = Array.from({length: turns}, (_, turn) => [
		make.user(`question ${turn}`),
		make.assistant(`answer ${turn}\n\n${'some words that wrap in a narrow window '.repeat(4)}`),
		make.request(),
		make.end(),
	]).flat();
	const store = createTranscriptStore({columns, view: 'normal'});
	store.dispatch(snapshot(items));
	return {store, make};
}

/** Counts the blocks whose rows were requested. */
function counted(source: RowSource): {asked: Set<number>; source: RowSource} {
	const asked = new Set<number>();
	return {asked, source: {...source, rows: (index: number) => source.rows((asked.add(index), index))}};
}

const lines = (source: RowSource, scroll: Scroll) => visible(source, scroll, height).rows.map(({row}) => textOf(row));

describe('visible', () => {
	it('shows the last rows while the view follows the end', () => {
		const {store} = session(20);
		const all = Array.from({length: store.count()}, (_, index) => store.rows(index))
			.flat()
			.map(textOf);
		expect(lines(store, atEnd)).toEqual(all.slice(-height));
	});

	it('shows everything from the top when the rows fill less than a screen', () => {
		const {store} = session(1);
		expect(visible(store, atEnd, 50).rows.length).toBeLessThan(50);
		expect(textOf(visible(store, atEnd, 50).rows[1]!.row)).toBe('question 0');
	});

	it('renders only the visible part of a session with 2000 turns', () => {
		const {store} = session(2000);
		const {asked, source} = counted(store);
		visible(source, atEnd, height);
		expect(asked.size).toBeLessThanOrEqual(6);
		const top = home(source, atEnd, height);
		visible(source, scrollBy(source, top, height, 3), height);
		expect(asked.size).toBeLessThanOrEqual(16);
	});

	it('returns rows with unique keys', () => {
		const {store} = session(5);
		const keys = visible(store, atEnd, 100).rows.map(({key}) => key);
		expect(new Set(keys).size).toBe(keys.length);
	});
});

describe('scrollBy', () => {
	it('follows the end again after up and down', () => {
		const {store} = session(10);
		const up = scrollBy(store, atEnd, height, -7);
		expect(up.follow).toBe(false);
		expect(scrollBy(store, up, height, 6).follow).toBe(false);
		expect(scrollBy(store, up, height, 7)).toBe(atEnd);
	});

	it('shows the same rows as a list of all rows, after any moves', () => {
		const {store} = session(12);
		const all = Array.from({length: store.count()}, (_, index) => store.rows(index))
			.flat()
			.map(textOf);
		fc.assert(
			fc.property(fc.array(fc.integer({min: -40, max: 40}), {maxLength: 12}), moves => {
				let scroll: Scroll = atEnd;
				let top = all.length - height;
				for (const move of moves) {
					scroll = scrollBy(store, scroll, height, move);
					top = Math.max(0, Math.min(all.length - height, top + move));
					expect(lines(store, scroll)).toEqual(all.slice(top, top + height));
				}
			}),
			{seed, numRuns: long ? 3000 : 100},
		);
	});

	it('keeps the same rows when more arrive below, and counts the new blocks', () => {
		const {store, make} = session(10);
		const scroll = pageBy(store, atEnd, height, -2);
		const before = lines(store, scroll);
		store.dispatch({type: 'item', item: make.user('more')});
		const begin = {...make.assistant(''), text: ''};
		store.dispatch({type: 'delta', id: begin.id, text: '', begin});
		for (let chunk = 0; chunk < 30; chunk++)
			store.dispatch({type: 'delta', id: begin.id, text: 'streaming words\n\n'});
		expect(lines(store, scroll)).toEqual(before);
		expect(visible(store, scroll, height).below).toBe(2);
		expect(visible(store, atEnd, height).below).toBe(0);
	});

	it('finds the row with the same text at another width, and the same row when the width changes back', () => {
		const {store} = session(30);
		const tops: string[] = [];
		for (let up = 51; up <= 60; up++) {
			const scroll = scrollBy(store, atEnd, height, -up);
			const before = lines(store, scroll);
			const top = before[0]!;
			tops.push(top);
			store.setLayout({columns: 30});
			const narrow = lines(store, scroll)[0]!;
			if (top === '') expect(narrow).toBe('');
			else expect(narrow).toContain(top.split(' ')[0]);
			store.setLayout({columns: 80});
			expect(lines(store, scroll)).toEqual(before);
		}
		expect(tops).toEqual(expect.arrayContaining(['', 'question 23', 'answer 23', 'narrow window ']));
	});

	it('keeps the first row at another height', () => {
		const {store} = session(30);
		const scroll = scrollBy(store, atEnd, height, -53);
		const first = lines(store, scroll)[0];
		expect(textOf(visible(store, scroll, 25).rows[0]!.row)).toBe(first);
	});

	it('fills the screen when the provisional block at the top disappears', () => {
		const {store, make} = session(3);
		const begin = make.assistant('');
		store.dispatch({type: 'delta', id: begin.id, text: 'word\n\n'.repeat(40), begin});
		const scroll = scrollBy(store, atEnd, height, -5);
		expect(scroll).toMatchObject({id: begin.id});
		store.dispatch({type: 'item', item: make.end('cancelled')});
		expect(visible(store, scroll, height).rows).toHaveLength(height);
	});
});

describe('toMessage', () => {
	it('visits the user messages in both directions, then the end', () => {
		const {store} = session(5);
		const back = toMessage(store, toMessage(store, atEnd, height, -1), height, -1);
		expect(lines(store, back)[1]).toMatch(/^question \d$/);
		const first = [1, 2, 3, 4, 5].reduce(scroll => toMessage(store, scroll, height, -1), atEnd);
		expect(lines(store, first)[1]).toBe('question 0');
		expect(lines(store, toMessage(store, first, height, 1))[1]).toBe('question 1');
		expect([1, 2, 3, 4, 5, 6].reduce(scroll => toMessage(store, scroll, height, 1), first)).toBe(atEnd);
	});
});

describe('the count of new blocks', () => {
	it('includes new blocks and a last one that grew, but no footer, however rows are wrapped', () => {
		const {store, make} = session(10);
		store.dispatch({
			type: 'delta',
			id: 'tail',
			text: 'begun',
			begin: {id: 'tail', at: '2026-01-01T00:00:00.000Z', type: 'message', role: 'assistant', text: ''},
		});
		const up = scrollBy(store, atEnd, height, -20);
		expect(visible(store, up, height).below).toBe(0);
		store.dispatch({type: 'delta', id: 'tail', text: ' and grown'});
		expect(visible(store, up, height).below).toBe(1);
		for (const item of [
			{...make.assistant('begun and grown'), id: 'tail'},
			make.user('more'),
			make.assistant('yes'),
			make.request(),
			make.end(),
		])
			store.dispatch({type: 'item', item});
		expect(visible(store, up, height).below).toBe(3);
		store.setLayout({columns: 33, view: 'detail'});
		expect(visible(store, up, height).below).toBe(3);
	});
});

describe('a view during a selection', () => {
	it('stays on its row at the end while more rows arrive, and then follows the end again', () => {
		const {store, make} = session(10);
		const held = hold(store, atEnd, height);
		expect(settle(store, held, height)).toBe(atEnd);
		const before = lines(store, held);
		store.dispatch({type: 'item', item: make.user('more')});
		expect(lines(store, held)).toEqual(before);
		expect(settle(store, held, height)).toBe(held);
	});

	it('stays on its row while a block below is expanded', () => {
		const make = createItems();
		const store = createTranscriptStore({columns: 80, view: 'normal'});
		const file = make.file('a.ts', 'line\n'.repeat(50));
		store.dispatch(snapshot([...Array.from({length: 10}, (_, turn) => make.user(`question ${turn}`)), file]));
		const before = lines(store, atEnd);
		const kept = keeping(store, atEnd, height, () => store.toggle(file.id));
		expect(lines(store, kept).slice(0, 7)).toEqual(before.slice(0, 7));
	});
});

it('a requested row is on the screen afterwards, and the view stays in place if it already was', () => {
	const {store} = session(12);
	fc.assert(
		fc.property(fc.nat({max: store.count() - 1}), fc.integer({min: -200, max: 0}), (index, moved) => {
			if (store.rows(index).length === 0) return;
			const from = scrollBy(store, atEnd, height, moved);
			const to = show(store, from, height, {index, row: 0});
			const id = store.block(index)!.id;
			const isOn = (scroll: Scroll) =>
				visible(store, scroll, height).rows.some(({block, index: row}) => block.id === id && row === 0);
			expect(isOn(to)).toBe(true);
			if (isOn(from)) expect(topOf(store, to, height)).toEqual(topOf(store, from, height));
		}),
		{seed, numRuns: 100},
	);
});
