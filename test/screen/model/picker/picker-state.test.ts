import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {textBeforeCaret} from '../../../../src/screen/model/field-state.ts';
import type {PickerEntry} from '../../../../src/screen/model/picker/text-search.ts';
import {
	createPicker,
	isSearching,
	pick,
	queryText,
	selectedEntry,
	untitledEntries,
	type PickerAction,
	type PickerState,
} from '../../../../src/screen/model/picker/picker-state.ts';

const entry = (name: string, words = name): PickerEntry => ({
	id: name.toUpperCase(),
	dir: `/s/${name}`,
	changed: '2026-01-01T00:00:00.000Z',
	bytes: 1,
	words,
	cwd: '/p',
});
const fruits = ['apple', 'banana', 'cherry', 'damson', 'elder'].map(name => entry(name));
const typed = (text: string): PickerAction => ({type: 'edit', edit: {type: 'insert', text}});
const after = (state: PickerState, ...actions: readonly PickerAction[]) => actions.reduce(pick, state);
const words = ({found}: PickerState) => found.map(each => each.words);

describe('the query of the picker', () => {
	it('filters the list, and selects the best match', () => {
		const state = after(createPicker({here: fruits}, 3), {type: 'move', to: 'last'}, typed('an'));
		expect(words(state)).toEqual(['banana']);
		expect(state).toMatchObject({selected: 0, top: 0});
		expect(words(after(state, {type: 'edit', edit: {type: 'kill', to: 'line start'}}))).toEqual(
			fruits.map(each => each.words),
		);
	});

	it('changes neither list nor selection when the caret moves', () => {
		const state = after(createPicker({here: fruits}, 3), typed('e'), {type: 'move', to: 'down'});
		const moved = after(state, {type: 'edit', edit: {type: 'move', to: 'left'}});
		expect(moved.found).toBe(state.found);
		expect(moved.selected).toBe(1);
		expect(textBeforeCaret(moved.query)).toBe('');
	});

	it('loses an emoji of several code points as a whole', () => {
		const state = after(createPicker({here: fruits}, 3), typed('a👍'), typed('🏽'), {
			type: 'edit',
			edit: {type: 'erase', to: 'left'},
		});
		expect(queryText(state)).toBe('a');
	});

	it('turns all kinds of white space and a long paste into one short line', () => {
		const state = after(createPicker({here: fruits}, 3), typed('ap\r\n\tple\n'), {
			type: 'edit',
			edit: {type: 'paste', text: '日本\n'.repeat(100_000)},
		});
		expect(queryText(state)).toMatch(/^ap ple 日本 日本/);
		expect(queryText(state).length).toBe(200);
	});
});

describe('the selection in the picker', () => {
	it.each([
		['up', 0],
		['down', 1],
		['page down', 2],
		['last', 4],
		['first', 0],
		['page up', 0],
	] as const)('moves with %s from the first entry to number %d', (to, selected) => {
		expect(after(createPicker({here: fruits}, 3), {type: 'move', to}).selected).toBe(selected);
	});

	it('stays visible after any actions, and the rows are filled', () => {
		const action = fc.oneof(
			fc
				.constantFrom('up', 'down', 'page up', 'page down', 'first', 'last')
				.map(to => ({type: 'move', to}) as const),
			fc.constantFrom('a', 'e', ' ', '日').map(typed),
			fc.constant({type: 'edit', edit: {type: 'erase', to: 'left'}} as const),
			fc.integer({min: 1, max: 9}).map(height => ({type: 'height', height}) as const),
			fc.constant({type: 'switch'} as const),
			fc.subarray(fruits).map(entries => ({type: 'listed', scope: 'all', entries}) as const),
		);
		fc.assert(
			fc.property(fc.array(action, {maxLength: 30}), actions => {
				for (const {found, selected, top, height} of [after(createPicker({here: fruits}, 3), ...actions)]) {
					expect(selected).toBeLessThan(Math.max(1, found.length));
					expect(top).toBeLessThanOrEqual(selected);
					expect(selected).toBeLessThan(top + height);
					expect(Math.min(found.length, height)).toBe(Math.min(found.length - top, height));
				}
			}),
			{seed: 71},
		);
	});
});

describe('the search in texts', () => {
	const list = [...fruits, entry('xylem')];
	const start = () => after(createPicker({here: list, all: list}, 9), typed('xy'));
	const hit = (query: string, index: number): PickerAction => ({
		type: 'hit',
		query,
		dir: list[index]!.dir,
		hit: {before: 'a ', match: query, after: ' b', place: 'answer'},
	});

	it('adds hits below the matching titles, in the order of the list', () => {
		const found = after(start(), hit('xy', 2), hit('xy', 0));
		expect(words(start())).toEqual(['xylem']);
		expect(words(found)).toEqual(['xylem', 'apple', 'cherry']);
		expect(found.found.map(each => each.hit?.match)).toEqual([undefined, 'xy', 'xy']);
		expect(isSearching(found)).toBe(true);
		expect(isSearching(after(found, {type: 'searched', query: 'xy', scope: 'here'}))).toBe(false);
	});

	it('reads only the sessions whose titles do not match', () => {
		expect(untitledEntries(start())).toEqual(fruits);
		expect(untitledEntries(after(createPicker({here: fruits}, 9), {type: 'switch'}))).toBeUndefined();
	});

	it('keeps its hits in the other scope, but not for another query', () => {
		const found = after(start(), hit('xy', 1), {type: 'searched', query: 'xy', scope: 'here'}, {type: 'switch'});
		expect(words(found)).toEqual(['xylem', 'banana']);
		expect(isSearching(found)).toBe(true);
		const other = after(found, typed('z'), hit('xy', 0));
		expect(words(other)).toEqual([]);
		expect(words(after(other, hit('xyz', 3)))).toEqual(['damson']);
	});

	it('puts hits before sessions that match only with their directory', () => {
		const placed = createPicker({here: [entry('one'), {...entry('two'), cwd: '/work/shop'}]}, 9);
		const found = after(placed, typed('shop'), {
			type: 'hit',
			query: 'shop',
			dir: '/s/one',
			hit: {before: '', match: 'shop', after: '', place: 'prompt'},
		});
		expect(words(after(placed, typed('shop')))).toEqual(['two']);
		expect(words(found)).toEqual(['one', 'two']);
		expect(found.selected).toBe(0);
	});

	it('keeps the selected session while hits arrive', () => {
		const moved = after(start(), hit('xy', 3), {type: 'move', to: 'down'});
		expect(selectedEntry(after(moved, hit('xy', 0)))?.words).toBe('damson');
	});

	it('leaves out a session that goes to the trash', () => {
		const found = after(start(), hit('xy', 1), hit('xy', 0));
		expect(words(after(found, {type: 'removed', entry: fruits[1]!, trash: '/t'}))).toEqual(['xylem', 'apple']);
	});
});

describe('the list of all directories', () => {
	const others = [entry('zucchini'), fruits[2]!];

	it('shows nothing until it has arrived, and then keeps the selected entry', () => {
		const waiting = after(createPicker({here: fruits}, 9), {type: 'move', to: 'last'}, {type: 'switch'});
		expect(waiting).toMatchObject({scope: 'all', found: []});
		expect(words(after(waiting, {type: 'listed', scope: 'all', entries: others}))).toEqual(['zucchini', 'cherry']);
		const known = after(
			createPicker({here: fruits, all: others}, 9),
			{type: 'move', to: 'down'},
			{type: 'move', to: 'down'},
			{type: 'switch'},
		);
		expect(selectedEntry(known)?.words).toBe('cherry');
		expect(words(after(known, {type: 'switch'}))).toEqual(words(createPicker({here: fruits}, 9)));
	});

	it('is filtered by the query', () => {
		expect(
			words(
				after(
					createPicker({here: fruits}, 9),
					typed('zuc'),
					{type: 'switch'},
					{type: 'listed', scope: 'all', entries: others},
				),
			),
		).toEqual(['zucchini']);
	});

	it('changes nothing when it arrives after you switched back', () => {
		const state = after(
			createPicker({here: fruits}, 9),
			{type: 'switch'},
			{type: 'switch'},
			{type: 'listed', scope: 'all', entries: others},
		);
		expect(state).toMatchObject({scope: 'here', found: fruits});
	});

	it("is replaced by this directory's sessions, with an error until the next key, when it cannot be read", () => {
		const state = after(createPicker({here: fruits}, 9), {type: 'switch'}, {type: 'unlisted', sentence: 'No.'});
		expect(state).toMatchObject({scope: 'here', found: fruits, notice: {text: 'No.', tone: 'warn'}});
		expect(after(state, {type: 'move', to: 'down'}).notice).toBeUndefined();
	});

	it('is shown at once when this directory has no sessions', () => {
		expect(createPicker({here: [], all: others}, 9)).toMatchObject({scope: 'all', found: others});
	});
});

it('the picker keeps the latest previews', () => {
	const state = after(
		createPicker({here: fruits}, 9),
		...Array.from({length: 80}, (_, n) => ({type: 'previewed', dir: `/s/${n}`, parts: []}) as const),
	);
	expect([...state.previews.keys()]).toEqual(Array.from({length: 50}, (_, n) => `/s/${n + 30}`));
});
