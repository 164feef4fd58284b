import {describe, expect, it} from 'vitest';
import {draw} from '../../../../src/screen/mount/open-screen.ts';
import {selectedText} from '../../../../src/screen/model/selection/selection.ts';
import {cellsOf, plainText} from '../../../../src/screen/spans/row.ts';
import {thumbOf} from '../../../../src/screen/view/transcript/scrollbar.ts';
import {fakeApp, fakePod, idle} from '../../../helpers/fake-app.ts';
import {createItems} from '../../../helpers/items.ts';
import type {TestOptions} from '../../../helpers/test-app.ts';

const size = {columns: 60, rows: 24};

async function stage(options: Partial<TestOptions> = {}, answer = 'an answer') {
	const make = createItems();
	const items = Array.from({length: 40}, (_, turn) => [make.user(`question ${turn}`), make.assistant(answer)]).flat();
	const made = await fakeApp(fakePod(idle, items), options);
	const rows = () => draw(made.app, size).transcript.rows;
	rows();
	return {
		...made,
		shown: rows,
		/** Returns the visible rows that have a mark. */
		thumb: () => rows().flatMap(({row}, at) => (plainText(row).endsWith('┃') ? [at] : [])),
	};
}

describe('the scrollbar', () => {
	it('is shown only while the view is away from the end', async () => {
		const {press, thumb} = await stage();
		expect(thumb()).toEqual([]);
		press('pageup');
		expect(thumb().length).toBeGreaterThan(1);
		press('end', {ctrl: true});
		expect(thumb()).toEqual([]);
	});

	it('is at the top at the beginning, and rises with every page up', async () => {
		const {press, thumb} = await stage();
		const tops: number[] = [];
		for (let page = 0; page < 12; page++) {
			press('pageup');
			tops.push(thumb()[0]!);
		}
		expect(tops).toEqual(tops.toSorted((one, other) => other - one));
		expect([tops[0]! > 10, tops.at(-1)]).toEqual([true, 0]);
	});

	it('ends at the last column, and leaves rows alone whose text needs the edge', async () => {
		const full = 'x'.repeat(57);
		for (const [answer, isFull] of [
			['short', false],
			[`${full}\n`.repeat(30), true],
		] as const) {
			const {press, shown} = await stage({}, answer);
			press('home', {ctrl: true});
			press('pagedown');
			const rows = shown().map(({row}) => row);
			const marked = rows.filter(row => row.end !== undefined);
			expect(marked.every(row => cellsOf(row) === size.columns)).toBe(true);
			expect(rows.filter(row => plainText(row).includes(full)).length > 0).toBe(isFull);
			expect(marked.some(row => plainText(row).includes(full.slice(0, 57)) && cellsOf(row) > 60)).toBe(false);
		}
	});

	it('is never selected or copied', async () => {
		const {app, press, thumb} = await stage();
		press('home', {ctrl: true});
		expect(thumb()).not.toEqual([]);
		const to = {index: 4, row: 1, cell: Number.POSITIVE_INFINITY};
		expect(
			selectedText(app.state.transcript.store!, {anchor: {index: 0, row: 0, cell: 0}, head: to}),
		).not.toContain('┃');
	});

	it('stays one column wide beside a selected row without text', async () => {
		const {press, shown} = await stage();
		press('pageup');
		press('x', {alt: true});
		press('home', {ctrl: true, shift: true});
		const marked = shown().filter(({marks, row}) => marks !== undefined && row.spans.length === 0 && row.end);
		expect(marked.length).toBeGreaterThan(0);
		expect(marked.map(({row}) => cellsOf(row))).toEqual(marked.map(() => size.columns - 1));
	});

	it('is not shown inline or for a screen reader', async () => {
		for (const options of [{inline: true}, {isSpoken: true}]) {
			const {press, thumb} = await stage(options);
			press('home', {ctrl: true});
			expect(thumb()).toEqual([]);
		}
	});
});

it('the scrollbar of a short transcript counts rows, not blocks', async () => {
	const make = createItems();
	const long = Array.from({length: 100}, (_, line) => `- line ${line}`).join('\n');
	const items = [make.user('question'), make.assistant(long)];
	const {app, press} = await fakeApp(fakePod(idle, items));
	const thumb = () => draw(app, size).transcript.rows.findIndex(({row}) => plainText(row).endsWith('┃'));
	draw(app, size);
	press('home', {ctrl: true});
	expect(thumb()).toBe(0);
	for (let row = 0; row < 10; row++) press('down', {shift: true});
	expect(thumb()).toBeLessThan(6);
});

describe('the thumb', () => {
	it.each([
		[
			{from: 0, to: 0.5},
			{top: 0, size: 10},
		],
		[
			{from: 0.25, to: 0.75},
			{top: 5, size: 10},
		],
		[
			{from: 0.5, to: 1},
			{top: 10, size: 10},
		],
		[
			{from: 0.5, to: 0.5001},
			{top: 9, size: 2},
		],
	])('of the part %o is %o of 20 rows', (part, thumb) => {
		expect(thumbOf(part, 20)).toEqual(thumb);
	});
});
