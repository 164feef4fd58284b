import {mkdir, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {describe, expect, it} from 'vitest';
import {longChat, mouse, rowOf} from '../helpers/long-chat.ts';
import {openChat, send, transcript} from '../helpers/chat.ts';
import {tempProject} from '../helpers/temp-project.ts';

const on = '\x1b[?1002h\x1b[?1006h';

describe.each([
	[120, 40],
	[60, 15],
	[40, 10],
])('the mouse wheel at %ix%i', (cols, rows) => {
	it('scrolls the transcript, even over the composer, and follows the end again', async () => {
		const terminal = await longChat({cols, rows});
		const before = transcript(terminal);
		terminal.write(mouse.wheelUp(3, rows - 1));
		await terminal.waitFor(() => transcript(terminal)[3] === before[0]);
		if (cols >= 60) expect(terminal.screen()).toContain('↓ scrolled');
		terminal.write(mouse.wheelDown());
		await terminal.waitFor(() => transcript(terminal)[0] === before[0]);
		expect(terminal.screen()).not.toContain('↓ scrolled');
	});
});

/** The thumb of the scrollbar is at the edge of the screen, whatever its width. */
const withoutThumb = (row: string | undefined) => row?.replace(/┃$/, '').trimEnd();

describe('new rows below the view', () => {
	it('do not move the view, and a click on their count shows them', async () => {
		const terminal = await longChat({cols: 60, rows: 15});
		await send(terminal, 'more');
		await terminal.waitFor('a slow answer');
		terminal.write('\x1b[1;5H');
		await terminal.waitFor('explain @a.txt');
		const top = terminal.rows()[1];
		await terminal.waitFor(/↓ 1 new · Ctrl\+End/);
		terminal.resize(80, 18);
		await terminal.waitFor(() => terminal.rows().length === 18 && rowOf(terminal, '↓ 1 new') === 14);
		expect(withoutThumb(terminal.rows()[1])).toBe(withoutThumb(top));
		terminal.write('\x0f\x0f\x0f');
		await terminal.waitFor(
			() => rowOf(terminal, 'file line 0') > 0 && withoutThumb(terminal.rows()[1]) === withoutThumb(top),
		);
		terminal.write(mouse.click(2, rowOf(terminal, ' new · ')));
		await terminal.waitFor(screen => screen.includes('in sight') && !screen.includes(' new · '));
	});
});

describe('a click', () => {
	it('opens a block on its note about more lines, and closes it on its sign', async () => {
		const terminal = await longChat({cols: 60, rows: 15});
		terminal.write('\x1b[1;5H');
		await terminal.waitFor('… 26 more lines');
		const top = terminal.rows()[1];
		terminal.write(mouse.click(8, rowOf(terminal, '… 26 more lines')));
		await terminal.waitFor('file line 5');
		expect(terminal.rows()[1]).toBe(top);
		terminal.write(mouse.click(0, rowOf(terminal, 'File a.txt')));
		await terminal.waitFor('… 26 more lines');
	});

	it('moves the caret in the message, even beside wide characters', async () => {
		const terminal = await longChat({cols: 60, rows: 15});
		terminal.write('ab日本語c');
		await terminal.waitFor('ab日本語c');
		const row = terminal.cursor().row;
		terminal.write(mouse.click(7, row));
		terminal.write('X');
		await terminal.waitFor('ab日X本語c');
		terminal.write(mouse.click(50, row));
		terminal.write('Y');
		await terminal.waitFor('ab日X本語cY');
	});
});

describe('the mouse modes of the terminal', () => {
	it('are toggled by a key, and switched off at exit', async () => {
		const terminal = await longChat();
		expect(terminal.raw().toString().split(on)).toHaveLength(2);
		terminal.write('\x1bm');
		await terminal.waitFor(/mouse off/);
		terminal.write(mouse.wheelUp());
		terminal.write('\x1bm');
		await terminal.waitFor(screen => !screen.includes('mouse off'));
		expect(terminal.raw().toString().split(on)).toHaveLength(3);
		expect(terminal.screen()).not.toContain('↓ scrolled');
		terminal.write('\x04');
		await terminal.exit;
		const bytes = terminal.raw().toString();
		expect(bytes.lastIndexOf('\x1b[?1002l')).toBeGreaterThan(bytes.lastIndexOf('\x1b[?1002h'));
		expect(bytes.lastIndexOf('\x1b[?1006l')).toBeGreaterThan(bytes.lastIndexOf('\x1b[?1006h'));
	});

	it('are switched off first when an earlier process left them on', async () => {
		const terminal = await openChat();
		await terminal.waitFor('idle');
		const bytes = terminal.raw().toString();
		expect(bytes.indexOf('\x1b[?1003l')).toBeLessThan(bytes.indexOf(on));
		expect(bytes.indexOf('\x1b[?1003l')).toBeGreaterThanOrEqual(0);
	});

	it.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('are switched off after %s', async signal => {
		const terminal = await longChat();
		terminal.kill(signal);
		await terminal.exit;
		const bytes = terminal.raw().toString();
		expect(bytes.lastIndexOf('\x1b[?1002l')).toBeGreaterThan(bytes.lastIndexOf('\x1b[?1002h'));
	});

	it('stay off when the configuration disables them, until the key is pressed', async () => {
		const project = await tempProject({'home/.config/inkpod/config.toml': '[screen]\nmouse = false\n'});
		const terminal = await openChat({cwd: project.dir, home: path.join(project.dir, 'home')});
		await terminal.waitFor('idle');
		expect(terminal.raw().toString()).not.toContain('?1002h');
		terminal.write('\x1bm');
		await terminal.waitFor('Mouse on');
		expect(terminal.raw().toString()).toContain(on);
	});
});

describe('a chat with dump = true', () => {
	it('prints the transcript to the scrollback at its end', async () => {
		const home = (await tempProject({})).dir;
		await mkdir(path.join(home, '.config/inkpod'), {recursive: true});
		await writeFile(path.join(home, '.config/inkpod/config.toml'), '[screen]\ndump = true\n');
		const terminal = await longChat({home, cols: 60, rows: 15});
		terminal.write('\x04');
		await terminal.exit;
		const printed = terminal.raw().toString().split('\x1b[?1049l').at(-1)!;
		expect(printed).toContain('▌ explain @a.txt');
		expect(printed).toContain('• item 0 of the answer\r\n  • item 1 of the answer');
		expect(printed.indexOf('item 59')).toBeLessThan(printed.indexOf('Resume with'));
		expect(printed.slice(printed.indexOf('▌ explain'), printed.indexOf('Session'))).not.toMatch(/\x1b/);
	});
});
