import {join} from 'node:path';
import {readFile} from 'node:fs/promises';
import {describe, expect, it, onTestFinished} from 'vitest';
import {openChat, pressUntil, send, transcript} from '../helpers/chat.ts';
import {runProgram} from '../helpers/program.ts';
import type {Terminal} from '../helpers/pty.ts';
import {tempProject} from '../helpers/temp-project.ts';
import {startServer, type RecordedRequest, type ServerAnswer} from '../helpers/wire-servers/index.ts';

const call = (name: string, args: Record<string, unknown>) => ({type: 'tool_call', name, arguments: args}) as const;
const says = (text: string) => [{type: 'text', text}] as const;
const pod = (title: string) => call('pod', {task: `Task ${title}`, title});
const edit = (old: string, to: string) => call('edit_file', {path: 'a.txt', edits: [{old, new: to}]});
const read = call('read_file', {path: 'a.txt'});
const question = {title: 'Which colour?', options: ['Red', 'Blue']};

/** The answers of each session by its task. The parent has none. */
const scripts: Readonly<Record<string, readonly ServerAnswer[]>> = {
	parent: [[...says('I split this.'), pod('Editor'), pod('Rival'), pod('Asker')], says('All parts have ended.')],
	Editor: [[read], [edit('one', 'ONE')], says('The first line is changed.')],
	Rival: [
		[read],
		[edit('two', 'TWO')],
		[read],
		[edit('two', 'TWO')],
		{status: 400, body: '{"error":{"message":"The model has no more words."}}'},
	],
	Asker: [[call('ask', {questions: [question]})], [call('bash', {command: 'sleep 60'})]],
};

/** Starts a model for the whole family. The rival edits only after the editor has edited what the rival had read. */
async function familyModel() {
	const counts = new Map<string, number>();
	const edited = Promise.withResolvers<void>();
	const rivalHasRead = Promise.withResolvers<void>();
	const choose = async ({body}: RecordedRequest): Promise<ServerAnswer | undefined> => {
		const name = Object.keys(scripts).find(
			each => body.includes(`Task ${each}`) && !body.includes('I split this.'),
		);
		const session = name ?? 'parent';
		const n = counts.get(session) ?? 0;
		counts.set(session, n + 1);
		if (session === 'Rival' && n === 1) {
			rivalHasRead.resolve();
			await edited.promise;
		}
		if (session === 'Editor' && n === 1) await rivalHasRead.promise;
		if (session === 'Editor' && n === 2) edited.resolve();
		return scripts[session]?.[n];
	};
	const server = await startServer('anthropic', [], {choose});
	onTestFinished(async () => server.close());
	return {ANTHROPIC_API_KEY: 'test', ANTHROPIC_BASE_URL: server.url};
}

/** Answers a card of the asker when it listens. */
async function answer(terminal: Terminal, title: string, key: string): Promise<void> {
	await terminal.waitFor(screen => screen.includes(title) && /asked by\s+Asker/.test(screen), {what: title});
	await terminal.waitFor(/Esc: /);
	await pressUntil(terminal, key, screen => !screen.includes(title));
}

/** Shows each child after the other, and returns the screens of the whole family without times. */
async function screens(terminal: Terminal): Promise<readonly string[]> {
	// An alert takes a row from the transcript until it expires.
	await terminal.waitFor(screen => !/^[▲•] /mu.test(screen), {what: 'no alert'});
	const shown = [screenOf(terminal)];
	for (const title of ['Editor', 'Rival', 'Asker']) {
		terminal.write('\x1Bn');
		await terminal.waitFor(new RegExp(`child: ${title}[^]*(?:idle|interrupted|stopped)|child: ${title}`));
		await terminal.waitFor(screen => /◦ idle|■ /.test(screen), {what: `the end of ${title}`});
		if (title === 'Rival' && terminal.rows().length === 40)
			expect(terminal.screen()).toMatch(/× Edit a\.txt · .*changed/);
		shown.push(screenOf(terminal));
	}
	terminal.write('\x1B');
	await terminal.waitFor(screen => !screen.includes('child: '));
	return shown;
}

function screenOf(terminal: Terminal): string {
	return transcript(terminal).join('\n').trim();
}

describe('three children that read, edit the same file, ask, fail and are cancelled', () => {
	it.each([
		[120, 40],
		[60, 15],
	])('look the same live and restored, and are verified, at %i by %i', async (cols, rows) => {
		const project = await tempProject({'a.txt': 'one\ntwo\n'});
		const env = await familyModel();
		const options = {cwd: project.dir, cols, rows, env};
		const args = ['--model', 'anthropic/test', '--approval', 'accept-edits'];
		const terminal = await openChat({...options, args});
		await terminal.waitFor('◦ idle');
		await send(terminal, 'do it');
		await answer(terminal, 'Which colour?', '1');
		await answer(terminal, 'Run this command?', '1');
		await send(terminal, '/tasks');
		await terminal.waitFor(/Child sessions[^]*Asker/);
		await pressUntil(terminal, 'x', screen => !/Asker *$/m.test(screen) || screen.includes('stopped'));
		terminal.write('\x1B');
		await terminal.waitFor('All parts have ended.');
		await terminal.waitFor('◦ idle');
		expect(await readFile(join(project.dir, 'a.txt'), 'utf8')).toBe('ONE\nTWO\n');
		const live = await screens(terminal);
		terminal.write('\x04');
		expect(await terminal.exit).toMatchObject({code: 0});
		const [, id = ''] = /inkpod -r (\w+)/.exec(terminal.raw().toString()) ?? [];
		const again = await openChat({...options, home: terminal.home, args: [...args, '-r', id]});
		await again.waitFor('All parts have ended.');
		await again.waitFor('◦ idle');
		expect(await screens(again)).toEqual(live);
		const verified = await runProgram({args: ['verify', id, '--requests'], cwd: project.dir, home: terminal.home});
		expect(verified).toMatchObject({code: 0, stderr: ''});
		expect(verified.stdout).toContain('children 3 child sessions: ok');
		const all = live.join('\n');
		if (rows === 40) expect(all).toMatch(/The model has no more words/);
	});
});
