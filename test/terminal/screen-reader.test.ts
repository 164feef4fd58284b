import {expect, test} from 'vitest';
import {idle, openChat, send} from '../helpers/chat.ts';

test('for a screen reader, the same screen comes through Ink, and the terminal is given back', async () => {
	const terminal = await openChat({env: {INK_SCREEN_READER: 'true'}});
	await terminal.waitFor('offline');
	await send(terminal, 'hello 日本');
	await terminal.waitFor(screen => /▌ hello 日本/.test(screen) && idle.test(screen));
	terminal.write('draft');
	await terminal.waitFor(screen => screen.includes('❯ draft') && terminal.cursor().column === 7 && terminal.cursor().visible);
	expect(terminal.cursor()).toMatchObject({row: 29, column: 7, visible: true});
	terminal.write('\x15\x04');
	expect(await terminal.exit).toMatchObject({code: 0});
	expect(terminal.virtual.isAlternate()).toBe(false);
	expect(terminal.virtual.terminal.modes).toMatchObject({sendFocusMode: false, wraparoundMode: true, mouseTrackingMode: 'none'});
});
