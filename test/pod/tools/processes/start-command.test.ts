import {spawnSync} from 'node:child_process';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, onTestFinished, it} from 'vitest';
import {openOutput, openScratch} from '../../../../src/pod/tools/processes/output-file.ts';
import {forceMs} from '../../../../src/pod/platform/process-tree.ts';
import {startCommand, type CommandEnd, type CommandOptions} from '../../../../src/pod/tools/processes/start-command.ts';
import {abandonAfterMs} from '../../../../src/worker/loop/tool-calls.ts';
import {noneRuns, running, runs} from '../../../helpers/processes.ts';
import {tempProject} from '../../../helpers/temp-project.ts';

type Ran = {readonly end: CommandEnd; readonly output: string};

async function started(command: string, options: Partial<CommandOptions> = {}) {
	const opened = await openScratch();
	if (!opened.ok) throw new Error(opened.sentence);
	onTestFinished(async () => opened.output.close());
	const pieces: string[] = [];
	const command_ = await startCommand(command, {
		shell: '/bin/bash',
		cwd: '/',
		env: {PATH: process.env['PATH']},
		signal: new AbortController().signal,
		...options,
		output: opened.output,
		onOutput: bytes => pieces.push(Buffer.from(bytes).toString()),
	});
	if (!command_.ok) throw new Error(command_.sentence);
	const ran = async (): Promise<Ran> => ({end: await command_.ended, output: pieces.join('')});
	return {ran, shown: () => pieces.join('')};
}

async function ran(command: string, options: Partial<CommandOptions> = {}): Promise<Ran> {
	return (await started(command, options)).ran();
}

/** Makes a number of seconds that no other test sleeps, so that a test recognises its own processes. */
let naps = 0;
const nap = () => `${50_000 + process.pid}.${Date.now() % 1e6}${++naps}`;

describe('a command', () => {
	it('has an empty input, so a command that reads its input ends (%s)', async () => {
		const {output, end} = await ran('for n in {1..200}; do echo out $n; echo err $n >&2; done');
		expect(output.trimEnd().split('\n')).toEqual(
			Array.from({length: 200}, (_, n) => [`out ${n + 1}`, `err ${n + 1}`]).flat(),
		);
		expect(end).toEqual({type: 'exit', code: 0, left: false});
	});

	it.each(['cat; echo $?', 'read -r line; echo $?'])(
		'finds its input empty and ends when it reads it (%s)',
		async command => {
			expect(await ran(command)).toMatchObject({
				output: expect.stringMatching(/^[01]\n$/),
				end: {type: 'exit', code: 0},
			});
		},
	);

	it('is still captured when it opens its output again', async () => {
		expect((await ran('echo one, two; sleep 0.2; echo three > /dev/stdout; sleep 0.2; echo four')).output).toBe(
			'one, two\nthree\nfour\n',
		);
	});

	it('includes the output of a process substitution at its end', async () => {
		expect(await ran('echo one > >(while kill -0 $$; do sleep 0.01; done 2>/dev/null; cat)')).toMatchObject({
			output: 'one\n',
			end: {type: 'exit', code: 0, left: false},
		});
	});

	it('ends at once with its background job', async () => {
		const time = nap();
		const {end, output} = await ran(`sleep ${time} & echo x`);
		expect([end, output]).toEqual([{type: 'exit', code: 0, left: true}, 'x\n']);
		await noneRuns(time);
	});

	it('may start a daemon in its own session', async () => {
		const time = nap();
		const project = await tempProject();
		const {end} = await ran(`setsid sh -c 'touch up; exec sleep ${time}' & until [ -e up ]; do sleep 0.01; done`, {
			cwd: project.dir,
		});
		expect(end).toEqual({type: 'exit', code: 0, left: false});
		expect(running(time)).toHaveLength(1);
		process.kill(running(time)[0]!);
	});

	it('is stopped when it writes too much, and the rest is dropped', async () => {
		const {end, output} = await ran('yes', {maxBytes: 1_000_000});
		expect(end).toEqual({type: 'too_much', maxBytes: 1_000_000});
		expect(output).toHaveLength(1_000_000);
	});
});

/** Every way in which a grandchild may survive. `$T` is the number of seconds. */
const grandchildren: ReadonlyArray<readonly [string, string]> = [
	['without special settings', 'sleep $T & sleep $T'],
	['that ignores SIGTERM', `(trap '' TERM; sleep $T & sleep $T) & wait`],
	['in a process group of its own', 'set -m; sleep $T & sleep $T'],
	['in a session of its own', 'setsid sleep $T & sleep $T'],
	['in a session of its own whose parent has exited', '(setsid sleep $T &) ; sleep $T'],
	['that is stopped', 'sleep $T & kill -STOP $!; sleep $T'],
];

describe('the forced end of a command', () => {
	it('takes less time than an aborted tool is allowed', () => {
		expect(forceMs).toBeLessThan(abandonAfterMs);
	});

	it.each(grandchildren)('kills a grandchild %s after a time-out', async (_name, command) => {
		const time = nap();
		const {end} = await ran(command.replaceAll('$T', time), {timeoutMs: 300});
		expect(end).toEqual({type: 'timeout', ms: 300});
		expect(running(time)).toEqual([]);
	});

	it.each(grandchildren)('kills a grandchild %s after an abort', async (_name, command) => {
		const time = nap();
		const abort = new AbortController();
		const {ran: over} = await started(command.replaceAll('$T', time), {signal: abort.signal});
		await runs(`sleep ${time}`, 2);
		abort.abort();
		expect((await over()).end).toEqual({type: 'stopped'});
		expect(running(time)).toEqual([]);
	});

	it('happens when the process that ran the command exits', async () => {
		const time = nap();
		const project = await tempProject();
		const source = (name: string) =>
			JSON.stringify(join(import.meta.dirname, '../../../../src/pod/tools/processes', name));
		const script = join(project.dir, 'dies.ts');
		await writeFile(
			script,
			`
			import {openScratch} from ${source('output-file.ts')};
			import {startCommand} from ${source('start-command.ts')};
			const {output} = await openScratch();
			await startCommand('setsid sleep ${time} & echo ready; sleep ${time}', {
		shell: '/bin/bash', cwd: '/', env: process.env, signal: new AbortController().signal,
		output, onOutput: () => process.exit(7),
	});
		`,
		);
		expect(
			spawnSync(process.execPath, [script], {encoding: 'utf8', env: {PATH: process.env['PATH']}}),
		).toMatchObject({status: 7, stderr: ''});
		await noneRuns(time);
	});
});

it('a command’s 100 MB of output is reported in full without being kept in memory', async () => {
	const project = await tempProject();
	const opened = await openOutput(join(project.dir, 'a/b'), 'x.txt');
	if (!opened.ok) throw new Error(opened.sentence);
	const before = process.memoryUsage().rss;
	let [peak, told] = [0, 0];
	const command = await startCommand('yes 0123456789 | head -c 100000000', {
		shell: '/bin/bash',
		cwd: '/',
		env: {PATH: process.env['PATH']},
		signal: new AbortController().signal,
		output: opened.output,
		onOutput(bytes) {
			told += bytes.length;
			peak = Math.max(peak, process.memoryUsage().rss - before);
		},
	});
	expect(command.ok && (await command.ended)).toMatchObject({type: 'exit'});
	expect([told, await opened.output.size()]).toEqual([100_000_000, 100_000_000]);
	expect(peak).toBeLessThan(60_000_000);
	await opened.output.close();
});
