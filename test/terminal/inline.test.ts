import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {builtProgram} from '../helpers/built.ts';
import {idle, openChat, send} from '../helpers/chat.ts';
import type {Terminal} from '../helpers/pty.ts';

const opened = async (): Promise<Terminal> =>
	openChat({
		command: [
			'/bin/sh',
			'-c',
			'echo what stood there before; "$@"; echo "the shell again"',
			'sh',
			process.execPath,
			await builtProgram(),
			'--inline',
		],
	});

/** Returns all rows of the terminal, including those above the screen. */
function kept({virtual}: Terminal): string[] {
	const {active} = virtual.terminal.buffer;
	return Array.from({length: active.length}, (_, row) => active.getLine(row)!.translateToString(true));
}

describe('the inline chat', () => {
	it('appears below the terminal’s contents, without the alternate screen', async () => {
		const terminal = await opened();
		await terminal.waitFor('offline');
		await send(terminal, 'hello 日本');
		await terminal.waitFor(screen => /▌ hello 日本/.test(screen) && idle.test(screen));
		expect(terminal.virtual.isAlternate()).toBe(false);
		terminal.write('draft');
		await terminal.waitFor(
			screen => screen.includes('❯ draft') && terminal.cursor().column === 7 && terminal.cursor().visible,
		);
		const row = terminal.rows().findIndex(text => text.startsWith('❯ draft'));
		expect(terminal.cursor()).toMatchObject({row, column: 7, visible: true});
		expect(kept(terminal).filter(text => text === 'what stood there before')).toHaveLength(1);
		expect(kept(terminal).filter(text => text.startsWith('❯ draft'))).toHaveLength(1);
		terminal.write('\x15\x04');
		await terminal.exit;
		const rows = kept(terminal);
		expect(rows.findIndex(text => text === 'what stood there before')).toBeLessThan(
			rows.findIndex(text => text.includes('▌ hello 日本')),
		);
		expect(rows.findIndex(text => text.includes('▌ hello 日本'))).toBeLessThan(
			rows.findIndex(text => text.startsWith('Resume with: ')),
		);
		expect(rows.filter(text => text !== '').at(-1)).toBe('the shell again');
		expect(terminal.virtual.terminal.modes).toMatchObject({
			sendFocusMode: false,
			wraparoundMode: true,
			mouseTrackingMode: 'none',
		});
	});

	it('writes nothing to stderr, and shows the cursor at its end', async () => {
		const command = ['/bin/sh', '-c', '"$@" 2>errors; echo "the shell again"', 'sh', process.execPath] as const;
		const terminal = await openChat({command: [...command, await builtProgram(), '--inline']});
		await terminal.waitFor('offline');
		await terminal.waitFor(idle);
		terminal.write('\x04');
		await terminal.exit;
		expect(await readFile(join(terminal.cwd, 'errors'), 'utf8')).toBe('');
		expect(terminal.cursor().visible).toBe(true);
	});

	it('is complete after a resize and Ctrl+L', async () => {
		const terminal = await opened();
		await terminal.waitFor('offline');
		await send(terminal, 'hello');
		await terminal.waitFor(screen => /▌ hello/.test(screen) && idle.test(screen));
		terminal.resize(70, 20);
		await terminal.waitFor(
			screen =>
				screen.split('\n').filter(row => idle.test(row)).length === 1 &&
				screen.split('\n').some(row => row.startsWith('❯')),
		);
		terminal.write('\x0c');
		terminal.write('after');
		await terminal.waitFor(screen => screen.includes('❯ after') && screen.includes('offline'));
		expect(terminal.rows().filter(row => row.startsWith('❯ after'))).toHaveLength(1);
		expect(terminal.virtual.isAlternate()).toBe(false);
	});
});
