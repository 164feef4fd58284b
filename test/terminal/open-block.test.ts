import {readdir, writeFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {openChat, send} from '../helpers/chat.ts';
import {tempProject} from '../helpers/temp-project.ts';

describe('a file block', () => {
	it('opens its stored text in less, where it is inert, and leaves no copy', async () => {
		const project = await tempProject({'a.txt': 'first \u001b[2J\u001b]0;owned\u0007 last\n'});
		const terminal = await openChat({cwd: project.dir, env: {PAGER: 'less -R', LESS: '-RF', TMPDIR: project.dir}});
		await terminal.waitFor(/offline/);
		await send(terminal, 'see @a.txt ');
		await terminal.waitFor(/rules, not an AI model[^]*◦ idle/);
		terminal.write('\x1bv');
		await terminal.waitFor('❯ Answer');
		terminal.write('\x1b[A');
		await terminal.waitFor('❯ File a.txt');
		terminal.write('\r');
		await terminal.waitFor('[File: a.txt]');
		await terminal.waitFor('first ESC[2JESC]0;owned^G last');
		terminal.write('q');
		await terminal.waitFor('◇ File a.txt');
		await expect
			.poll(async () => (await readdir(project.dir)).filter(name => name.startsWith('inkpod-stored-')))
			.toEqual([]);
	});

	it('is marked when another program changes the file, and one key attaches the file again', async () => {
		const project = await tempProject({'a.txt': 'first\n'});
		const terminal = await openChat({cwd: project.dir});
		await terminal.waitFor(/offline/);
		await send(terminal, 'see @a.txt ');
		await terminal.waitFor(/rules, not an AI model[^]*◦ idle/);
		await writeFile(project.path('a.txt'), 'second, and longer\n');
		await send(terminal, 'thank you');
		await terminal.waitFor('▲ changed on disk');
		terminal.write('\x1ba');
		await terminal.waitFor('❯ @a.txt');
	});
});
