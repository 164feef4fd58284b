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
const hit = {before: '', match: 'x', after: ''};

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
		search.want('x', entries);
		await answer('x:a');
		await expect.poll(() => actions).toEqual([{type: 'hit', query: 'x', entry: {...entries[0], hit}}]);
		await answer('x:b');
		await answer('x:c');
		await expect.poll(() => actions.length).toBe(3);
		expect(actions[1]).toMatchObject({type: 'hit', entry: {id: 'c'}});
		expect(actions[2]).toEqual({type: 'searched', query: 'x'});
	});

	it('stops when the text changes, and reports nothing of the earlier one', async () => {
		const {search, actions, looked, answer} = searching();
		search.want('x', entries);
		await expect.poll(() => looked).toEqual(['x:a']);
		search.want('xy', entries);
		await answer('x:a');
		await answer('xy:a');
		await expect.poll(() => actions).toMatchObject([{type: 'hit', query: 'xy'}]);
		search.want('', entries);
		await answer('xy:b');
		expect(looked).toEqual(['x:a', 'xy:a', 'xy:b']);
	});

	it('waits for the list, and searches no session that cannot be opened', async () => {
		const {search, looked, answer} = searching();
		search.want('x', undefined);
		search.want('x', [{...entries[0]!, problem: 'It is damaged.'}, entries[1]!]);
		await answer('x:b');
		expect(looked).toEqual(['x:b']);
	});
});
