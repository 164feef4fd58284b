import {describe, expect, it} from 'vitest';
import {transcript} from '../helpers/chat.ts';
import {longChat, currentMatch, rowOf} from '../helpers/long-chat.ts';

const search = '\x1bOR';

describe.each([
	[120, 40],
	[60, 15],
	[40, 10],
])('a search at %ix%i', (cols, rows) => {
	it('counts and marks matches as you type, moves with n and N, and keeps the view when it closes', async () => {
		const terminal = await longChat({cols, rows});
		terminal.write(search);
		await terminal.waitFor('Search: ');
		terminal.write('item 5');
		await terminal.waitFor(/Search: item 5 {2}2 of 11|Search: item 5 {2}\d+ of 11/);
		expect(terminal.cursor()).toMatchObject({row: rowOf(terminal, 'Search: '), column: 'Search: item 5'.length});
		await terminal.waitFor(() => currentMatch(terminal, rowOf(terminal, 'item 59')) === 'item 5');
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
		expect(currentMatch(terminal, rowOf(terminal, 'item 5 of'))).toBe('');
	});
});

describe('a search in the transcript', () => {
	it('opens a collapsed block while a match in it is selected', async () => {
		const terminal = await longChat({cols: 60, rows: 15});
		terminal.write(search);
		await terminal.waitFor('Search: ');
		terminal.write('file line 17');
		await terminal.waitFor(screen => screen.includes('1 of 1') && screen.includes('│ file line 17'));
		expect(currentMatch(terminal, rowOf(terminal, '│ file line 17'))).toBe('file line 17');
		terminal.write('\x15explain');
		await terminal.waitFor(screen => screen.includes('1 of 1') && screen.includes('… 26 more lines'));
	});

	it('reports that nothing matches, restores the view, and does not change the message', async () => {
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

	it('leaves keys to the message after Enter, except n and N', async () => {
		const terminal = await longChat({cols: 60, rows: 15});
		terminal.write(search);
		await terminal.waitFor('Search: ');
		terminal.write('answer\r');
		await terminal.waitFor('N previous');
		terminal.write('x');
		await terminal.waitFor(screen => screen.includes('❯ x') && !screen.includes('Search: '));
	});
});
