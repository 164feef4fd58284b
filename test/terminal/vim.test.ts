import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {expect, it} from 'vitest';
import {idle, openChat, send} from '../helpers/chat.ts';
import {tempProject} from '../helpers/temp-project.ts';

it('vim keys edit a message on a real terminal, and the cursor has its own shape again at the end', async () => {
	const project = await tempProject();
	// The project does not contain the session, which the search would find.
	const home = join(dirname(project.dir), 'home');
	await mkdir(join(home, '.config/inkpod'), {recursive: true, mode: 0o700});
	await writeFile(join(home, '.config/inkpod/config.toml'), '[composer]\nmode = "vim"\n', {mode: 0o600});
	const terminal = await openChat({cwd: project.dir, home, args: ['--model', 'offline']});
	await terminal.waitFor(/INSERT · ◦ idle/);
	terminal.write('find THE TODO');
	await terminal.waitFor('❯ find THE TODO');
	terminal.write('\x1b');
	await terminal.waitFor(/NORMAL/);
	terminal.write('bdb');
	await terminal.waitFor(screen => screen.includes('❯ find TODO'));
	terminal.write('v');
	await terminal.waitFor(/VISUAL/);
	terminal.write('\x1b');
	await terminal.waitFor(/NORMAL/);
	terminal.write('\r');
	await terminal.waitFor(
		screen => screen.includes('Searching for TODO') && /INSERT/.test(screen) && idle.test(screen),
	);
	await send(terminal, '/quit');
	await terminal.exit;
	const written = terminal.raw().toString('latin1');
	expect(written).toContain('\x1b[6 q');
	expect(written).toContain('\x1b[2 q');
	expect(written.lastIndexOf('\x1b[0 q')).toBeGreaterThan(written.lastIndexOf('\x1b[6 q'));
});
