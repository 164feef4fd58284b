import {readFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {noneRuns, runs} from '../helpers/processes.ts';
import {onlyHistory, openChat, pressApart, pressUntil, send, transcript} from '../helpers/chat.ts';
import type {Terminal} from '../helpers/pty.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';

const command = 'echo once >> count; echo written; until [ -e go ]; do sleep 0.05; done; echo ended';
const script = JSON.stringify([
	[{type: 'tool_call', name: 'bash', arguments: {command}}],
	[{type: 'text', text: 'After that.'}],
]);
const rest = JSON.stringify([[{type: 'text', text: 'After that.'}]]);
const writes = async (project: TempProject) => (await readFile(project.path('count'), 'utf8')).split('\n').length - 1;
const results = async (home: string) => (await onlyHistory(home)).items.filter(({type}) => type === 'tool_result');

async function atWork(): Promise<{readonly project: TempProject; readonly terminal: Terminal}> {
	const project = await tempProject({'script.json': script, 'rest.json': rest});
	const terminal = await openChat({
		cwd: project.dir,
		args: ['--model', 'scripted:script.json', '--approval', 'auto'],
	});
	await terminal.waitFor('scripted');
	await send(terminal, 'do it');
	await terminal.waitFor(/◔ Run[^]*│ written/);
	return {project, terminal};
}

/** Waits until the card of a stopped call accepts answers. */
async function askedAgain(terminal: Terminal, title: RegExp): Promise<void> {
	await terminal.waitFor(screen => title.test(screen) && /Output so far:[^]*│ written/.test(screen));
	await terminal.waitFor(/Esc: /);
}

describe('a command that was stopped', () => {
	it('keeps its output on the screen, asks before it runs again, and has written only once', async () => {
		const {project, terminal} = await atWork();
		terminal.write('\x1b');
		await terminal.waitFor(
			screen => /■ Run[^]*interrupted[^]*│ written/.test(screen) && screen.includes('■ interrupted'),
		);
		await project.write('go', '');
		terminal.write('\r');
		await askedAgain(terminal, /bash was interrupted after \d+\.\d s\. Run it again\?/);
		expect(await writes(project)).toBe(1);
		await pressApart(terminal, '2');
		await terminal.waitFor(screen => screen.includes('After that.') && screen.includes('◦ idle'));
		expect(transcript(terminal).join('\n')).toMatch(/■ Run[^]*interrupted by user[^]*│ written[^]*After that\./);
		expect(await writes(project)).toBe(1);
		expect((await results(terminal.home)).at(-1)).toMatchObject({
			content: 'written\n[Interrupted by user]',
			details: {interrupted: ' by user'},
		});
	});

	it('runs again when you approve it', async () => {
		const {project, terminal} = await atWork();
		terminal.write('\x1b');
		await terminal.waitFor('■ interrupted');
		await project.write('go', '');
		terminal.write('\r');
		await askedAgain(terminal, /Run it again\?/);
		await pressApart(terminal, '1');
		await terminal.waitFor(screen => screen.includes('After that.') && screen.includes('◦ idle'));
		expect(await writes(project)).toBe(2);
	});

	it('needs approval after a kill -9, and the card shows the output from its file', async () => {
		const {project, terminal} = await atWork();
		terminal.kill('SIGKILL');
		await terminal.exit;
		await project.write('go', '');
		const {session} = await onlyHistory(terminal.home);
		const again = await openChat({
			cwd: project.dir,
			home: terminal.home,
			args: ['--model', 'scripted:rest.json', '--approval', 'auto', '-r', session],
		});
		await again.waitFor('■ interrupted');
		again.write('\r');
		await askedAgain(again, /bash may have run, wholly or in part, before inkpod exited\. Run it again\?/);
		await pressApart(again, '2');
		await again.waitFor(screen => screen.includes('After that.') && screen.includes('◦ idle'));
		expect(await writes(project)).toBe(1);
		expect((await results(terminal.home)).at(-1)).toMatchObject({
			content: expect.stringMatching(/^written\n[^]*\[Interrupted: inkpod ended during the call\]$/),
		});
	});
});

describe('a command in the background', () => {
	it('is listed, shown and stopped in /tasks, and quitting asks while it runs', async () => {
		const time = `${90_000 + process.pid}.5`;
		const background = JSON.stringify([
			[{type: 'tool_call', name: 'bash', arguments: {command: `echo it is up; sleep ${time}`, background: true}}],
			[{type: 'text', text: 'It runs.'}],
			[{type: 'text', text: 'I see.'}],
		]);
		const project = await tempProject({'script.json': background});
		const terminal = await openChat({
			cwd: project.dir,
			args: ['--model', 'scripted:script.json', '--approval', 'auto'],
		});
		await terminal.waitFor('scripted');
		await send(terminal, 'start it');
		await terminal.waitFor(
			screen =>
				/◔ Run[^]*running in background \(\w+\)/.test(screen) &&
				screen.includes('1 in background') &&
				screen.includes('It runs.'),
		);

		terminal.write('\x04');
		await terminal.waitFor(/Quit and stop a background command\?[^]*echo it is up/);
		await pressUntil(terminal, '\x1b', screen => !screen.includes('Quit and stop') && screen.includes('◦ idle'));
		await runs(`sleep ${time}`, 1);

		await send(terminal, '/tasks');
		await terminal.waitFor(/Child sessions and background commands[^]*❯ \w+ .*echo it is up/);
		terminal.write('\r');
		await terminal.waitFor(screen => /^it is up$/m.test(screen.replaceAll(/ +$/gm, '')));
		terminal.write('x');
		await terminal.waitFor(/Stopped background task \w+\./);
		await noneRuns(time, 0);
		terminal.write('\x1b');
		await terminal.waitFor('No child sessions and no background commands.');
		terminal.write('\x1b');
		await terminal.waitFor(
			screen =>
				/● Run[^]*ran in background \(\w+\)[^]*was stopped by the user/.test(screen) &&
				!screen.includes('1 in background'),
		);

		terminal.write('\x04');
		await terminal.exit;
	});

	it('is stopped when the user quits anyway', async () => {
		// A second try must not find the program of the first one.
		const time = `${90_000 + process.pid}.${Math.round(performance.now())}`;
		const background = JSON.stringify([
			[{type: 'tool_call', name: 'bash', arguments: {command: `echo it is up; sleep ${time}`, background: true}}],
			[{type: 'text', text: 'It runs.'}],
		]);
		const project = await tempProject({'script.json': background});
		const terminal = await openChat({
			cwd: project.dir,
			args: ['--model', 'scripted:script.json', '--approval', 'auto'],
			cols: 160,
		});
		await terminal.waitFor('scripted');
		await send(terminal, 'start it');
		await terminal.waitFor('It runs.');
		await runs(`sleep ${time}`, 1);
		terminal.write('\x04');
		await terminal.waitFor(/Quit and stop a background command\?/);
		await terminal.waitFor(/Esc: /);
		await pressUntil(terminal, '1', screen => !screen.includes('Quit and stop'));
		await terminal.exit;
		await noneRuns(time, 0);
	});
});

describe('a batch of calls', () => {
	it('shows a denied call at once, while the next call waits for approval', async () => {
		const calls = ['one', 'two'].map(word => ({
			type: 'tool_call',
			name: 'bash',
			arguments: {command: `echo ${word}`},
		}));
		const project = await tempProject({
			'script.json': JSON.stringify([calls, [{type: 'text', text: 'As you like.'}]]),
		});
		const terminal = await openChat({cwd: project.dir, args: ['--model', 'scripted:script.json']});
		await terminal.waitFor('scripted');
		await send(terminal, 'do both');
		await terminal.waitFor(/Run this command\?[^]*echo one/);
		await pressApart(terminal, '3');
		await terminal.waitFor(
			/× Run echo one · denied · You declined this command\.[^]*\? Run echo two · needs approval/,
		);
		await pressApart(terminal, '3');
		await terminal.waitFor(/× Run echo two · denied[^]*As you like\./);
	});

	it('denies one call and stops the turn when you press Esc twice', async () => {
		const calls = ['one', 'two'].map(word => ({
			type: 'tool_call',
			name: 'bash',
			arguments: {command: `echo ${word}`},
		}));
		const project = await tempProject({
			'script.json': JSON.stringify([calls, [{type: 'text', text: 'As you like.'}]]),
		});
		const terminal = await openChat({cwd: project.dir, args: ['--model', 'scripted:script.json']});
		await terminal.waitFor('scripted');
		await send(terminal, 'do both');
		await terminal.waitFor(/Run this command\?[^]*echo one[^]*Esc: deny this call · Esc Esc: stop the turn/);
		// Esc answers a card only when it was on the screen for 400 ms.
		for (const ms of [500, 250]) {
			await new Promise(resolve => setTimeout(resolve, ms));
			terminal.write('\x1b');
		}
		await terminal.waitFor(/Interrupted · Enter to continue/);
		expect(terminal.screen()).toMatch(/× Run echo one · denied/);
		expect(terminal.screen()).not.toMatch(/× Run echo two · denied/);
	});
});
