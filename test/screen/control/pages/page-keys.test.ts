import {describe, expect, it} from 'vitest';
import {helpPage, unknownTerminal} from '../../../../src/screen/view/pages/cost-page.ts';
import {createKeymap} from '../../../../src/screen/model/keys/keymap.ts';
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
		helpPage(...args)
			.lines.map(({lead, spans}) => (lead?.text ?? '') + spans.map(span => span.text).join(''))
			.join('\n');
	const {keymap} = createKeymap({pause: ['f2'], 'switch view': []});

	it('names every command and action, with your keys', () => {
		const text = textOf(keymap, unknownTerminal);
		expect(text).toMatch(/\/copy \[n\] +Copy the last answer/);
		expect(text).toMatch(/ {2}F2 +Stop the turn/);
		expect(text).toMatch(/\(no key\) +Switch view/);
		expect(text).toMatch(/Session keys[^]*Editing keys[^]*Transcript keys/);
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
