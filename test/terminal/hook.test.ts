import {chmod, mkdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {histories, idle, onlyHistory, openChat, send, transcript} from '../helpers/chat.ts';
import {runProgram} from '../helpers/program.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';

/** Creates a home with a hook in config.toml, written as TOML. */
async function homeWith(project: TempProject, ...hooks: string[]): Promise<string> {
	const home = project.path('../home');
	const file = join(home, '.config/inkpod/config.toml');
	await mkdir(dirname(file), {recursive: true});
	await writeFile(file, hooks.map(hook => `[[hook]]\nevent = "UserPromptSubmit"\n${hook}\n`).join('\n'));
	return home;
}

/** This hook reads the JSON and cancels every message about a launch. */
const guard = `#!/usr/bin/env node
let text = '';
process.stdin.on('data', part => (text += part)).on('end', () => {
	const {prompt, event} = JSON.parse(text);
	if (event !== 'UserPromptSubmit' || !prompt.includes('launch')) return;
	console.error('The launch is not to be \\u001b[31mspoken\\u001b[0m of.');
	process.exitCode = 2;
});
`;

async function guarded(project: TempProject): Promise<string> {
	const file = await project.write('../guard', guard);
	await chmod(file, 0o755);
	return homeWith(project, `command = ${JSON.stringify([process.execPath, file])}`);
}

describe('a hook', () => {
	it('leaves history.json unchanged and returns the message when it cancels', async () => {
		const project = await tempProject({'a.md': 'A\n', 'b.md': 'B\n'});
		const home = await guarded(project);
		const terminal = await openChat({cwd: project.dir, home});
		await terminal.waitFor('offline');
		await send(terminal, 'explain @a.md today');
		await terminal.waitFor(/offline guide: rules/);
		await terminal.waitFor(idle);
		const [file] = await histories(home);
		const before = await readFile(file!);
		const shown = transcript(terminal);
		await send(terminal, 'explain the launch with @b.md and @gone.md now');
		await terminal.waitFor('The launch is not to be spoken of.');
		await terminal.waitFor(/❯ explain the launch with @b\.md and @gone\.md now/);
		expect(await readFile(file!)).toEqual(before);
		expect(transcript(terminal).filter(row => !row.includes('❯'))).toEqual(shown.filter(row => !row.includes('❯')));
		expect(terminal.screen()).not.toContain('gone.md was not attached');
		terminal.write('\x03');
		await terminal.waitFor(screen => !screen.includes('the launch with'));
		await send(terminal, 'explain @b.md today');
		await terminal.waitFor(/File b\.md/);
		await terminal.waitFor(idle);
		const {items} = await onlyHistory(home);
		expect(items.filter(item => item['role'] === 'user').map(item => item['text'])).toEqual([
			'explain @a.md today',
			'explain @b.md today',
		]);
		expect(JSON.stringify(items)).not.toContain('launch');
	});

	it('leaves no session when it cancels the first message', async () => {
		const project = await tempProject();
		const home = await guarded(project);
		const terminal = await openChat({cwd: project.dir, home});
		await terminal.waitFor('offline');
		await send(terminal, 'the launch');
		await terminal.waitFor('The launch is not to be spoken of.');
		expect(await histories(home)).toEqual([]);
	});
});

describe('a hook that fails', () => {
	it('is reported, and the message is sent', async () => {
		const project = await tempProject();
		const home = await homeWith(project, 'command = "echo broken >&2; exit 7"');
		const terminal = await openChat({cwd: project.dir, home, cols: 120});
		await terminal.waitFor('offline');
		await send(terminal, 'hello there');
		await terminal.waitFor(/▲ The hook "echo broken >&2; exit 7" was ignored: it exited with code 7 \(broken\)\./);
		await terminal.waitFor(/▌ hello there/);
		await terminal.waitFor(idle);
		expect((await onlyHistory(home)).items.find(item => item['role'] === 'user')).toMatchObject({
			text: 'hello there',
		});
	});

	it('is reported together with the reason of another hook that cancels', async () => {
		const project = await tempProject();
		const home = await homeWith(
			project,
			'command = ["/no/such/program"]',
			'command = "echo Not today. >&2; exit 2"',
		);
		const terminal = await openChat({cwd: project.dir, home, cols: 120});
		await terminal.waitFor('offline');
		await send(terminal, 'hello there');
		await terminal.waitFor(
			screen =>
				screen.includes(
					'▲ The hook "/no/such/program" was ignored: it could not be started (no such program).',
				) && screen.includes('Not today.'),
		);
		await terminal.waitFor(/❯ hello there/);
		expect(await histories(home)).toEqual([]);
	});

	it('is stopped and reported when it runs too long', async () => {
		const project = await tempProject();
		const home = await homeWith(project, 'command = "sleep 60"\ntimeout = 0.5');
		const terminal = await openChat({cwd: project.dir, home, cols: 120});
		await terminal.waitFor('offline');
		await send(terminal, 'hello there');
		await terminal.waitFor(/▲ The hook "sleep 60" was ignored: it took longer than 0\.5 s and was stopped\./);
		await terminal.waitFor(/▌ hello there/);
	});
});

describe('a hook that is running', () => {
	it('returns the message when Esc stops it', async () => {
		const project = await tempProject();
		const home = await homeWith(project, 'command = "touch begun; sleep 60"');
		const terminal = await openChat({cwd: project.dir, home});
		await terminal.waitFor('offline');
		await send(terminal, 'hello there');
		await expect
			.poll(async () =>
				readFile(project.path('begun')).then(
					() => true,
					() => false,
				),
			)
			.toBe(true);
		terminal.write('\x1b');
		await terminal.waitFor(/❯ hello there/);
		await terminal.waitFor('◦ idle');
		expect(await histories(home)).toEqual([]);
	});

	it('makes print mode fail with its sentence on stderr', async () => {
		const project = await tempProject();
		const home = await guarded(project);
		const {code, stdout, stderr} = await runProgram({
			args: ['-p', '--model', 'offline', 'the launch'],
			cwd: project.dir,
			home,
		});
		expect(code).not.toBe(0);
		expect([stdout, stderr]).toEqual(['', 'inkpod: The launch is not to be spoken of.\n']);
		expect(await histories(home)).toEqual([]);
	});
});
