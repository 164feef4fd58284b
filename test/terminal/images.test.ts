import {chmod, mkdir, readdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {histories, idle, onlyHistory, openChat, pressUntil} from '../helpers/chat.ts';
import {png, sha256Of} from '../helpers/images.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';
import type {Terminal} from '../helpers/pty.ts';

const image = png(640, 480);

/** Opens a chat whose PATH has a program that prints the clipboard, outside of the project and once inside of it. */
async function opened(project: TempProject): Promise<Terminal> {
	const programs = join(project.dir, '..', 'bin');
	await mkdir(programs);
	const clipboard = join(project.dir, '..', 'clipboard');
	const xclip = join(programs, 'xclip');
	await writeFile(xclip, `#!/bin/sh\ntest "$4" = image/png && exec /bin/cat '${clipboard}'\nexit 1\n`);
	await project.write('xclip', `#!/bin/sh\necho ran > '${project.path('ran')}'\n`);
	for (const program of [xclip, project.path('xclip')]) await chmod(program, 0o755);
	const script = await project.write('../script.json', JSON.stringify([[{type: 'text', text: 'A grey window.'}]]));
	const env = {PATH: [project.dir, programs, process.env['PATH']].join(':'), DISPLAY: ':0'};
	const args = ['--model', `scripted:${script}`];
	return openChat({cwd: project.dir, cols: 100, rows: 24, env, args});
}

describe('an image in the clipboard', () => {
	it('is attached with its size, sent, and kept beside the history', async () => {
		const project = await tempProject({});
		const terminal = await opened(project);
		await terminal.waitFor('Ask anything');
		await pressUntil(terminal, '\x16', 'The clipboard contains no image.');
		await writeFile(join(project.dir, '..', 'clipboard'), image);
		terminal.write('What is ');
		await terminal.waitFor('What is');
		terminal.write('\x16');
		await terminal.waitFor(/@pasted-1\.png {2}640 × 480 · [\d.]+ KB/);
		terminal.write('\r');
		await terminal.waitFor('A grey window.');
		await terminal.waitFor(idle);
		expect(terminal.screen()).toMatch(/◇ Image pasted-1\.png · 640 × 480/);
		const [path = ''] = await histories(terminal.home);
		expect(await readdir(join(dirname(path), 'blobs'))).toEqual([sha256Of(image)]);
		const {items} = await onlyHistory(terminal.home);
		expect(items.find(item => item['role'] === 'user')?.['text']).toBe('What is @pasted-1.png ');
		expect(await readdir(project.dir)).toEqual(['xclip']);
	});
});
