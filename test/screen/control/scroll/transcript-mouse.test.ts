import {describe, expect, it} from 'vitest';
import {takeMouse} from '../../../../src/screen/control/keys/keys-in.ts';
import {draw} from '../../../../src/screen/mount/open-screen.ts';
import {clickRow} from '../../../../src/screen/control/scroll/transcript-mouse.ts';
import {cellsOf, textOf} from '../../../../src/screen/spans/row.ts';
import type {Mouse} from '../../../../src/screen/terminal/input/input.ts';
import {createItems} from '../../../helpers/items.ts';
import {fakeApp, fakePod, type running} from '../../../helpers/fake-app.ts';

const size = {columns: 60, rows: 24};
const report = (kind: Mouse['kind'], button: Mouse['button'], y = 0): Mouse => ({
	kind,
	button,
	x: 0,
	y,
	ctrl: false,
	alt: false,
	shift: false,
});

async function stage(options: {readonly mouse?: boolean; readonly status?: typeof running} = {}) {
	let now = 0;
	const make = createItems();
	const items = Array.from({length: 100}, (_, turn) => [
		make.user(`question ${turn}`),
		make.assistant(`answer ${turn}`),
	]).flat();
	const made = await fakeApp(fakePod(options.status, items), {mouse: options.mouse ?? true, now: () => now});
	const top = () => draw(made.app, size).transcript.rows[0]!.key;
	const rowsUp = (count: number, pause: number) => {
		const before = made.app.state.transcript.store!.indexOf(top().split(':')[0]!)!;
		for (let left = count; left > 0; left--) {
			takeMouse(made.app, report('wheel', 'up'));
			draw(made.app, size);
			now += pause;
		}
		return before - made.app.state.transcript.store!.indexOf(top().split(':')[0]!)!;
	};
	draw(made.app, size);
	return {...made, top, rowsUp};
}

describe('the mouse wheel', () => {
	it('scrolls further when you turn it quickly', async () => {
		const slow = await stage();
		const quick = await stage();
		expect(quick.rowsUp(14, 10)).toBeGreaterThan(slow.rowsUp(14, 500));
	});

	it('does nothing while the terminal handles the mouse', async () => {
		const {app, top} = await stage({mouse: false});
		const before = top();
		takeMouse(app, report('wheel', 'up'));
		expect(top()).toBe(before);
	});
});

describe('a click on a row', () => {
	async function clickable(body: string) {
		const make = createItems();
		const made = await fakeApp(fakePod(undefined, [make.file('a.txt', body)]), {mouse: true});
		const rows = () => draw(made.app, size).transcript.rows;
		const click = (text: string, x = 10) =>
			clickRow(
				made.app,
				rows().find(({row}) => textOf(row).startsWith(text))!,
				x,
			);
		return {rows, click};
	}

	it('expands the block when the row counts hidden lines', async () => {
		const {rows, click} = await clickable('1\n2\n3\n4\n5\n6');
		expect(click('… 2 more lines')).toBe(true);
		expect(rows().map(({row}) => textOf(row))).toContain('6');
	});

	it('does nothing when a file only imitates such a row', async () => {
		const {rows, click} = await clickable('… 12 more lines\n2\n3\n4\n5');
		const before = rows().length;
		expect(click('… 12 more lines')).toBe(false);
		expect(rows()).toHaveLength(before);
	});

	it('expands and collapses the block at its sign, and only there', async () => {
		const {rows, click} = await clickable('1\n2\n3\n4\n5\n6');
		const before = rows().length;
		expect([click('File a.txt', 2), click('1', 0)]).toEqual([false, false]);
		expect([click('File a.txt', 0), rows().length > before, click('File a.txt', 1), rows().length]).toEqual([
			true,
			true,
			true,
			before,
		]);
	});
});

it('a click on the row that reports new rows scrolls to the end, and a click beside that text does not', async () => {
	const {app, pod} = await stage();
	takeMouse(app, report('wheel', 'up'));
	draw(app, size);
	pod.emit({type: 'item', item: createItems().assistant('new '.repeat(400))});
	const {pill: between, transcriptHeight} = draw(app, size);
	expect(between.map(({role}) => role)).toEqual(['pill']);
	takeMouse(app, {...report('press', 'left', transcriptHeight), x: cellsOf(between[0]!)});
	expect(app.state.transcript.scroll.follow).toBe(false);
	takeMouse(app, {...report('press', 'left', transcriptHeight), x: cellsOf(between[0]!) - 1});
	expect(app.state.transcript.scroll.follow).toBe(true);
});

describe('a click in the message', () => {
	it.each([
		['a place below the screen', 0, size.rows],
		['the furthest place of a report', 1e20, Number.MAX_SAFE_INTEGER],
		['an endless distance', Infinity, Infinity],
	])('at %s puts the caret on its last line', async (_, x, y) => {
		const {app, type} = await stage();
		type('one');
		draw(app, size);
		takeMouse(app, {...report('press', 'left', y), x});
		expect(app.state.composer.editor.cursor).toMatchObject({line: 0});
		expect(draw(app, size).cursor.y).toBeLessThan(size.rows);
	});
});
