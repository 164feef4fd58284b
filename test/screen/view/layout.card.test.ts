import {expect, it} from 'vitest';
import type {Ask} from '../../../src/pod/protocol.ts';
import {draw} from '../../../src/screen/mount/open-screen.ts';
import {plainText} from '../../../src/screen/spans/row.ts';
import {fakeApp, fakePod, running} from '../../helpers/fake-app.ts';
import {rowsAbove, rowsBetween} from '../../../src/screen/view/layout.ts';

const choices: Ask['choices'] = [
	{choice: 'allow', label: 'Yes, once'},
	{choice: 'session', label: 'Yes, in this session: exactly this command'},
	{choice: 'always', label: 'Yes, always in this project: exactly this command'},
	{choice: 'deny', label: 'No', refuses: true, reason: true},
];
const diff =
	`--- a/x.ts\n+++ b/x.ts\n@@ -1,200 +1,200 @@\n` +
	Array.from({length: 200}, (_, line) => `-old ${line}\n+new ${line} ${'wide '.repeat(30)}\n`).join('');

it.each([
	[120, 40],
	[60, 15],
	[40, 10],
])(
	'a screen of %d by %d keeps the transcript, the note, every choice and the message with a card that is too large',
	async (columns, rows) => {
		const ask: Ask = {id: 'q', title: 'Edit src/a/long/path/to/a/file.ts?', detail: diff, shows: 'diff', choices};
		const {app, type} = await fakeApp(fakePod({...running, asks: [ask, {...ask, id: 'r'}]}));
		type('a draft');
		const frame = draw(app, {columns, rows});
		const card = frame.card!.rows.map(plainText);
		expect(
			frame.transcriptHeight +
				rowsBetween(frame).length +
				card.length +
				frame.rule.length +
				frame.status.length +
				rowsAbove(frame).length +
				frame.composer.rows.length,
		).toBe(rows);
		expect(frame.transcriptHeight).toBeGreaterThanOrEqual(1);
		expect(frame.cardRule.map(plainText)).toEqual(rows < 30 ? [] : ['', '─'.repeat(columns)]);
		expect(frame.cursor.y).toBe(rows - frame.status.length - 1);
		expect(card[0]).toMatch(/^\? Edit .*\(1 of 2\)$/);
		expect(card.join('\n')).toMatch(/▼ .*PgDn/);
		expect(card.join('\n')).toMatch(/ 1 Yes|  1\. Yes/);
		for (const key of ['2', '3', '❯ 4. No (Esc)'])
			expect(card.join('\n').replace('❯4 No', '❯ 4. No')).toContain(key);
		expect(frame.card!.shown).toBeGreaterThanOrEqual(rows === 10 ? 2 : rows / 4);
		const ends = Array.from({length: 20}, (_, above) => {
			app.dispatch({type: 'scroll card', scroll: frame.card!.total - frame.card!.shown - above});
			return draw(app, {columns, rows}).card!.rows.map(plainText).join('\n');
		});
		expect(ends.join('\n')).toContain('new 199');
		expect(ends[0]).toContain('▲ rows');
	},
);
