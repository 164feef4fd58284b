import {describe, expect, it} from 'vitest';
import type {PickerEntry} from '../../../../src/screen/model/picker/text-search.ts';
import type {PickerAction} from '../../../../src/screen/model/picker/picker-state.ts';
import {createTextSearch} from '../../../../src/screen/model/picker/text-search.ts';

const entries = ['a', 'b', 'c'].map((id): PickerEntry => ({
	id,
	dir: `/s/${id}`,
	changed: '2026-01-01T00:00:00.000Z',
	bytes: 1,
	words: id,
}));
const hit = {before: '', match: 'x', after: '', place: 'prompt'} as const;
const wanted = (text: string, scope: 'here' | 'all', list: readonly PickerEntry[] | undefined) => ({
	text,
	scope,
	entries: list && (() => list),
});

function searching() {
	const actions: PickerAction[] = [];
	const looked: string[] = [];
	const gates = new Map<string, PromiseWithResolvers<void>>();
	const search = createTextSearch({
		async findText({id}, text, signal) {
			looked.push(`${text}:${id}`);
			const gate = Promise.withResolvers<void>();
			gates.set(`${text}:${id}`, gate);
			await gate.promise;
			return signal.aborted || id === 'b' ? undefined : hit;
		},
		dispatch: action => actions.push(action),
	});
	const answer = async (name: string) => {
		await expect.poll(() => gates.has(name)).toBe(true);
		gates.get(name)!.resolve();
	};
	return {search, actions, looked, answer};
}

describe('a search in the texts of sessions', () => {
	it('reports each hit at once, in the order of the list, and then its end', async () => {
		const {search, actions, answer} = searching();
		search.want(wanted('x', 'here', entries));
		await answer('x:a');
		await expect.poll(() => actions).toEqual([{type: 'hit', query: 'x', dir: '/s/a', hit}]);
		await answer('x:b');
		await answer('x:c');
		await expect.poll(() => actions.length).toBe(3);
		expect(actions[1]).toMatchObject({type: 'hit', dir: '/s/c'});
		expect(actions[2]).toEqual({type: 'searched', query: 'x', scope: 'here'});
	});

	it('stops when the text changes, and reports nothing of the earlier one', async () => {
		const {search, actions, looked, answer} = searching();
		search.want(wanted('x', 'here', entries));
		await expect.poll(() => looked).toEqual(['x:a']);
		search.want(wanted('xy', 'here', entries));
		await answer('x:a');
		await answer('xy:a');
		await expect.poll(() => actions).toMatchObject([{type: 'hit', query: 'xy'}]);
		search.want(wanted('', 'here', entries));
		await answer('xy:b');
		expect(looked).toEqual(['x:a', 'xy:a', 'xy:b']);
	});

	it('waits for the list, and searches no session that cannot be opened', async () => {
		const {search, looked, answer} = searching();
		search.want(wanted('x', 'here', undefined));
		search.want(wanted('x', 'here', [{...entries[0]!, problem: 'It is damaged.'}, entries[1]!]));
		await answer('x:b');
		expect(looked).toEqual(['x:b']);
	});

	it('reads each session once for a text, although the scope changes', async () => {
		const {search, actions, looked, answer} = searching();
		search.want(wanted('x', 'here', entries.slice(0, 1)));
		await answer('x:a');
		await expect.poll(() => actions).toContainEqual({type: 'searched', query: 'x', scope: 'here'});
		search.want(wanted('x', 'all', entries));
		await answer('x:b');
		await answer('x:c');
		await expect.poll(() => actions).toContainEqual({type: 'searched', query: 'x', scope: 'all'});
		expect(looked).toEqual(['x:a', 'x:b', 'x:c']);
	});
});
