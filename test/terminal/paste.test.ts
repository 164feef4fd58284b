import {describe, expect, it} from 'vitest';
import {builtProgram} from '../helpers/built.ts';
import {histories, idle, onlyHistory, openChat} from '../helpers/chat.ts';
import type {Terminal, TerminalOptions} from '../helpers/pty.ts';
import {slowClock} from '../helpers/slow-clock.ts';

const log = Array.from(
	{length: 40},
	(_, index) => `\x1b[3${index % 8}mINFO\x1b[0m step ${index}\x1b[K\r\x1b[1A\x1b[2K!rm -rf ${index}\r`,
).join('');

async function opened(options: TerminalOptions = {}): Promise<Terminal> {
	const terminal = await openChat({cols: 100, rows: 20, ...options});
	await terminal.waitFor('offline');
	return terminal;
}

/** Waits until the message was sent, and returns its exact text. */
async function sent(terminal: Terminal): Promise<unknown> {
	terminal.write('\r');
	await terminal.waitFor(/\n {2}[\d.]+ s/, {timeoutMs: 60_000});
	await terminal.waitFor(idle);
	return (await onlyHistory(terminal.home)).items.find(item => item['role'] === 'user')?.['text'];
}

describe('a paste without brackets', () => {
	it('becomes one chip when it is a log with colours and cursor moves, and sends nothing', async () => {
		const terminal = await opened();
		terminal.write(log);
		await terminal.waitFor('[paste #1: 80 lines]');
		expect(await histories(terminal.home)).toEqual([]);
		expect(terminal.screen()).not.toMatch(/queued|paste #2|INFO/);
		expect(await sent(terminal)).toBe(log.replaceAll('\r', '\n'));
	});

	it('of 1 MB sends nothing and loses no line, even when the terminal pauses within it', async () => {
		const terminal = await opened();
		terminal.write('some line of text\r'.repeat(58_254));
		const lines = (screen: string) =>
			screen
				.matchAll(/\[paste #\d+: ([\d,]+) lines\]/g)
				.reduce((sum, [, count]) => sum + Number(count!.replaceAll(',', '')), 0);
		await terminal.waitFor(screen => lines(screen) >= 58_254, {what: 'every line in a chip', timeoutMs: 60_000});
		expect(await histories(terminal.home)).toEqual([]);
	});
});

describe('a bracketed paste', () => {
	it('keeps its text, wherever its bytes are split', async () => {
		const terminal = await opened({command: [process.execPath, slowClock(20), await builtProgram()]});
		const text = 'first 日本\rsecond \x1b[A\x1b[20 third\r';
		for (const byte of Buffer.from(`a\x1b[200~${text}\x1b[201~b`)) {
			terminal.write(Buffer.of(byte) as never);
			await new Promise(resolve => setImmediate(resolve));
		}
		await terminal.waitFor(/❯ afirst 日本\s+second ␛\[A␛\[20 third\s+b/);
		expect(await sent(terminal)).toBe(`a${text.replaceAll('\r', '\n')}b`);
	});

	it('of 10 MB becomes a chip, and keys work after it', async () => {
		const terminal = await opened();
		const text = 'A line of text, nothing more.\r'.repeat(349_525);
		terminal.write(`\x1b[200~${text}\x1b[201~x`);
		await terminal.waitFor(/\[paste #1: 349,525 lines\]x/, {timeoutMs: 60_000});
		expect(terminal.screen()).not.toContain('dropped');
	});

	it('ends by itself when its end mark never arrives', async () => {
		const terminal = await opened();
		terminal.write('\x1b[200~lost\rend');
		await terminal.waitFor(/❯ lost\s+end/);
		terminal.write('hello');
		await terminal.waitFor(/❯ lost\s+endhello/);
		expect(await histories(terminal.home)).toEqual([]);
	});
});

describe('text without brackets', () => {
	it('is sent as a typed message when a program types it with Enter', async () => {
		const terminal = await opened();
		terminal.write('hello there\r');
		await terminal.waitFor(/▌ hello there/);
	});
});
