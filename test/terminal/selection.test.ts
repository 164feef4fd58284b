import {chmod, readFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {transcript} from '../helpers/chat.ts';
import {answerLines, clipboard, fileLines, longChat, mouse, reversed, rowOf} from '../helpers/long-chat.ts';
import {tempProject} from '../helpers/temp-project.ts';

describe.each([
	[120, 40],
	[60, 15],
	[40, 10],
])('a selection at %ix%i', (cols, rows) => {
	it('shows the dragged rows and copies them without gutters', async () => {
		const terminal = await longChat({cols, rows});
		const row = rowOf(terminal, 'item 57');
		terminal.write(mouse.press(4, row) + mouse.drag(8, row + 1));
		await terminal.waitFor(() => reversed(terminal, row).trimEnd() === 'item 57 of the answer');
		expect(reversed(terminal, row + 1)).toBe('• item 5'.slice(0, 7));
		terminal.write(mouse.release(8, row + 1));
		await terminal.waitFor(/Copied 2 lines via OSC 52/);
		expect(clipboard(terminal)).toEqual(['item 57 of the answer\n• item ']);
		terminal.write('\x1b');
		await terminal.waitFor(() => reversed(terminal, row) === '');
	});
});

describe('a selection with keys', () => {
	it('copies what the caret passes, with the mouse off, and leaves the draft alone', async () => {
		const terminal = await longChat({cols: 60, rows: 15, args: ['--no-mouse']});
		terminal.write('draft\x1bx');
		await terminal.waitFor(/Select: Enter copy the line/);
		const row = rowOf(terminal, 'item 59');
		expect(terminal.virtual.cursor().row).toBe(row);
		// Home, Space, Up, End: from the beginning of the last item to the end of the one before it.
		terminal.write('\x1b[H \x1b[A\x1b[F');
		await terminal.waitFor(() => reversed(terminal, row) === '•');
		terminal.write('\r');
		await terminal.waitFor(/Copied 2 lines via OSC 52/);
		expect(clipboard(terminal)).toEqual(['r\n•']);
		expect(terminal.rows().join('\n')).toContain('draft');
	});

	it('scrolls with PgUp, extends with Shift, and ends with Esc', async () => {
		const terminal = await longChat({cols: 60, rows: 15});
		terminal.write('\x1bx');
		await terminal.waitFor(/Select: /);
		const top = transcript(terminal)[0];
		terminal.write('\x1b[5;2~');
		await terminal.waitFor(
			() => transcript(terminal)[0] !== top && /Enter copy ·/.test(terminal.rows().join('\n')),
		);
		terminal.write('\x1b');
		await terminal.waitFor(() => !terminal.rows().join('\n').includes('Select: '));
		expect(clipboard(terminal)).toEqual([]);
	});

	it('is refused with a sentence with --inline', async () => {
		const terminal = await longChat({cols: 80, rows: 15, args: ['--inline']});
		terminal.write('\x1bx');
		await terminal.waitFor('Selecting with keys works only on the full screen.');
	});
});

describe('a selection with the mouse', () => {
	it('scrolls during a drag at the edge, and copies the rows that scrolled by', async () => {
		const terminal = await longChat({cols: 60, rows: 15});
		terminal.write(mouse.press(2, 5) + mouse.drag(2, 3) + mouse.drag(2, 0));
		await terminal.waitFor(() => /item (?:\d|1\d|2\d)\b/.test(terminal.rows()[0] ?? ''));
		terminal.write(mouse.release(2, 0));
		await terminal.waitFor(/Copied \d+ lines via OSC 52/);
		const [copied] = clipboard(terminal);
		const lines = copied!.split('\n');
		expect(lines.length).toBeGreaterThan(15);
		const first = answerLines.findIndex(line => line.slice(2) === lines[0]!.slice(2));
		expect(lines.slice(0, -1)).toEqual(
			answerLines.slice(first, first + lines.length - 1).map(line => `•${line.slice(1)}`),
		);
		const top = transcript(terminal)[0];
		terminal.write('typed');
		await terminal.waitFor('typed');
		expect(transcript(terminal)[0]).toBe(top);
	});

	it('copies a word with a double click, and the line with a third click', async () => {
		const terminal = await longChat({cols: 60, rows: 15});
		terminal.write('\x1b[1;5H');
		await terminal.waitFor('file line 2');
		const row = rowOf(terminal, 'file line 2');
		terminal.write(mouse.click(5, row).repeat(2));
		await terminal.waitFor(() => clipboard(terminal).length === 1 && reversed(terminal, row) === 'file', {
			what: 'the word',
		});
		// Clicks count together if they are close in time. These arrive in one read.
		terminal.write(mouse.click(5, row + 1).repeat(3));
		await terminal.waitFor(() => clipboard(terminal).length === 3, {what: 'the line'});
		expect(clipboard(terminal)).toEqual(['file', 'file', fileLines[3]]);
	});

	it('reports the clipboard program that copied the text, and then does not use the terminal', async () => {
		const tools = await tempProject({'bin/xclip': '#!/bin/sh\ncat > "$(dirname "$0")/taken"\n'});
		await chmod(`${tools.dir}/bin/xclip`, 0o755);
		const terminal = await longChat({
			cols: 60,
			rows: 15,
			env: {DISPLAY: ':0', PATH: `${tools.dir}/bin:${process.env['PATH']}`},
		});
		const row = rowOf(terminal, 'item 58');
		terminal.write(mouse.press(4, row) + mouse.drag(10, row) + mouse.release(10, row));
		await terminal.waitFor('Copied 7 characters (xclip).');
		expect(await readFile(`${tools.dir}/bin/taken`, 'utf8')).toBe('item 58');
		expect(clipboard(terminal)).toEqual([]);
	});
});
