import {describe, expect, it} from 'vitest';
import {openChat} from '../helpers/chat.ts';

describe('a suspend', () => {
	it('ends by itself, with the message unchanged, when no shell could resume inkpod', async () => {
		const terminal = await openChat();
		await terminal.waitFor('offline');
		terminal.write('hello');
		await terminal.waitFor('❯ hello');
		terminal.write('\x1a');
		await terminal.waitFor(
			screen =>
				/\x1b\[\?1049l[^]*\x1b\[\?1049h/.test(terminal.raw().toString('latin1')) && screen.includes('❯ hello'),
			{what: 'the screen left and back'},
		);
		terminal.write('!');
		await terminal.waitFor('❯ hello!');
		expect(terminal.rows().join('\n')).toContain('◦ idle');
	});
});
