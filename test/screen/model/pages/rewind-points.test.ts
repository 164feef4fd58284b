import {describe, expect, it} from 'vitest';
import type {Item} from '../../../../src/pod/protocol.ts';
import {fold} from '../../../../src/transcript/fold.ts';
import {emptyFold} from '../../../../src/transcript/fold-state.ts';
import {pointsOf} from '../../../../src/screen/model/pages/rewind-points.ts';
import {createItems} from '../../../helpers/items.ts';

function points(items: readonly Item[]) {
	const state = emptyFold();
	for (const item of items) fold(state, item);
	const {points, undo} = pointsOf(state);
	return {
		points: points.map(({item, to, files}) => [item.text, to, files]),
		undo: undo && [undo.id, undo.message?.text],
	};
}

const turn = (make: ReturnType<typeof createItems>, text: string): Item[] => [
	make.user(text),
	make.assistant('Yes.'),
	make.request(),
	make.end(),
];
const edits = (make: ReturnType<typeof createItems>, ...reals: string[]): Item[] =>
	reals.flatMap((real, index) => [
		make.call(`c${index}`, 'edit_file', {path: real}),
		{...make.result(`c${index}`, '', ''), details: {changed: [{path: real, real, after: 'x'}]}},
	]);

describe('the messages to rewind to', () => {
	it("are the user's messages, newest first, with the number of changed files since", () => {
		const make = createItems();
		const items = [
			make.setup(),
			...turn(make, 'one'),
			make.user('two'),
			...edits(make, '/a', '/b'),
			make.end(),
			make.user('three'),
			...edits(make, '/a'),
			make.end(),
			make.user('four'),
		];
		const idBefore = (text: string) =>
			items[items.findIndex(item => item.type === 'message' && item.text === text) - 1]!.id;
		expect(points(items)).toEqual({
			points: [
				['four', idBefore('four'), 0],
				['three', idBefore('three'), 1],
				['two', idBefore('two'), 2],
				['one', items[0]!.id, 2],
			],
			undo: undefined,
		});
	});

	it('exclude rewound messages but count their files, and name the undo by the first message', () => {
		const make = createItems();
		const items: Item[] = [
			make.setup(),
			...turn(make, 'one'),
			make.user('two'),
			...edits(make, '/a'),
			make.end(),
			...turn(make, 'three'),
		];
		const rewind = make.item('rewind', {to: items[4]!.id});
		items.push(rewind, ...turn(make, 'other'));
		expect(points(items)).toEqual({
			points: [
				['other', rewind.id, 0],
				['one', items[0]!.id, 1],
			],
			undo: [rewind.id, 'two'],
		});
		items.push(make.item('context', {op: 'restore', ids: [rewind.id]}));
		expect(points(items)).toMatchObject({
			points: [
				['other', rewind.id, 0],
				['three', expect.any(String), 0],
				['two', items[4]!.id, 1],
				['one', items[0]!.id, 1],
			],
			undo: undefined,
		});
		items.push(make.item('context', {op: 'restore', ids: [items.at(-1)!.id]}));
		expect(points(items)).toMatchObject({
			points: [
				['other', rewind.id, 0],
				['one', items[0]!.id, 1],
			],
			undo: [rewind.id, 'two'],
		});
	});

	it('are empty after a rewind to no item, and have no entry before the first item', () => {
		const make = createItems();
		const items = [make.user('first'), make.user('second'), make.item('rewind', {to: 'nowhere'})];
		expect(points(items)).toMatchObject({points: [['second', items[0]!.id, 0]], undo: undefined});
	});
});
