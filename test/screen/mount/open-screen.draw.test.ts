import {describe, expect, it} from 'vitest';
import {helpPage, unknownTerminal} from '../../../src/screen/view/pages/help-page.ts';
import {draw, nextChange} from '../../../src/screen/mount/open-screen.ts';
import {firstPicture} from '../../../src/screen/mount/view.ts';
import {plainText} from '../../../src/screen/spans/row.ts';
import {createTheme} from '../../../src/screen/spans/theme.ts';
import {fakeApp, fakePod, running} from '../../helpers/fake-app.ts';
import {createItems} from '../../helpers/items.ts';

describe('a frame', () => {
	it('fills the screen: blank rows, the transcript right above the composer, and the status line', async () => {
		const {app, pod, type} = await fakeApp();
		type('draft');
		const make = createItems();
		for (const item of [make.user('question'), make.end()]) pod.emit({type: 'item', item});
		const {columns, rows, cursor} = firstPicture(draw(app, {columns: 40, rows: 8}), createTheme(0));
		expect([columns, rows.map(row => row.replaceAll(/\x1b\[[\d;]*m/g, '').replace(/◦.*/, '◦'))]).toEqual([
			40,
			['', '', '', '▌ question', '', '  finished', '❯ draft', '◦'],
		]);
		expect(cursor).toEqual({x: 7, y: 6});
	});

	it('shows the welcome before there is a transcript', async () => {
		const {app} = await fakeApp(fakePod(), {welcome: [[{text: 'hello'}], [], [{text: 'there'}]]});
		expect(firstPicture(draw(app, {columns: 40, rows: 6}), createTheme(0)).rows.slice(0, 4)).toEqual([
			' hello',
			'',
			' there',
			'',
		]);
	});

	it('has no blank rows above a transcript that fills it, and counts those above a shorter one', async () => {
		const {app, pod} = await fakeApp(fakePod(running));
		const make = createItems();
		pod.emit({type: 'item', item: make.user('question')});
		const short = draw(app, {columns: 40, rows: 8});
		expect([short.transcriptHeight, short.transcript.rows.length, short.blankRows]).toEqual([6, 2, 4]);
		for (let more = 0; more < 3; more++) pod.emit({type: 'item', item: make.user('question')});
		const long = draw(app, {columns: 40, rows: 8});
		expect([long.transcriptHeight, long.transcript.rows.length, long.blankRows]).toEqual([6, 6, 0]);
	});

	it('shows a page from its top, also above a short transcript', async () => {
		const {app, pod} = await fakeApp();
		pod.emit({type: 'item', item: createItems().user('question')});
		app.dispatch({type: 'open page', page: helpPage(app.state.setup.keymap, unknownTerminal)});
		const frame = draw(app, {columns: 60, rows: 16});
		expect(frame.blankRows).toBeGreaterThan(0);
		const {rows} = firstPicture(frame, createTheme(0));
		expect(rows[0]!.replaceAll(/\x1b\[[\d;]*m/g, '')).toMatch(/^Help · Esc close/);
	});

	it('says in an empty message what it can contain, and less once a message was sent', async () => {
		const {app, pod} = await fakeApp();
		const composer = () => draw(app, {columns: 80, rows: 16}).composer.rows.map(row => plainText(row).trimEnd());
		expect(composer()).toEqual([expect.stringMatching(/^❯ Ask anything · @file to attach · .* · \/help$/)]);
		pod.emit({type: 'item', item: createItems().user('question')});
		expect(composer()).toEqual(['❯ Ask anything']);
	});
});

it('a frame changes each second during the countdown to a retry', async () => {
	let now = 0;
	const {app, pod} = await fakeApp(fakePod(), {now: () => now});
	expect(nextChange(app.state, now, app.state.now)).toBeUndefined();
	pod.emit({type: 'status', status: {...running, retryAt: 2300}});
	expect(nextChange(app.state, now, app.state.now)).toBe(300);
	now = 300;
	expect(nextChange(app.state, now, app.state.now)).toBe(1300);
	now = 2300;
	expect(nextChange(app.state, now, app.state.now)).toBeUndefined();
});
