import {describe, expect, it} from 'vitest';
import {draw, nextChange} from '../../../src/tui/screen/draw.ts';
import {firstPicture} from '../../../src/tui/screen/first-picture.ts';
import {createTheme} from '../../../src/tui/text/theme.ts';
import {handMadeApp, handMadePod, running} from '../../helpers/hand-made-app.ts';
import {createItems} from '../../helpers/items.ts';

describe('a frame', () => {
	it('fills the screen: the transcript, blank rows below it, then the composer and the status line', async () => {
		const {app, pod, type} = await handMadeApp();
		type('draft');
		const make = createItems();
		for (const item of [make.user('question'), make.end()]) pod.emit({type: 'item', item});
		const {columns, rows, cursor} = firstPicture(draw(app, {columns: 40, rows: 8}), createTheme(0));
		expect([columns, rows.map(row => row.replaceAll(/\x1b\[[\d;]*m/g, '').replace(/◦.*/, '◦'))]).toEqual([
			40,
			['', '▌ question', '  finished', '', '', '', '❯ draft', '◦'],
		]);
		expect(cursor).toEqual({x: 7, y: 6});
	});

	it('shows the welcome before there is a transcript', async () => {
		const {app} = await handMadeApp(handMadePod(), {welcome: [[{text: 'hello'}], [], [{text: 'there'}]]});
		expect(firstPicture(draw(app, {columns: 40, rows: 6}), createTheme(0)).rows.slice(0, 4)).toEqual([
			' hello',
			'',
			' there',
			'',
		]);
	});
});

it('a frame changes each second during the countdown to a retry', async () => {
	let now = 0;
	const {app, pod} = await handMadeApp(handMadePod(), {now: () => now});
	expect(nextChange(app.state, now, app.state.now)).toBeUndefined();
	pod.emit({type: 'status', status: {...running, retryAt: 2300}});
	expect(nextChange(app.state, now, app.state.now)).toBe(300);
	now = 300;
	expect(nextChange(app.state, now, app.state.now)).toBe(1300);
	now = 2300;
	expect(nextChange(app.state, now, app.state.now)).toBeUndefined();
});
