import {describe, expect, it} from 'vitest';
import type {Item} from '../../../src/pod/protocol.ts';
import {fold, rollBack} from '../../../src/transcript/fold.ts';
import {emptyFold, type Journal} from '../../../src/transcript/fold-state.ts';
import {tasksIn} from '../../../src/transcript/lists/latest-tasks.ts';
import {createItems} from '../../helpers/items.ts';

const task = (text: string) => ({text, state: 'pending'}) as const;

function foldAll(items: readonly Item[]) {
	const state = emptyFold();
	for (const item of items) fold(state, item);
	return state;
}

describe('the list of tasks', () => {
	it('is the latest one that no rewind removed', () => {
		const make = createItems();
		const list = (id: string, ...texts: string[]) => [
			make.call(id, 'tasks', {}),
			{...make.result(id, 'ok', 'ok'), details: {tasks: texts.map(task)}},
		];
		const first = [make.user('go'), ...list('a', 'one'), make.end()];
		const second = [make.user('more'), ...list('b', 'one', 'two'), make.end()];
		expect(tasksIn(foldAll(first))).toEqual([task('one')]);
		expect(tasksIn(foldAll([...first, ...second]))).toEqual([task('one'), task('two')]);
		const rewind = make.item('rewind', {to: first.at(-1)!.id});
		expect(tasksIn(foldAll([...first, ...second, rewind]))).toEqual([task('one')]);
		const restore = make.item('context', {op: 'restore', ids: [rewind.id]});
		expect(tasksIn(foldAll([...first, ...second, rewind, restore]))).toHaveLength(2);
		expect(tasksIn(foldAll([...first, ...second, make.compaction('short')]))).toHaveLength(2);
	});

	it('ignores details that are not a list, and results that are still open', () => {
		const make = createItems();
		const call = make.call('a', 'tasks', {});
		const odd = {...make.result('a', 'ok', 'ok'), details: {tasks: 'all'}};
		expect(tasksIn(foldAll([call, odd]))).toEqual([]);
		const state = foldAll([call]);
		const journal: Journal = [];
		fold(state, {...make.result('a', 'ok', 'ok'), details: {tasks: [task('one')]}}, true, journal);
		expect(tasksIn(state)).toEqual([]);
		rollBack(journal);
		expect(state.taskLists).toEqual([]);
	});
});
