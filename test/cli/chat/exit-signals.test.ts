import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, readdir, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {createInterface} from 'node:readline';
import {pathToFileURL} from 'node:url';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {projectRoot} from '../../helpers/built.ts';

describe('an exit signal', () => {
	it.each([
		['SIGTERM', 143],
		['SIGINT', 130],
		['SIGQUIT', 131],
	] as const)(
		'ends a program whose screen does not close when %s comes twice, with code %i',
		async (signal, code) => {
			const program = await startStuck();
			program.kill(signal);
			await program.says('quit 1');
			program.kill(signal);
			expect(await program.exit()).toEqual([code, null]);
		},
	);

	it('prints how to resume when it comes twice, after the terminal is restored', async () => {
		const program = await startStuck(
			'at once',
			`
		process.on('exit', () => console.log('given back'));
		exitSignals.setLastWords(() => 'words\\n');
	`,
		);
		program.kill('SIGTERM');
		await program.says('quit 1');
		program.kill('SIGTERM');
		await program.says('given back');
		await program.says('words');
		expect(await program.exit()).toEqual([143, null]);
	});

	it('waits for the screen when it is a second SIGHUP, because a closing window may send two', async () => {
		const program = await startStuck();
		program.kill('SIGHUP');
		await program.says('quit 1');
		program.kill('SIGHUP');
		await program.says('quit 2');
		program.kill('SIGTERM');
		await program.says('quit 3');
		program.kill('SIGTERM');
		expect(await program.exit()).toEqual([143, null]);
	});

	it.each(['SIGTERM', 'SIGHUP'] as const)(
		'is remembered when %s arrives before the screen opens, which then closes',
		async signal => {
			const program = await startStuck('shown');
			program.kill(signal);
			await program.says('heard');
			program.kill('SIGUSR2');
			await program.says('quit 1');
			program.kill('SIGKILL');
			expect(await program.exit()).toEqual([null, 'SIGKILL']);
		},
	);

	it('leaves no lock and no socket when it comes twice', async () => {
		const dir = await mkdtemp(join(tmpdir(), 'inkpod-endings-'));
		onTestFinished(async () => rm(dir, {recursive: true}));
		const program = await startStuck(
			'at once',
			`
		const {takeLock} = await import(${urlOf('src/pod/disk/log/lock.ts')});
		const {listen} = await import(${urlOf('src/pod/remote/attach/server.ts')});
		const {realFiles} = await import(${urlOf('src/pod/disk/files.ts')});
		const locked = await takeLock(${JSON.stringify(dir)}, realFiles);
		const listening = await listen({subscribe() {}}, {folder: ${JSON.stringify(dir)}, session: 'S', pwd: '/'});
		console.log(String(locked.ok && listening.ok));
	`,
		);
		await program.says('true');
		expect(await readdir(dir)).toHaveLength(2);
		program.kill('SIGTERM');
		await program.says('quit 1');
		program.kill('SIGTERM');
		expect(await program.exit()).toEqual([143, null]);
		expect(await readdir(dir)).toEqual([]);
	});
});

const urlOf = (path: string) => JSON.stringify(pathToFileURL(join(projectRoot, path)).href);

/**
Starts a process whose screen never closes. It counts the requests to close it. It opens the screen at once, or at a
SIGUSR2.
*/
async function startStuck(when: 'at once' | 'shown' = 'at once', more = '') {
	const source = `
		import {createExitSignals} from ${urlOf('src/cli/chat/exit-signals.ts')};
		let asked = 0;
		const exitSignals = createExitSignals();
		for (const signal of ['SIGTERM', 'SIGHUP'])
			process.once(signal, () => ${JSON.stringify(when)} === 'shown' && console.log('heard'));
		const screen = {closed: new Promise(() => {}), close() {}, async quit() { console.log('quit ' + ++asked); }};
		const show = () => void exitSignals.watch(screen);
		process.on('SIGUSR2', show);
		if (${JSON.stringify(when)} === 'at once') show();
		setInterval(() => {}, 1000);
		console.log('ready');
		${more}
	`;
	const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const exit = once(child, 'exit');
	const lines = createInterface({input: child.stdout})[Symbol.asyncIterator]();
	const says = async (text: string) => expect((await lines.next()).value).toBe(text);
	await says('ready');
	return {kill: (signal: NodeJS.Signals) => void child.kill(signal), says, exit: async () => exit};
}
