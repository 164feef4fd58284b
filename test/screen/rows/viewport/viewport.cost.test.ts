import {describe, expect, it} from 'vitest';
import {textOf} from '../../../../src/screen/spans/row.ts';
import {createTranscriptStore, type TranscriptStore} from '../../../../src/screen/rows/store.ts';
import {
	atEnd,
	home,
	pageBy,
	scrollBy,
	toMessage,
	visible,
	type RowSource,
	type Scroll,
} from '../../../../src/screen/rows/viewport/viewport.ts';
import {running, session} from '../../../helpers/fake-app.ts';
import {createItems} from '../../../helpers/items.ts';

const height = 35;
const words = 'some words that wrap in a window of a hundred columns '.repeat(8);

function storeOf(turns: number): TranscriptStore {
	const make = createItems();
	const items = Array.from({length: turns}, (_, turn) => [
		make.user(`question ${turn}`),
		make.assistant(`answer ${turn}\n\n${words}\n\n- a\n- b\n`),
		make.request(),
		make.end(),
	]).flat();
	const store = createTranscriptStore({columns: 100, view: 'normal'});
	store.dispatch({type: 'snapshot', session, items, tail: [], status: running});
	return store;
}

/** Counts how often a source returns a block, or a row of one. */
function counting(source: RowSource) {
	let count = 0;
	const seen = <Value extends object>(list: Value): Value =>
		new Proxy(list, {
			get(target, key) {
				if (typeof key === 'string' && /^\d+$/.test(key)) count++;
				return Reflect.get(target, key) as unknown;
			},
		});
	const counted: RowSource = {
		count: () => source.count(),
		indexOf: id => source.indexOf(id),
		layoutVersion: () => source.layoutVersion(),
		block: index => (count++, source.block(index)),
		rows: index => (count++, seen(source.rows(index))),
	};
	return {source: counted, take: () => [count, (count = 0)][0]!};
}

const moves: ReadonlyArray<readonly [name: string, move: (source: RowSource, scroll: Scroll) => Scroll]> = [
	['at the end', (_, scroll) => scroll],
	['a page up', (source, scroll) => pageBy(source, scroll, height, -1)],
	['the wheel up', (source, scroll) => scrollBy(source, scroll, height, -3)],
	['the wheel down', (source, scroll) => scrollBy(source, scroll, height, 3)],
	['a message up', (source, scroll) => toMessage(source, scroll, height, -1)],
	['the beginning', (source, scroll) => home(source, scroll, height)],
	['a page down', (source, scroll) => pageBy(source, scroll, height, 1)],
];

/** Returns the number of reads for each scroll and the frame after it. */
function looks(store: TranscriptStore): Record<string, number> {
	const {source, take} = counting(store);
	let scroll: Scroll = atEnd;
	return Object.fromEntries(
		moves.map(([name, move]) => {
			scroll = move(source, scroll);
			visible(source, scroll, height);
			return [name, take()];
		}),
	);
}

describe('the work for a frame', () => {
	it('is the same in sessions of 10,000 and 1,000 rows', () => {
		const [short, long] = [storeOf(100), storeOf(1000)];
		const rows = (store: TranscriptStore) =>
			Array.from({length: store.count()}, (_, index) => store.rows(index).length).reduce(
				(sum, count) => sum + count,
				0,
			);
		expect(rows(short)).toBeGreaterThan(1000);
		expect(rows(long)).toBeGreaterThan(10_000);
		expect(looks(long)).toEqual(looks(short));
	});

	it('is a constant part of the blocks for each delta', () => {
		const made = [100, 1000].map(turns => {
			const store = storeOf(turns);
			const make = createItems('late');
			const begin = make.assistant('');
			visible(store, atEnd, height);
			const {source, take} = counting(store);
			store.dispatch({type: 'delta', id: begin.id, text: 'one', begin});
			visible(source, atEnd, height);
			store.dispatch({type: 'delta', id: begin.id, text: ' two'});
			visible(source, atEnd, height);
			return take();
		});
		expect(made[1]).toBe(made[0]);
	});

	it('is the same in blocks of 50,000 and 500 rows, even while the width changes', () => {
		const made = [500, 50_000].map(lines => {
			const make = createItems();
			const store = createTranscriptStore({columns: 100, view: 'detail'});
			store.dispatch({
				type: 'snapshot',
				session,
				items: [make.file('a.txt', Array.from({length: lines}, (_, line) => `line ${line}`).join('\n'))],
				tail: [],
				status: running,
			});
			const {source, take} = counting(store);
			const scroll = scrollBy(source, atEnd, height, -200);
			visible(source, scroll, height);
			const before = take();
			const shown = textOf(visible(source, scroll, height).rows[0]!.row);
			store.setLayout({columns: 60});
			expect(textOf(visible(source, scroll, height).rows[0]!.row)).toBe(shown);
			// The first frame finds the anchor again.
			take();
			visible(source, scroll, height);
			return [before, take()];
		});
		expect(made[1]).toEqual(made[0]);
	});
});

it('the row cache drops the least recently shown rows', () => {
	const store = storeOf(2500);
	const first = store.rows(0);
	expect(store.rows(0)).toBe(first);
	for (let index = 0; index < store.count(); index++) store.rows(index);
	expect(store.rows(0)).not.toBe(first);
	expect(store.rows(0)).toEqual(first);
});
