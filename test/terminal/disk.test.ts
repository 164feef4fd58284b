import {execFile} from 'node:child_process';
import {readdir, readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import {builtProgram} from '../helpers/built.ts';
import {histories, openChat, send, transcript} from '../helpers/chat.ts';
import type {Terminal} from '../helpers/pty.ts';
import {runProgram} from '../helpers/program.ts';
import {tempProject} from '../helpers/temp-project.ts';

const run = promisify(execFile);
/** Whether this process may mount its own small disk, in a namespace that only it sees. */
const canMount = await run('unshare', ['-Urm', 'sh', '-c', 'mount -t tmpfs -o size=64k tmpfs /mnt']).then(
	() => true,
	() => false,
);

const big = (name: string) => ({
	type: 'text',
	text: `${name} ${`${name.toLowerCase()} words `.repeat(1500)}`,
	chunk: 600,
	delayMs: 1,
});

describe('a chat with a failing disk', () => {
	it.skipIf(!canMount)(
		'reports a full disk during an answer as long as it lasts, and marks nothing unsaved as saved',
		async () => {
			const terminal = await onSmallDisk(
				JSON.stringify([
					[
						big('First'),
						big('Second'),
						big('Third'),
						big('Fourth'),
						big('Fifth'),
						big('Sixth'),
						big('Seventh'),
						{type: 'text', text: 'The end.'},
					],
				]),
			);
			await send(terminal, 'go');
			await terminal.waitFor('There is no space left on the disk');
			await terminal.waitFor('■ interrupted');
			const stored = await storedItems(terminal);
			const words = stored.flatMap(item =>
				item['role'] === 'assistant' ? [String(item['text']).split(' ')[0]!] : [],
			);
			expect(words.length).toBeGreaterThan(0);
			expect(words).not.toContain('Seventh');
			expect(stored.at(-1)!['type']).not.toBe('run_end');
			const next = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh'][
				words.length
			]!.toLowerCase();
			expect(transcript(terminal).join('\n')).not.toContain(`${next} words`);
			terminal.write('\x1b[5~');
			await terminal.waitFor('There is no space left on the disk');
		},
	);

	it.skipIf(!canMount)(
		'does not save a new chat on a read-only disk and says so, and opens a stored session for reading',
		async () => {
			const project = await tempProject({'script.json': JSON.stringify([[{type: 'text', text: 'Yes.'}]])});
			const first = await openChat({cwd: project.dir, args: ['--model', 'scripted:script.json']});
			await first.waitFor('scripted');
			await send(first, 'first');
			await first.waitFor('Yes.');
			await first.waitFor('◦ idle');
			first.write('\x04');
			await first.exit;
			const readOnly =
				'mount --bind "$INKPOD_HOME" "$INKPOD_HOME" && mount -o remount,bind,ro "$INKPOD_HOME" && exec "$@"';
			const start = {
				home: first.home,
				cwd: project.dir,
				cols: 150,
				command: [
					'unshare',
					'-Urm',
					'sh',
					'-c',
					readOnly,
					'sh',
					process.execPath,
					await builtProgram(),
					'--model',
					'scripted:script.json',
				] as const,
			};
			const second = await openChat(start);
			await second.waitFor('not saved');
			await send(second, 'second words');
			await second.waitFor('Yes.');
			const third = await openChat({...start, args: ['-c']});
			await third.waitFor(/Yes\.[^]*▲ [^]*read-only\s+file system\.\s+You\s+can\s+read\s+this\s+session/);
			await send(third, 'third words');
			await third.waitFor(/× [^]*opened\s+read-only/);
			await third.waitFor('❯ third words');
		},
	);

	it('saves the whole conversation again when the session’s folder is gone', async () => {
		const answers = ['Yes.', 'Again.'].map(text => [{type: 'text', text}]);
		const project = await tempProject({'script.json': JSON.stringify(answers)});
		const terminal = await openChat({cwd: project.dir, args: ['--model', 'scripted:script.json'], cols: 150});
		await terminal.waitFor('scripted');
		await send(terminal, 'first');
		await terminal.waitFor('Yes.');
		await terminal.waitFor('◦ idle');
		const [file] = await histories(terminal.home);
		await rm(join(file!, '..'), {recursive: true});
		await send(terminal, 'second words');
		await terminal.waitFor(/▲ [^]*has\s+saved\s+the\s+whole\s+conversation\s+there\s+again/);
		await terminal.waitFor(/Again\.[^]*◦ idle/);
		expect(await histories(terminal.home)).toEqual([file]);
		const said = (await storedItems(terminal)).filter(({role}) => role === 'user');
		expect(said.map(({text}) => text)).toEqual(['first', 'second words']);
		terminal.write('\x04');
		expect(await terminal.exit).toMatchObject({code: 0});
	});
});

/** Opens the chat with its state on a disk of 64 kB. */
const onReadOnlyDisk = [
	...['unshare', '-Urm', 'sh', '-c'],
	'mkdir -p "$INKPOD_HOME" && mount -t tmpfs -o ro,mode=700 tmpfs "$INKPOD_HOME" && exec "$@"',
	'sh',
] as const;

describe('a state folder that cannot be written', () => {
	it.skipIf(!canMount)('leaves a new chat unsaved, as its status line says', async () => {
		const project = await tempProject({'a.txt': 'x', 'tmp/': ''});
		const terminal = await openChat({
			cwd: project.dir,
			command: [...onReadOnlyDisk, process.execPath, await builtProgram()],
			args: ['--model', 'offline', '--no-socket'],
			env: {TMPDIR: project.path('tmp')},
			cols: 150,
		});
		await terminal.waitFor('This chat is not saved, and is lost when you quit.');
		await terminal.waitFor('INKPOD_HOME');
		await send(terminal, 'list the files');
		await terminal.waitFor(screen => screen.includes('a.txt') && /idle.*not saved/.test(screen));
		expect(await readdir(project.path('tmp'))).toEqual([expect.stringMatching(/^inkpod-unsaved-/)]);
		terminal.write('\x04');
		expect(await terminal.exit).toMatchObject({code: 0});
		expect(terminal.raw().toString()).not.toContain('inkpod -r');
		expect(await readdir(project.path('tmp'))).toEqual([]);
	});

	it.skipIf(!canMount)('ends print mode with what to set, before anything is sent', async () => {
		expect(
			await runProgram({command: onReadOnlyDisk, args: ['-p', '--model', 'offline', 'list the files']}),
		).toMatchObject({
			code: 2,
			stdout: '',
			stderr: expect.stringMatching(
				/^inkpod: Sessions cannot be saved: .*read-only.* INKPOD_HOME .*\n$/,
			) as unknown,
		});
	});
});

async function onSmallDisk(script: string): Promise<Terminal> {
	const project = await tempProject({'script.json': script});
	const command = [
		'unshare',
		'-Urm',
		'sh',
		'-c',
		'mkdir -p "$INKPOD_HOME" && mount -t tmpfs -o size=100k,mode=700 tmpfs "$INKPOD_HOME" && exec "$@"',
		'sh',
		process.execPath,
		await builtProgram(),
	] as const;
	const terminal = await openChat({
		cwd: project.dir,
		command,
		args: ['--model', 'scripted:script.json', '--no-socket'],
		cols: 150,
	});
	await terminal.waitFor('scripted');
	return terminal;
}

/** Returns the stored items from the disk that the program sees. */
async function storedItems({pid, home}: Terminal): Promise<ReadonlyArray<Record<string, unknown>>> {
	const state = join(`/proc/${pid}/root`, home, '.local/state/inkpod/sessions');
	const [name] = (await readdir(state, {recursive: true})).filter(path => path.endsWith('history.json'));
	return (JSON.parse(await readFile(join(state, name!), 'utf8')) as {items: Array<Record<string, unknown>>}).items;
}
