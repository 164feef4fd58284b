import {describe, it} from 'vitest';
import {openChat, send} from '../helpers/chat.ts';

describe('the approval mode', () => {
	it('changes with Shift+Tab, offers auto after another press, and can be set with /approval', async () => {
		const terminal = await openChat({cols: 100, rows: 24});
		await terminal.waitFor(/◦ idle.* · ask/);
		terminal.write('\x1b[Z');
		await terminal.waitFor(
			screen => screen.includes(' · accept-edits') && screen.includes('Approval: accept-edits.'),
		);
		terminal.write('\x1b[9;2u');
		await terminal.waitFor(screen => / · plan\b/.test(screen) && screen.includes('Press Shift+Tab again'));
		await send(terminal, '/approval auto');
		await terminal.waitFor(
			screen => screen.includes(' · auto-approve: not confined') && screen.includes('outside any sandbox.'),
		);
		terminal.resize(40, 10);
		await terminal.waitFor(screen => /❯[^\n]*\n[^❯]*◦ idle [^\n]*offline · auto\b/.test(screen));
	});
});
