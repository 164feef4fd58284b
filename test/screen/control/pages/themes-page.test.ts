import {describe, expect, it} from 'vitest';
import type {NamedTheme} from '../../../../src/pod/protocol.ts';
import {fakeApp, fakePod, settled, until} from '../../../helpers/fake-app.ts';

const mine = {base: 'dark', colours: {error: '#300000'}} as const;
const list: readonly NamedTheme[] = [
	{name: 'auto', theme: 'auto'},
	{name: 'dark', theme: 'dark'},
	{name: 'mine', theme: mine},
];

async function page(typed = '/theme', fails?: string, hasFewColours = false) {
	const saved: string[] = [];
	const made = await fakeApp(fakePod(), {
		themes: {
			list,
			current: 'auto',
			hasFewColours,
			async save(name) {
				saved.push(name);
				return fails;
			},
		},
	});
	made.app.dispatch({type: 'terminal ground', ground: {red: 0, green: 0, blue: 0}});
	made.type(typed);
	made.press('enter');
	await until(() => made.app.state.page !== undefined || made.told().length > 0);
	return {...made, saved};
}

describe('/theme', () => {
	it('lists the themes with the one in use chosen, and a sample if there is room', async () => {
		const {rows} = await page();
		const lines = rows(60, 20).map(line => line.trimEnd());
		expect(lines.slice(0, 4)).toEqual([
			'Theme',
			'❯ auto  the colours of your terminal, and tints of its…',
			'  dark  for a dark background',
			'  mine  yours',
		]);
		expect(lines).toContain('+ return total - discount;');
		expect(lines).toContain('Esc undo · Enter use and save · ↑↓ try');
		expect(rows(60, 10).join('\n')).not.toContain('discount');
	});

	it('shows a theme while it is chosen, and brings the one before back with Esc', async () => {
		const {app, press, saved, rows} = await page();
		press('down');
		expect(app.state.display.theme).toBe('dark');
		press('down');
		expect(app.state.display.theme).toBe(mine);
		expect(rows(60, 20).join('\n')).toContain('Hard to read on this background: error.');
		press('escape');
		expect([app.state.display.theme, app.state.page, saved]).toEqual([undefined, undefined, []]);
	});

	it('saves the chosen theme with Enter, and opens with it the next time', async () => {
		const {app, press, type, saved, told, rows} = await page();
		press('down');
		press('enter');
		await settled();
		expect([app.state.display.theme, app.state.page, saved]).toEqual(['dark', undefined, ['dark']]);
		expect(told()).toEqual(['Theme: dark. Saved in your config.toml.']);
		type('/theme');
		press('enter');
		await until(() => app.state.page !== undefined);
		expect(rows(60, 20)[2]?.trimEnd()).toBe('❯ dark  for a dark background (in use)');
		press('up');
		press('escape');
		expect(app.state.display.theme).toBe('dark');
	});

	it('uses and saves the theme that it names, and reports an unknown name', async () => {
		const named = await page('/theme mine');
		expect([named.app.state.display.theme, named.saved]).toEqual([mine, ['mine']]);
		expect(named.told()).toEqual([
			'Theme: mine. Saved in your config.toml. Hard to read on this background: error.',
		]);
		const unknown = await page('/theme drak');
		expect([unknown.app.state.display.theme, unknown.told()]).toEqual([
			undefined,
			['Unknown theme "drak": use auto, dark or mine.'],
		]);
	});

	it('says that a terminal with few colours shows its own ones', async () => {
		const {rows} = await page('/theme', undefined, true);
		expect(rows(80, 20).map(line => line.trimEnd())).toContain(
			'This terminal has few colours, so every theme uses the colours of the terminal.',
		);
	});

	it('keeps the theme on the screen if it cannot be saved', async () => {
		const {app, told} = await page('/theme dark', 'The disk is full.');
		expect([app.state.display.theme, told()]).toEqual(['dark', ['The theme is not saved: The disk is full.']]);
	});
});
