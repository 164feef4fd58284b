import {describe, expect, it} from 'vitest';
import {histories, idle, openChat, send} from '../helpers/chat.ts';
import {tempProject} from '../helpers/temp-project.ts';

describe('a new session', () => {
	it('recalls prompts of an earlier session with Up and Ctrl+R, and sends nothing by itself', async () => {
		const project = await tempProject();
		const first = await openChat({cwd: project.dir});
		await first.waitFor(idle);
		await send(first, 'explain the cart');
		await first.waitFor(/▌ explain the cart[^]*\n {2}[\d.]+ s[^]*◦ idle/);
		await send(first, 'find the tests');
		await first.waitFor(/▌ find the tests[^]*\n {2}[^\n]*\d s[^]*◦ idle/);
		first.write('\x04');
		await first.exit;
		const second = await openChat({cwd: project.dir, home: first.home, cols: 60, rows: 15});
		await second.waitFor(idle);
		second.write('\x1b[A');
		await second.waitFor('❯ find the tests');
		second.write('\x03');
		await second.waitFor('Ask anything');
		second.write('\x12');
		await second.waitFor('Prompts: 1 of 2');
		second.write('CART');
		await second.waitFor(/Prompts: CART {2}1 of 1/);
		second.write('\r');
		await second.waitFor(screen => screen.includes('❯ explain the cart') && !screen.includes('Prompts:'));
		expect(await histories(second.home)).toHaveLength(1);
	});

	it('attaches a dragged file', async () => {
		const project = await tempProject({'my file.md': 'x\n'});
		const terminal = await openChat({cwd: project.dir});
		await terminal.waitFor(idle);
		terminal.write(`\x1b[200~'${project.path('my file.md')}' \x1b[201~`);
		await terminal.waitFor('❯ @"my file.md"');
	});
});
