import {describe, expect, it} from 'vitest';
import {saveSetting} from '../../../../src/screen/control/pages/config-page.ts';
import type {SettingInfo} from '../../../../src/pod/protocol.ts';
import {configPageRows} from '../../../../src/screen/view/pages/config-rows.ts';
import {plainText} from '../../../../src/screen/spans/row.ts';
import {fakeApp, fakePod, settled, until} from '../../../helpers/fake-app.ts';

const base = {fallback: 'true', type: 'boolean', when: 'session', origin: 'default'} as const;
const mouse: SettingInfo = {
	...base,
	path: ['screen', 'mouse'],
	key: 'screen.mouse',
	about: 'uses the mouse',
	choices: ['true', 'false'],
};
const theme: SettingInfo = {
	...base,
	path: ['screen', 'theme'],
	key: 'screen.theme',
	type: 'name of a theme',
	fallback: '"auto"',
	about: 'the colours',
	when: 'now',
};
const turns: SettingInfo = {
	...base,
	path: ['max_turns'],
	key: 'max_turns',
	value: '3\u001b[2J',
	origin: 'project',
	place: '/work/inkpod.toml',
	about: 'model calls in one turn',
	fixed: 'Not here.',
};

async function page(typed = '/config', refuses?: string, origin: 'user' | 'flag' = 'user') {
	const saved: Array<readonly [string, string]> = [];
	const made = await fakeApp(fakePod(), {
		themes: {list: [{name: 'dark', theme: 'dark'}], current: 'auto', save: async () => undefined},
		settings: {
			async list() {
				const settings = [mouse, theme, turns].map((setting): SettingInfo => {
					const change = saved.findLast(([key]) => key === setting.key);
					if (change === undefined) return setting;
					const place = origin === 'user' ? {} : {place: '--no-mouse'};
					return {...setting, value: change[1], own: change[1], origin, ...place};
				});
				return {ok: true, file: '/home/ann/.config/inkpod/config.toml', settings};
			},
			async save(path, text) {
				if (refuses !== undefined) return refuses;
				saved.push([path.join('.'), text]);
				return undefined;
			},
		},
	});
	made.type(typed);
	made.press('enter');
	await until(() => made.app.state.page !== undefined || made.told().length > 0);
	return {...made, saved, lines: (columns = 60, rows = 20) => made.rows(columns, rows).map(line => line.trimEnd())};
}

describe('/config', () => {
	it('lists each setting with its value and origin, and says what the chosen one does', async () => {
		const {lines, press} = await page();
		expect(lines().slice(0, 5)).toEqual([
			'Settings · 3 · /home/ann/.config/inkpod/config.toml',
			'❯ type to search',
			'❯ screen.mouse                   true                default',
			'  screen.theme                   "auto"              default',
			'  max_turns                      3␛[2J               project',
		]);
		expect(
			lines()
				.filter(line => line !== '')
				.slice(-4),
		).toEqual([
			'uses the mouse',
			'boolean · default: true',
			'a change takes effect in the next session (/new)',
			'Esc close · Enter change · ←→ choose',
		]);
		press('end');
		expect(lines()).toContain('boolean · default: true · set by /work/inkpod.toml');
	});

	it('fits any size', async () => {
		const {rows} = await page();
		for (let columns = 1; columns < 100; columns += 7)
			for (let height = 1; height < 20; height += 3) expect(rows(columns, height).length).toBeGreaterThan(0);
	});

	it('searches while you type, and with the argument of the command', async () => {
		const {lines, type} = await page();
		type('colours');
		expect(lines().slice(0, 3)).toEqual([
			'Settings · 1 of 3 · /home/ann/.config/inkpod/config.toml',
			'❯ colours',
			'❯ screen.theme                   "auto"              default',
		]);
		expect((await page('/config turns')).lines()[1]).toBe('❯ turns');
	});

	it('also finds settings by their value, and lists those with the words in their key first', async () => {
		const {lines, type} = await page();
		type('auto');
		expect(lines()[2]).toMatch(/^❯ screen\.theme +"auto"/);
		expect(lines()[3]).not.toContain('max_turns');
		const other = await page('/config true');
		expect(other.lines()[2]).toMatch(/^❯ screen\.mouse/);
		expect((await page('/config false')).lines()[2]).toMatch(/^❯ screen\.mouse/);
		expect((await page('/config zzz')).lines()[2]).toBe('Nothing matches.');
	});

	it('steps through the choices of a setting with the arrow keys, and saves with Enter', async () => {
		const {lines, press, saved, app} = await page();
		expect(lines()).toContain('Esc close · Enter change · ←→ choose');
		press('right');
		expect(lines()[1]).toBe('screen.mouse = false');
		expect(lines()).toContain('Esc cancel · Enter save · ←→ choose');
		press('right');
		expect(lines()[1]).toBe('screen.mouse = false');
		press('left');
		press('left');
		expect(lines()[1]).toBe('screen.mouse = true');
		press('escape');
		expect([lines()[1], saved, app.state.page?.kind]).toEqual(['❯ type to search', [], 'config']);
		press('right');
		press('enter');
		await until(() => saved.length > 0);
		expect(saved).toEqual([['screen.mouse', 'false']]);
	});

	it('moves the cursor of the search with the arrow keys if the setting has no choices', async () => {
		const {press, type, lines, app} = await page();
		type('theme');
		press('left');
		press('backspace');
		type('M');
		expect(lines()[1]).toBe('❯ theMe');
		expect(app.state.page).toMatchObject({editing: undefined});
	});

	it('changes a setting in place, and says when it takes effect', async () => {
		const {lines, type, press, saved, told} = await page();
		press('enter');
		type('false');
		expect(lines()[1]).toBe('screen.mouse = false');
		press('enter');
		await until(() => saved.length > 0 && told().length > 0);
		expect(saved).toEqual([['screen.mouse', 'false']]);
		expect(told()).toEqual(['screen.mouse is saved. It takes effect in the next session (/new).']);
		expect(lines()[2]).toBe('❯ screen.mouse                   false                 yours');
	});

	it('says what overrides a saved setting', async () => {
		const {app, told} = await page('/config', undefined, 'flag');
		void saveSetting(app, mouse, 'true');
		await until(() => told().length > 0);
		expect(told()).toEqual(['screen.mouse is saved, but --no-mouse overrides it.']);
	});

	it('uses another theme at once', async () => {
		const {app, type, press, told} = await page('/config theme');
		press('enter');
		type('"dark"');
		press('enter');
		await until(() => told().length > 0);
		expect([app.state.display.theme, app.state.display.themeName, told()]).toEqual([
			'dark',
			'dark',
			['screen.theme is saved.'],
		]);
	});

	it('keeps the value that is refused, with the reason, and leaves the setting with Esc', async () => {
		const {lines, type, press, saved} = await page('/config', 'screen.mouse must be true or false.');
		press('enter');
		type('maybe');
		press('enter');
		await settled();
		expect(lines()).toContain('screen.mouse must be true or false.');
		expect(lines()[1]).toBe('screen.mouse = maybe');
		press('escape');
		expect([lines()[1], saved]).toEqual(['❯ type to search', []]);
		press('escape');
		expect(lines().join()).not.toContain('Settings');
	});

	it('has no columns for a screen reader', async () => {
		const {app, rows} = await page();
		const {page: open} = app.state;
		if (open?.kind !== 'config') throw new Error('no page');
		const spoken = {...app.state, setup: {...app.state.setup, isSpoken: true}};
		expect(
			configPageRows(open, {columns: 60, height: 12}, spoken)
				.slice(2, 4)
				.map(row => plainText(row).trim()),
		).toEqual(['❯ screen.mouse = true (default)', 'screen.theme = "auto" (default)']);
		expect(rows(60, 12).length).toBeGreaterThan(0);
	});

	it('says why a setting cannot be changed here', async () => {
		const {lines, press, app} = await page();
		press('end');
		press('enter');
		expect(lines()).toContain('Not here.');
		expect(app.state.page).toMatchObject({kind: 'config', editing: undefined});
		press('up');
		expect(lines()).not.toContain('Not here.');
	});
});
