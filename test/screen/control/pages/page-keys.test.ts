import {describe, expect, it} from 'vitest';
import {helpPage, helpPageRows, unknownTerminal} from '../../../../src/screen/view/pages/help-page.ts';
import {pasteOnPage} from '../../../../src/screen/control/pages/filter-keys.ts';
import {createKeymap} from '../../../../src/screen/model/keys/keymap.ts';
import {plainText} from '../../../../src/screen/spans/row.ts';
import {width} from '../../../../src/text/width.ts';
import {fakeApp, fakePod} from '../../../helpers/fake-app.ts';

const page = {
	kind: 'text' as const,
	title: 'Numbers',
	top: 0,
	lines: Array.from({length: 50}, (_, index) => ({spans: [{text: `line ${index}`}]})),
};

async function shown(rows = 20) {
	const made = await fakeApp(fakePod(), {});
	made.app.dispatch({type: 'open page', page});
	return {...made, first: () => made.rows(60, rows)[1], last: () => made.rows(60, rows).at(-1)};
}

describe('a page', () => {
	it('scrolls by its keys, within its text', async () => {
		const {press, first, last, rows} = await shown();
		expect(rows()[0]).toBe('Numbers · Esc close · PgDn more · rows 1-16 of 50');
		press('down');
		expect(first()).toBe('line 1');
		press('pagedown');
		expect(first()).toBe('line 16');
		press('end');
		expect(last()).toBe('line 49');
		press('pagedown');
		expect(last()).toBe('line 49');
		expect(rows()[0]).toBe('Numbers · Esc close · PgUp back · rows 35-50 of 50');
		press('up');
		expect(last()).toBe('line 48');
		press('pageup');
		expect(first()).toBe('line 18');
		press('home');
		press('up');
		expect(first()).toBe('line 0');
	});

	it('also scrolls and closes by keys that you remap for the transcript', async () => {
		const {keymap: own} = createKeymap({'page down': ['f4'], bottom: ['ctrl+x'], pause: ['f2']});
		const {app, press, rows} = await fakeApp(fakePod(), {keymap: own});
		app.dispatch({type: 'open page', page});
		rows();
		press('f4');
		expect(rows()[1]).toBe('line 15');
		press('x', {ctrl: true});
		expect(rows().at(-1)).toBe('line 49');
		press('f2');
		expect(app.state.page).toBeUndefined();
	});

	it.each([
		['escape', {}],
		['q', {text: 'q'}],
	] as const)('closes on %s, and the next key goes to the message', async (name, modifiers) => {
		const {app, press, type, draft} = await shown();
		press(name, modifiers);
		expect(app.state.page).toBeUndefined();
		type('q');
		expect(draft()).toEqual([{type: 'text', text: 'q'}]);
	});

	it('takes keys that would type or send, and leaves the keys that cancel and quit', async () => {
		const {app, pod, press, type, draft} = await shown();
		type('abc');
		press('enter');
		press('backspace');
		expect(draft()).toEqual([]);
		expect(pod.said).toEqual([]);
		press('c', {ctrl: true});
		expect(app.state.keys.quitUntil).toBeGreaterThan(0);
	});

	it.each([3, 4, 6])('shows its text on a screen of %i rows', async rows => {
		const {rows: shownRows} = await shown(rows);
		expect(shownRows(60, rows).length).toBeGreaterThan(0);
	});
});

describe('the help', () => {
	const textOf = (...args: Parameters<typeof helpPage>) =>
		helpPageRows(helpPage(...args), {columns: 200, height: 300})
			.map(row => plainText(row).trimEnd())
			.join('\n');
	const {keymap} = createKeymap({pause: ['f2'], 'switch view': []});

	it('names every command and action, with your keys', () => {
		const text = textOf(keymap, unknownTerminal);
		expect(text).toMatch(/\/copy \[n\] +Copy the last answer/);
		expect(text).toMatch(/ {2}F2 +Stop the turn/);
		expect(text).toMatch(/\(no key\) +Switch view/);
		expect(text).toMatch(/Session keys[^]*Editing keys[^]*Transcript keys/);
	});

	it('lists the commands in groups, and names plan mode', () => {
		const text = textOf(keymap, unknownTerminal);
		expect(text).toMatch(/Commands for sessions[^]*\/fork[^]*Commands for the context[^]*\/rewind[^]*\/mcp/);
		expect(text).toMatch(/\/approval \[mode\] .*ask, accept-edits, plan or auto/);
	});

	it('shows the rows that match what you type, below the titles of their groups', async () => {
		const {app, type, press, rows} = await fakeApp(fakePod(), {});
		app.dispatch({type: 'open page', page: helpPage(keymap, unknownTerminal)});
		const lines = () => rows(100, 20).map(row => row.trimEnd());
		expect(lines().slice(0, 2)).toEqual([
			expect.stringMatching(/^Help · Esc close · PgDn more/),
			'❯ type to search',
		]);
		press('pagedown');
		type('plan ');
		expect(lines().slice(1)).toEqual([
			'❯ plan',
			'',
			'Commands for permissions, models and settings',
			expect.stringMatching(/^ {2}\/approval/),
			'',
			'Session keys',
			expect.stringMatching(/^ {2}Shift\+Tab/),
		]);
		type('zzz q');
		expect(lines().slice(1)).toEqual(['❯ plan zzz q', 'Nothing matches.']);
		press('escape');
		expect(app.state.page).toBeUndefined();
	});

	it('takes a paste into its search', async () => {
		const {app, rows} = await fakeApp(fakePod(), {});
		app.dispatch({type: 'open page', page: helpPage(keymap, unknownTerminal)});
		expect(pasteOnPage(app, 'fork\n')).toBe(true);
		expect(rows()[1]?.trimEnd()).toBe('❯ fork');
		app.dispatch({type: 'open page', page});
		expect(pasteOnPage(app, 'x')).toBe(false);
	});

	it('shows which keys a terminal sends, or that this is unknown', () => {
		expect(textOf(keymap, {shiftEnter: 'yes'})).toMatch(/Shift\+Enter +Inserts a newline\n/);
		expect(textOf(keymap, {shiftEnter: 'no'})).toMatch(/Shift\+Enter +This terminal sends it as Enter/);
		expect(textOf(keymap, unknownTerminal)).toMatch(/Shift\+Enter +Inserts a newline if this terminal sends/);
		expect(textOf(keymap, unknownTerminal)).toMatch(/Ctrl\+J +Inserts a newline\n/);
	});

	it.each([20, 40, 80, 200])('fits the screen on %i columns', async columns => {
		const {app, rows} = await fakeApp(fakePod(), {});
		app.dispatch({type: 'open page', page: helpPage(keymap, unknownTerminal)});
		for (const row of rows(columns, 200)) expect(width(row)).toBeLessThanOrEqual(columns);
	});
});
