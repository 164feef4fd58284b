import {readdir, readFile} from 'node:fs/promises';
import path from 'node:path';
import {describe, expect, it} from 'vitest';
import {idle, onlyHistory, openChat, send} from '../helpers/chat.ts';
import {tempProject} from '../helpers/temp-project.ts';

describe('/export', () => {
	it('writes the session without its secrets to a file, and says what it left out', async () => {
		const answer = `Your key is ghp_${'a1'.repeat(20)}.`;
		const {dir} = await tempProject({'script.json': JSON.stringify([[{type: 'text', text: answer}]])});
		const terminal = await openChat({cwd: dir, cols: 100, rows: 30, args: ['--model', 'scripted:script.json']});
		await terminal.waitFor('scripted');
		await send(terminal, 'hello');
		await terminal.waitFor(screen => screen.includes('Your key is') && idle.test(screen));
		await send(terminal, '/export out.html');
		await terminal.waitFor('Left out 1 value that looks like a secret.');
		expect(await readFile(path.join(dir, 'out.html'), 'utf8')).toContain('Your key is [redacted: GitHub token].');
		await send(terminal, '/export out.html');
		await terminal.waitFor('exists. Replace it with --force.');
		terminal.write('\x15');
		await send(terminal, '/export out.txt');
		await terminal.waitFor('Name a file that ends in .md, .html or .json.');
		terminal.write('\x15');
		await send(terminal, '/export');
		const {session} = await onlyHistory(terminal.home);
		await terminal.waitFor(`Wrote inkpod-${session.slice(0, 10)}`);
		expect(await readdir(dir)).toEqual([`inkpod-${session}.md`, 'out.html', 'script.json']);
	});
});
