import {readFile, stat, writeFile} from 'node:fs/promises';
import {basename, dirname} from 'node:path';
import {describe, expect, it} from 'vitest';
import {histories, idle, openChat, pressUntil, send, transcript} from '../helpers/chat.ts';
import {runProgram} from '../helpers/program.ts';
import type {Condition, Terminal} from '../helpers/pty.ts';
import {tempProject} from '../helpers/temp-project.ts';

const call = (name: string, args: object) => ({type: 'tool_call', name, arguments: args});
const script = JSON.stringify([
	[{type: 'text', text: 'First answer.'}],
	[call('read_file', {path: 'a.txt'}), call('read_file', {path: 'b.txt'})],
	[
		call('edit_file', {path: 'a.txt', edits: [{old: 'one', new: 'two'}]}),
		call('edit_file', {path: 'b.txt', edits: [{old: 'one', new: 'two'}]}),
		call('write_file', {path: 'new.txt', content: 'new\n'}),
	],
	[{type: 'text', text: 'Second answer.'}],
]);

async function changed(size: {readonly cols: number; readonly rows: number}) {
	const project = await tempProject({'script.json': script, 'a.txt': 'one\r\n', 'b.txt': 'one\n'});
	const terminal = await openChat({
		cwd: project.dir,
		args: ['--model', 'scripted:script.json', '--approval', 'auto'],
		...size,
	});
	await terminal.waitFor(idle);
	await send(terminal, 'hello');
	await terminal.waitFor(screen => screen.includes('First answer.') && idle.test(screen));
	await send(terminal, 'change them');
	await terminal.waitFor(screen => screen.includes('Second answer.') && idle.test(screen));
	return {project, terminal, text: async (name: string) => readFile(project.path(name), 'utf8')};
}

/** Scrolls a card to its end, moves the marker to the first choice, and accepts it. */
async function allow(terminal: Terminal, done: Condition): Promise<void> {
	terminal.write('\x1b[1;5F');
	await pressUntil(terminal, '\x1b[A', /❯ ?1/);
	await pressUntil(terminal, '\r', done);
}

/** Returns the result of `inkpod verify` for every session of a home. */
async function verified(terminal: Terminal, cwd: string): Promise<readonly (string | undefined)[]> {
	const ids = (await histories(terminal.home)).map(path => basename(dirname(path)));
	const results = await Promise.all(
		ids.map(async id => runProgram({args: ['verify', id, '--requests'], cwd, home: terminal.home})),
	);
	return results.map(({stdout}) => /The session is (\w+)\./.exec(stdout)?.[1]);
}

describe('a rewind', () => {
	it.each([
		{cols: 100, rows: 30},
		{cols: 60, rows: 15},
		{cols: 40, rows: 10},
	])('restores the message and the files after Esc Esc, and can be undone, at $cols by $rows', async size => {
		const {project, terminal, text} = await changed(size);
		await writeFile(project.path('b.txt'), 'mine\n');
		terminal.write('\x1b\x1b');
		await terminal.waitFor(/Rewind to before[^]*\n❯ .*change them/);
		terminal.write('\r');
		await terminal.waitFor('? Restore 2 files');
		await allow(terminal, '? Restore anyway?');
		await allow(
			terminal,
			screen => screen.includes('❯ change them') && idle.test(screen) && screen.includes('Restored b.txt'),
		);
		expect([await text('a.txt'), await text('b.txt')]).toEqual(['one\r\n', 'one\n']);
		await expect(stat(project.path('new.txt'))).rejects.toThrow('ENOENT');
		terminal.write('\x15');
		await terminal.waitFor(screen => !screen.includes('❯ change them'));
		await send(terminal, '/rewind');
		await terminal.waitFor(/\n❯ .*undo the rewind/);
		terminal.write('\r');
		await terminal.waitFor('Restored to context: the rewound');
		terminal.write('\x04');
		await terminal.exit;
		expect(await verified(terminal, project.dir)).toEqual(['intact']);
	});

	it('becomes a fork with /fork or with Ctrl+O in the list, and the original does not change', async () => {
		const {project, terminal} = await changed({cols: 100, rows: 30});
		const before = transcript(terminal);
		const [first] = await histories(terminal.home);
		const bytes = await readFile(first!);
		await send(terminal, '/fork');
		await terminal.waitFor(
			screen => screen.includes('Forked session') && screen.includes('Second answer.') && idle.test(screen),
		);
		expect(transcript(terminal).slice(-8)).toEqual(before.slice(-8));
		await send(terminal, '/rewind');
		await terminal.waitFor(/\n❯ .*change them/);
		terminal.write('\x0f');
		await terminal.waitFor(
			screen =>
				screen.includes('❯ change them') &&
				screen.includes('First answer.') &&
				!screen.includes('Second answer.') &&
				idle.test(screen),
		);
		terminal.write('\x15\x04');
		await terminal.exit;
		expect(await readFile(first!)).toEqual(bytes);
		expect(await verified(terminal, project.dir)).toEqual(['intact', 'intact', 'intact']);
		const {stdout} = await runProgram({args: ['sessions'], cwd: project.dir, home: terminal.home});
		expect(stdout.match(/\(fork of \w+\)/g)).toHaveLength(2);
		const printed = await runProgram({
			args: ['-p', '-r', basename(dirname(first!)), '--fork', '--model', 'offline', 'and now?'],
			cwd: project.dir,
			home: terminal.home,
		});
		expect([printed.code, printed.stderr]).toEqual([0, expect.stringContaining('Forked session')]);
		expect(await histories(terminal.home)).toHaveLength(4);
		expect(await readFile(first!)).toEqual(bytes);
	});
});

describe('/context', () => {
	it.each([
		{cols: 60, rows: 15},
		{cols: 40, rows: 10},
	])(
		'lists the next request, where Ctrl+X drops, Ctrl+R restores and Enter opens an item, at $cols by $rows',
		async size => {
			const {terminal} = await changed(size);
			await send(terminal, '/context');
			await terminal.waitFor(/Context · ≈ .*tokens/);
			terminal.write('\x1b[F\x1b[A');
			await terminal.waitFor(/\n❯ +\d+ .*result/);
			terminal.write('\x18');
			await terminal.waitFor(/\n❯ +- .*result .*dropped/);
			terminal.write('\x12');
			await terminal.waitFor(/\n❯ +\d+ .*result/);
			terminal.write('\r');
			await terminal.waitFor(screen => !screen.includes('Context · ≈') && screen.includes('new.txt'));
			expect(terminal.screen()).toMatch(/Write new\.txt/);
		},
	);
});
