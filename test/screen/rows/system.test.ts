import {describe, expect, it} from 'vitest';
import type {Event, Item} from '../../../src/pod/protocol.ts';
import {plainText} from '../../../src/screen/spans/row.ts';
import type {View} from '../../../src/transcript/block.ts';
import {createTranscriptStore} from '../../../src/screen/rows/store.ts';
import {createItems} from '../../helpers/items.ts';

const snapshot: Event = {
	type: 'snapshot',
	session: {id: 's', model: 'm', scope: {pwd: '/', writable: true, readRoots: []}},
	items: [],
	tail: [],
	status: {kind: 'idle', asks: [], queue: []},
};

function storeOf(view: View, ...events: readonly Event[]) {
	const store = createTranscriptStore({columns: 60, view});
	for (const event of [snapshot, ...events]) store.dispatch(event);
	const rows = () =>
		Array.from({length: store.count()}, (_, index) => store.rows(index))
			.flat()
			.map(row => plainText(row).trimEnd());
	return {store, rows};
}

const origin = {kind: 'shell', command: 'a\nb', bytes: 0, totalBytes: 0, truncated: false};

describe('a running command', () => {
	const begun = createItems().system('[Shell: a\nb]\n', origin);

	it('shows its last lines, and all of them in the detail view, but no exit', () => {
		const output: Event = {type: 'delta', id: begun.id, text: '1\n2\n3\n4\n5\n[exit code 0]'};
		const begin: Event = {type: 'delta', id: begun.id, text: '', begin: begun};
		expect(storeOf('normal', begin).rows()).toEqual(['', '◇ ! a␊b']);
		expect(storeOf('normal', begin, output).rows()).toEqual([
			'',
			'◇ ! a␊b',
			'  │ 1',
			'  │ 2',
			'  │ 3',
			'  │ 4',
			'  │ 5',
			'  │ [exit code 0]',
		]);
		expect(storeOf('detail', begin, output).rows().slice(2)).toEqual([
			'  │ 1',
			'  │ 2',
			'  │ 3',
			'  │ 4',
			'  │ 5',
			'  │ [exit code 0]',
		]);
		expect(storeOf('overview', begin, output).rows()).toEqual(['◇ ! a␊b']);
	});

	it('becomes the block of a restored command once it has ended', () => {
		const item: Item = {
			...begun,
			text: `${begun.text}1\n2\n[exit code 2]`,
			origin: {...origin, exitCode: 2, bytes: 4, totalBytes: 4},
		};
		const live = storeOf(
			'normal',
			{type: 'delta', id: begun.id, text: '', begin: begun},
			{type: 'delta', id: begun.id, text: '1\n2\n'},
			{type: 'item', item},
		);
		expect(live.rows()).toEqual(['', '◇ ! a␊b · exit 2', '  │ 1', '  │ 2']);
		expect(storeOf('normal', {...snapshot, items: [item]}).rows()).toEqual(live.rows());
	});
});

it.each([
	['less than its header', '[Shell: a'],
	['nothing', ''],
	['no line about its end', '[Shell: a\nb]'],
])('a block follows its origin even if its stored text contains %s', (_name, text) => {
	const item = createItems().system(text, {...origin, exitCode: 0});
	expect(storeOf('normal', {...snapshot, items: [item]}).rows()).toEqual(['', '◇ ! a␊b · exit 0', '  │ (no output)']);
});

it('a path with a newline stays on one row in the header', () => {
	const item = createItems().file('a\nb', 'one\ntwo\n');
	expect(storeOf('normal', {...snapshot, items: [item]}).rows()).toEqual([
		'',
		'◇ File a␊b · 2 lines · 8 B',
		'  │ one',
		'  │ two',
	]);
});

it('an empty line that a command printed is a line of its block', () => {
	const item = createItems().system('[Shell: echo]\n\n[exit code 0]', {
		kind: 'shell',
		command: 'echo',
		exitCode: 0,
		bytes: 1,
		totalBytes: 1,
		truncated: false,
	});
	expect(storeOf('normal', {...snapshot, items: [item]}).rows()).toEqual(['', '◇ ! echo · exit 0', '  │']);
});
