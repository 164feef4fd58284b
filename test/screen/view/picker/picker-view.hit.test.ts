import {describe, expect, it} from 'vitest';
import type {PickerEntry} from '../../../../src/screen/model/picker/text-search.ts';
import {createPicker, pick, type PickerAction} from '../../../../src/screen/model/picker/picker-state.ts';
import {share, viewPicker, type PickerView} from '../../../../src/screen/view/picker/picker-view.ts';
import type {Size} from '../../../../src/screen/model/terminal-state.ts';
import {plainText} from '../../../../src/screen/spans/row.ts';

const now = Date.UTC(2026, 10, 21, 12);
const entry = (name: string, minutes: number, more: Partial<PickerEntry> = {}): PickerEntry => ({
	id: '01JD8XK3Q2AAAAAAAAAAAAAAAA',
	dir: `/s/${name}`,
	changed: new Date(now - minutes * 60_000).toISOString(),
	bytes: 14_000,
	words: name,
	cwd: '/home/ann/work/inkpod',
	...more,
});
const entries = [entry('explain @src/a.ts', 2)];

function view(size: Size, actions: readonly PickerAction[] = [], list: readonly PickerEntry[] = entries): PickerView {
	return viewPicker(actions.reduce(pick, createPicker({here: list}, share(size).list)), size, {now});
}

function rowsOf({list}: PickerView): string[] {
	return list.map(row => plainText(row).trimEnd());
}

describe('a search in the picker', () => {
	it('shows the title of a session and the text around the match, which is marked', () => {
		const hit = {
			before: `${'before '.repeat(9)}the `,
			match: 'needle',
			after: ' in the hay',
			place: 'answer',
		} as const;
		const shown = (columns: number, isSelected = false) => {
			const {list} = view({columns, rows: 8}, isSelected ? [{type: 'move', to: 'down'}] : [], [
				entry('a', 1),
				entry('the title', 2, {hit}),
			]);
			return list[1]!;
		};
		expect(plainText(shown(120)).trimEnd()).toMatch(
			/^ {2}2 min ago {2}13\.7 KB {2}the title · answer: ….*before the needle in the hay$/,
		);
		expect(plainText(shown(60)).trimEnd()).toMatch(/^ {2}2 min ago {2}13\.7 KB {2}answer: ….* the needle/);
		expect(plainText(shown(60))).not.toContain('the title');
		for (const row of [shown(120), shown(60)])
			expect(row.spans.filter(({style}) => style === 'match').map(({text}) => text)).toEqual(['needle']);
		const chosen = shown(80, true);
		expect(plainText(chosen)).toMatch(/^❯ 2 min ago .* the needle/);
		expect(chosen.spans.filter(({style}) => Array.isArray(style)).map(({text}) => text)).toEqual(['needle']);
	});

	it('explains why the list is empty', () => {
		expect(rowsOf(view({columns: 80, rows: 15}, [{type: 'edit', edit: {type: 'insert', text: 'zzzz'}}]))[0]).toBe(
			'  Searching the sessions…',
		);
		const empty = (...actions: readonly PickerAction[]) =>
			rowsOf(
				view({columns: 80, rows: 15}, [
					{type: 'edit', edit: {type: 'insert', text: 'zzzz'}},
					{type: 'searched', query: 'zzzz', scope: 'here'},
					...actions,
				]),
			)[0];
		expect(empty()).toBe('  No matching sessions here. Press Tab for all directories.');
		expect(
			empty(
				{type: 'switch'},
				{type: 'listed', scope: 'all', entries},
				{type: 'searched', query: 'zzzz', scope: 'all'},
			),
		).toBe('  No matching sessions');
	});
});
