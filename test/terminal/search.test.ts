import {describe, expect, test} from 'vitest';
import {transcript} from '../helpers/chat.ts';
import {longChat, reversed, rowOf} from '../helpers/long-chat.ts';

const search = '\x12';

describe.each([
	[120, 40],
	[60, 15],
	[40, 10],
])('at %ix%i', (cols, rows) => {
	test('a search counts as it is typed, marks what is found, goes on with n and N, and ends where it is', async () => {
		const terminal = await longChat({cols, rows});
		terminal.write(search);
		await terminal.waitFor('Search: ');
		terminal.write('item 5');
		await terminal.waitFor(/Search: item 5 {2}2 of 11|Search: item 5 {2}\d+ of 11/);
		expect(terminal.cursor()).toMatchObject({row: rowOf(terminal, 'Search: '), column: 'Search: item 5'.length});
		await terminal.waitFor(() => reversed(terminal, rowOf(terminal, 'item 59')) === 'item 5');
		terminal.write('\r');
		await terminal.waitFor('n next');
		const at = Number(/(\d+) of 11/.exec(terminal.screen())![1]);
		terminal.write('N');
		await terminal.waitFor(new RegExp(`${at === 1 ? 11 : at - 1} of 11`));
		terminal.write('n');
		await terminal.waitFor(new RegExp(`${at} of 11`));
		for (let left = at - 1; left > 0; left--) terminal.write('N');
		await terminal.waitFor(screen => screen.includes('1 of 11') && screen.includes('item 5 of'));
		const shown = terminal.rows()[0];
		terminal.write('\x1b');
		await terminal.waitFor(screen => !screen.includes('Search: '));
		expect(terminal.rows()[0]).toBe(shown);
		expect(reversed(terminal, rowOf(terminal, 'item 5 of'))).toBe('');
	});
});

test('what a preview hides is found: its block is open while one stands on it', async () => {
	const terminal = await longChat({cols: 60, rows: 15});
	terminal.write(search);
	await terminal.waitFor('Search: ');
	terminal.write('file line 17');
	await terminal.waitFor(screen => screen.includes('1 of 1') && screen.includes('│ file line 17'));
	expect(reversed(terminal, rowOf(terminal, '│ file line 17'))).toBe('file line 17');
	terminal.write('\x15explain');
	await terminal.waitFor(screen => screen.includes('1 of 1') && screen.includes('… 26 more lines'));
});

test('what is not there is said, the view goes back, and the draft was not touched', async () => {
	const terminal = await longChat({cols: 60, rows: 15});
	terminal.write('a draft');
	await terminal.waitFor('a draft');
	const before = transcript(terminal);
	terminal.write(search);
	await terminal.waitFor('Search: ');
	terminal.write('explain');
	await terminal.waitFor('1 of 1');
	terminal.write('zzz\x1b[2J');
	await terminal.waitFor('no match');
	terminal.write('\x1b');
	await terminal.waitFor(screen => !screen.includes('Search: '));
	expect(transcript(terminal)).toEqual(before);
	expect(terminal.screen()).toContain('❯ a draft');
});

test('what types behind Enter, but n and N, goes on with the draft', async () => {
	const terminal = await longChat({cols: 60, rows: 15});
	terminal.write(search);
	await terminal.waitFor('Search: ');
	terminal.write('answer\r');
	await terminal.waitFor('N previous');
	terminal.write('x');
	await terminal.waitFor(screen => screen.includes('❯ x') && !screen.includes('Search: '));
});
