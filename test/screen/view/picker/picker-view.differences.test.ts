import {expect, it} from 'vitest';
import type {PickerEntry} from '../../../../src/screen/model/picker/text-search.ts';
import {createPicker} from '../../../../src/screen/model/picker/picker-state.ts';
import {share, viewPicker} from '../../../../src/screen/view/picker/picker-view.ts';
import {plainText} from '../../../../src/screen/spans/row.ts';
import {width} from '../../../../src/text/width.ts';

const now = Date.UTC(2026, 10, 21, 12);
const hostile = '\x1b]52;c;eA==\x07\x1b[2J\x9b31m\u202e \u{e0041}hi\r\n\tthere';
const entry = (name: string, minutes: number, more: Partial<PickerEntry> = {}): PickerEntry => ({
	id: '01JD8XK3Q2AAAAAAAAAAAAAAAA',
	dir: `/s/${name}`,
	changed: new Date(now - minutes * 60_000).toISOString(),
	bytes: 14_000,
	words: name,
	...more,
});

it('a list shows what differs behind equal names, also when the names are long', () => {
	const equal = [
		entry('a', 1, {
			words: 'fix the cart',
			facts: {turns: 1, model: 'm', files: ['src/cart.ts', 'b'], fileCount: 3},
		}),
		entry('b', 2, {words: 'fix the cart', last: `now ${hostile}`}),
		entry('c', 3, {title: 'fix the cart', words: 'hi', last: 'bye'}),
		entry('d', 4, {words: 'x'.repeat(90), last: 'one'}),
		entry('e', 5, {words: 'x'.repeat(90), last: 'two'}),
		entry('f', 6, {words: 'alone', last: 'not shown'}),
	];
	const size = {columns: 60, rows: 15};
	const {list} = viewPicker(createPicker({here: equal}, share(size).list), size, {now});
	for (const row of list) expect(width(plainText(row))).toBeLessThanOrEqual(60);
	const shown = list.map(row => plainText(row).slice(22).trimEnd());
	expect(shown).toEqual([
		'fix the cart · src/cart.ts, +2',
		expect.stringMatching(/^fix the cart · now [^\u0000-\u001f\u007f-\u009f\u202e]+$/) as unknown,
		'fix the cart · bye',
		`${'x'.repeat(31)}… · one`,
		`${'x'.repeat(31)}… · two`,
		'alone',
	]);
	expect(list[2]?.spans.find(({text}) => text.startsWith(' · bye'))?.style).toBe('dim');
});
