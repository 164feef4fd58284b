import {describe, expect, it} from 'vitest';
import type {Item} from '../../src/pod/protocol.ts';
import {blockSources} from '../../src/screen/rows/block-sources.ts';
import {createTranscriptStore} from '../../src/screen/rows/store.ts';
import {textOf} from '../../src/screen/spans/row.ts';
import {createItems} from '../helpers/items.ts';

function storeOf(items: readonly Item[], tail: readonly Item[] = [], view: 'normal' | 'detail' = 'normal') {
	const store = createTranscriptStore({columns: 80, view});
	store.dispatch({
		type: 'snapshot',
		session: {id: 's', model: 'm', scope: {pwd: '/', writable: true, readRoots: []}},
		items,
		tail,
		status: {kind: 'idle', asks: [], queue: []},
	});
	return store;
}

const make = createItems();
const args = {name: 'mcp__hub__get_label', arguments: {id: '7'}};
const call = make.call('a', 'call_tool', args);

describe('the row of a call that names another one', () => {
	it('shows the named tool with its arguments', () => {
		const store = storeOf([call, make.result('a', '3 bytes', 'one')]);
		expect(store.rows(0).map(textOf)).toContainEqual(expect.stringContaining('hub: get_label 7 · 3 bytes'));
		expect(
			storeOf([make.call('b', 'mcp__hub__get_label', {id: '7'}), make.result('b', '3 bytes', 'one')]).rows(0),
		).toEqual(store.rows(0));
	});

	it('names both tools in the detail view, because the model wrote a call of call_tool', () => {
		const store = storeOf([call, make.result('a', '3 bytes', 'one')], [], 'detail');
		expect(store.rows(0).map(textOf)).toContainEqual(expect.stringMatching(/call_tool .*get_label/));
	});

	it('opens what the model wrote', () => {
		const store = storeOf([call, make.result('a', '3 bytes', 'one')]);
		const [written] = blockSources(store.block(0)!);
		expect(written).toMatchObject({
			text: JSON.stringify(args),
			name: expect.stringContaining('call_tool') as unknown,
		});
	});

	it.each([
		['{"name":"mcp__hub__get_label","arguments":{"id":"7', /hub: get_label 7/],
		['{"name":"mcp__hub', /call_tool mcp__hub/],
	])('shows what has arrived so far: %s', (text, row) => {
		const store = storeOf([], [{...call, arguments: text}]);
		expect(store.rows(0).map(textOf).join('\n')).toMatch(row);
	});

	it('shows call_tool if the call names no tool', () => {
		const store = storeOf([make.call('a', 'call_tool', {arguments: {}}), make.result('a', 'No.', 'No.')]);
		expect(store.rows(0).map(textOf).join('\n')).toContain('call_tool');
	});
});
