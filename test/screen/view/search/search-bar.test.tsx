import {render} from 'ink';
import {describe, expect, it, onTestFinished} from 'vitest';
import {createStore} from 'zustand/vanilla';
import type {Layout} from '../../../../src/screen/view/layout.ts';
import {Screen} from '../../../../src/screen/mount/mount.tsx';
import {draw} from '../../../../src/screen/mount/open-screen.ts';
import {firstPicture} from '../../../../src/screen/mount/view.ts';
import {createFrameStream} from '../../../../src/screen/terminal/ink-stdout.ts';
import {createTheme} from '../../../../src/screen/spans/theme.ts';
import {textOf} from '../../../../src/screen/spans/row.ts';
import {createItems} from '../../../helpers/items.ts';
import {fakeApp, fakePod, idle, until} from '../../../helpers/fake-app.ts';
import {difference} from '../../../helpers/same-screen.ts';
import {createScreen} from '../../../helpers/screen.ts';

const queries = [
	'',
	'apple',
	'日本語',
	'👨‍👩‍👧 👍🏽 ❤️',
	'ส้ำ',
	'e\u0301\u0323',
	'🇯🇵',
	'\u200b\u202eabc',
	'\u001b[31mred',
	'x'.repeat(200),
	'検'.repeat(90),
];
const widths = [12, 20, 41, 80, 120];
const theme = createTheme(3);
const throwIt = (error: Error) => {
	throw error;
};

describe('the search bar', () => {
	it('shows the row of the current match below the query for a screen reader', async () => {
		const make = createItems();
		const items = [make.user('one apple'), make.assistant('two apples'), make.assistant('nothing')];
		const searchRows = async (isSpoken: boolean) => {
			const {app, press, type} = await fakeApp(fakePod(idle, items), {isSpoken});
			press('f3');
			type('apple');
			const rows = () => draw(app, {columns: 60, rows: 20}).above.search.map(row => textOf(row));
			await until(() => rows()[0]?.includes(' of 2') === true);
			return rows();
		};
		const [field, match] = await searchRows(true);
		expect(match).toBe(field?.includes('1 of 2') === true ? 'one apple' : 'two apples');
		expect(await searchRows(false)).toHaveLength(1);
	});

	it('names the keys that move between matches, and leaves out what does not fit', async () => {
		const make = createItems();
		const items = [make.user('one apple'), make.assistant('two apples')];
		const {app, press, type} = await fakeApp(fakePod(idle, items));
		const bar = (columns: number) =>
			draw(app, {columns, rows: 20})
				.above.search.map(row => textOf(row))
				.join('');
		press('f3');
		expect(bar(80)).toBe('Search: Enter confirm · Esc close');
		type('apple');
		await until(() => bar(80).includes('1 of 2'));
		press('down');
		await until(() => bar(80).includes('2 of 2 '));
		expect([80, 60, 44, 34].map(bar)).toEqual([
			'Search: apple  2 of 2 · ↑↓ previous/next · Enter confirm · Esc close',
			'Search: apple  2 of 2 · ↑↓ previous/next · Esc close',
			'Search: apple  2 of 2 · ↑↓ previous/next',
			'Search: apple  2 of 2',
		]);
		press('up');
		expect(bar(80)).toContain('1 of 2');
		press('down');
		press('enter');
		await until(() => bar(80).includes('2 of 2 '));
		expect([80, 60, 44, 34].map(bar)).toEqual([
			'Search: apple  2 of 2 · n next · N previous · / edit · Esc close',
			'Search: apple  2 of 2 · n next · N previous · Esc close',
			'Search: apple  2 of 2 · n next · N previous',
			'Search: apple  2 of 2 · n next',
		]);
	});

	it('takes the place of the placeholder of the message while you write the query', async () => {
		const {app, press, type} = await fakeApp(fakePod());
		const message = () =>
			draw(app, {columns: 80, rows: 20})
				.composer.rows.map(row => textOf(row))
				.join('');
		expect(message()).toContain('Ask anything');
		press('f3');
		type('apple');
		expect(message()).toBe('');
		press('enter');
		expect(message()).toContain('Ask anything');
		press('escape');
		expect(message()).toContain('Ask anything');
	});

	it.each(queries)('shows %j the same in Ink as painted, while you write it and after Enter', async query => {
		const {app, press, type} = await fakeApp(fakePod());
		press('f3');
		type(query);
		for (const columns of widths) expect(await isShownAlike(draw(app, {columns, rows: 12}))).toBeUndefined();
		press('enter');
		for (const columns of widths) expect(await isShownAlike(draw(app, {columns, rows: 12}))).toBeUndefined();
	});
});

/** Compares the screen drawn by Ink with the painted rows. */
async function isShownAlike(frame: Layout): Promise<unknown> {
	const {columns, rows} = frame.size;
	const [inked, painted] = [createScreen(columns, rows), createScreen(columns, rows)];
	onTestFinished(() => [inked, painted].forEach(screen => screen.dispose()));
	const shown = byInk(frame).map(row => `${row}\x1b[K`);
	await inked.write(`\x1b[?7l${shown.join('\r\n')}\x1b[H`);
	await painted.write(`\x1b[?7l${firstPicture(frame, theme).rows.join('\r\n')}\x1b[H`);
	return difference(inked, painted);
}

function byInk(frame: Layout): readonly string[] {
	const {columns, rows} = frame.size;
	let written: readonly string[] = [];
	const onFrame = (next: readonly string[]) => {
		written = next;
	};
	const stdout = createFrameStream({columns: () => columns, rows: () => rows, onFrame});
	const screen = <Screen shown={createStore(() => frame)} theme={theme} onError={throwIt} />;
	const ink = render(screen, {stdout, debug: true, interactive: true, patchConsole: false});
	ink.unmount();
	ink.cleanup();
	return written;
}
