import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {Item} from '../../src/pod/protocol.ts';
import {gutterCells, textOf} from '../../src/screen/spans/row.ts';
import {paintRow} from '../../src/screen/spans/paint-row.ts';
import {createTheme} from '../../src/screen/spans/theme.ts';
import {fold, foldMany, rollBack} from '../../src/transcript/fold.ts';
import {emptyFold, type FoldState, type Journal} from '../../src/transcript/fold-state.ts';
import {createTranscriptStore} from '../../src/screen/rows/store.ts';
import {liveItems} from '../../src/worker/index.ts';
import {createItems} from '../helpers/items.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_126);

function foldAll(items: readonly Item[]): FoldState {
	const state = emptyFold();
	for (const item of items) fold(state, item);
	return state;
}

/** Returns the ids of the marked blocks. */
const marked = (items: readonly Item[]) => foldAll(items).blocks.flatMap(({id, rewound}) => (rewound ? [id] : []));

/** Returns two turns, with a setup in the second. */
function twoTurns() {
	const make = createItems();
	const first: Item[] = [make.setup(), make.user('one'), make.assistant('Yes.'), make.request(), make.end()];
	const second: Item[] = [
		make.user('two'),
		make.setup(),
		make.call('c', 'bash', {command: 'ls'}),
		make.request('tool_calls'),
		make.result('c', 'done', 'x'),
		make.assistant('No.'),
		make.request(),
		make.end(),
	];
	return {make, first, second, back: make.item('rewind', {to: first.at(-1)!.id})};
}

describe('a history with 20,000 rewinds', () => {
	const seen = (items: readonly Item[]) => {
		const state = emptyFold();
		for (const _ of foldMany(state, items));
		return state;
	};

	it('marks all of them but the last if each goes back to the same item', () => {
		const make = createItems();
		const first = make.assistant('Yes.');
		const rewinds = Array.from({length: 20_000}, () => make.item('rewind', {to: first.id}));
		const {blocks} = seen([first, ...rewinds]);
		expect(blocks.filter(({rewound}) => rewound)).toHaveLength(19_999);
		expect([blocks[0]?.rewound, blocks.at(-1)?.rewound]).toEqual([undefined, undefined]);
	});

	it('names the message that each of them removed', () => {
		const make = createItems();
		const messages = Array.from({length: 20_000}, (_, index) => make.user(`m${index}`));
		const rewinds = messages.toReversed().map(({id}) => make.item('rewind', {to: id}));
		const {blocks} = seen([...messages, ...rewinds]);
		expect(blocks.slice(20_000, 20_003).map(block => 'names' in block && block.names)).toEqual([
			false,
			['“m19999”'],
			['“m19998”'],
		]);
		expect(blocks.filter(({rewound}) => rewound)).toHaveLength(39_998);
	});
});

describe('the blocks that a rewind removed', () => {
	it('are marked, except setups, which stay in effect', () => {
		const {make, first, second, back} = twoTurns();
		const expected = ['i6', 'i8', 'i9', 'i11', 'i12'];
		expect(marked([...first, ...second, back])).toEqual(expected);
		expect(marked([...first, ...second, back, make.user('three'), make.assistant('Yes.')])).toEqual(expected);
	});

	it('are not marked after they are restored', () => {
		const {make, first, second, back} = twoTurns();
		const undo = make.item('context', {op: 'restore', ids: [back.id]});
		expect(marked([...first, ...second, back, undo])).toEqual([]);
		expect(
			marked([...first, ...second, back, undo, make.item('context', {op: 'restore', ids: [undo.id]})]),
		).toEqual(['i6', 'i8', 'i9', 'i11', 'i12']);
		expect(marked([...first, ...second, back, make.item('rewind', {to: second.at(-1)!.id})])).toEqual([back.id]);
	});

	it('keep their mark when more of them arrives, and lose it on undo', () => {
		const {make, first, second, back} = twoTurns();
		const items = [...first, ...second.slice(0, 4), back];
		const state = foldAll(items);
		const journal: Journal = [];
		fold(state, second[4]!, true, journal);
		expect(state.blocks.find(({id}) => id === 'i8')).toMatchObject({rewound: true, result: {callId: 'c'}});
		fold(state, make.item('context', {op: 'restore', ids: [back.id]}), true, journal);
		expect(state.blocks.filter(({rewound}) => rewound)).toEqual([]);
		rollBack(journal);
		expect(state).toEqual(foldAll(items));
	});

	it('are an empty list for an unknown item or for the last one', () => {
		const {make, first} = twoTurns();
		expect(marked([...first, make.item('rewind', {to: 'nowhere'})])).toEqual([]);
		expect(marked([...first, make.item('rewind', {to: first.at(-1)!.id})])).toEqual([]);
	});

	it(`are marked exactly when the context lacks them (seed ${seed})`, () => {
		const anyAct = fc.record({kind: fc.constantFrom('turn', 'turn', 'rewind', 'restore', 'pin'), pick: fc.nat()});
		fc.assert(
			fc.property(fc.array(anyAct, {maxLength: 24}), acts => {
				const make = createItems();
				const items: Item[] = [make.setup(), make.user('one'), make.assistant('Yes.')];
				for (const {kind, pick} of acts) {
					const {id} = items[pick % items.length]!;
					if (kind === 'turn')
						items.push(make.user('more'), make.assistant('Yes.'), make.request(), make.end());
					else if (kind === 'rewind') items.push(make.item('rewind', {to: id}));
					else
						items.push(
							make.item('context', {
								op: kind,
								ids: items
									.filter(({type}) => type === 'rewind' || type === 'context')
									.map(act => act.id)
									.slice(-1 - (pick % 3)),
							}),
						);
				}
				const live = new Set(liveItems(items).map(({id}) => id));
				const spoken = items.filter(({type}) => type === 'message' || type === 'request').map(({id}) => id);
				expect(marked(items).filter(id => spoken.includes(id))).toEqual(spoken.filter(id => !live.has(id)));
			}),
			{seed, numRuns: long ? 2000 : 150},
		);
	});
});

it('a rewound block is dim in all rows with the same text, and coloured again after an undo', () => {
	const {make, first, second, back} = twoTurns();
	const store = createTranscriptStore({columns: 60, view: 'normal'});
	store.dispatch({
		type: 'snapshot',
		session: {id: 's', model: 'm', scope: {pwd: '/', writable: true, readRoots: []}},
		items: [...first, ...second],
		tail: [],
		status: {kind: 'idle', asks: [], queue: []},
	});
	const rows = () => Array.from({length: store.count()}, (_, index) => store.rows(index));
	const before = rows();
	store.dispatch({type: 'item', item: back});
	const index = store.indexOf('i6')!;
	expect(rows()[index]!.map(row => paintRow(row, createTheme(1)))).toEqual([
		'',
		'\u001b[2m▌ \u001b[22m\u001b[2mtwo\u001b[22m',
	]);
	const shapes = (blocks: typeof before) =>
		blocks.map(own => own.map(row => [textOf(row), gutterCells(row), row.continued]));
	expect(shapes(rows().slice(0, before.length))).toEqual(shapes(before));
	expect(rows()[index]!.at(-1)).toMatchObject({
		spans: [{text: 'two', style: 'dim'}],
		gutter: {text: '▌ ', style: 'dim'},
	});
	store.dispatch({type: 'item', item: make.item('context', {op: 'restore', ids: [back.id]})});
	expect(rows().slice(0, before.length)).toEqual(before);
	store.dispose();
});
