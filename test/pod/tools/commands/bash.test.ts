import {readFile, readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createBackground} from '../../../../src/pod/tools/processes/background.ts';
import {keyVariables} from '../../../../src/pod/ground/env/key-variables.ts';
import {narrowDetails} from '../../../../src/pod/protocol.ts';
import {bashTool, type BashOptions} from '../../../../src/pod/tools/commands/bash.ts';
import {readFileTool} from '../../../../src/pod/tools/files/read-file.ts';
import {systemClock, type ToolOutput} from '../../../../src/worker/index.ts';
import {withTime} from '../../../helpers/cpu-time.ts';
import {noneRuns, runs} from '../../../helpers/processes.ts';
import {scopeOf, tempProject, type TempProject} from '../../../helpers/temp-project.ts';
import {runTool} from '../run-tool.ts';

const path = {PATH: process.env['PATH']};
const cap = 4096;

function optionsOf(project: TempProject, options: Partial<BashOptions> = {}): BashOptions {
	const outputDir = join(project.dir, '../session/output');
	const clock = systemClock();
	const background = createBackground({clock, dir: outputDir, onEnd: async () => true});
	return {
		scope: project.scope,
		env: path,
		clock,
		maxOutputBytes: cap,
		maxScanBytes: 1e9,
		outputDir,
		onKept: async () => {},
		background,
		...options,
	};
}

async function ran(
	command: string,
	options: Partial<BashOptions> & {readonly timeout?: number} = {},
): Promise<ToolOutput & {readonly project: TempProject; readonly kept: readonly string[]}> {
	const {timeout, ...rest} = options;
	const project = await tempProject({'a.txt': 'one\n'});
	const all = optionsOf(project, rest);
	const output = await runTool(bashTool(all), {command, ...(timeout !== undefined && {timeout})});
	return {...output, project, kept: await readdir(all.outputDir)};
}

describe('the result of a command', () => {
	it.each([
		['that prints', 'echo one; echo two >&2', 'one\ntwo', {exitCode: 0, bytes: 8}],
		['that prints without a last newline', 'printf one', 'one', {exitCode: 0, bytes: 3}],
		['that prints nothing', 'true', '[no output]', {exitCode: 0, bytes: 0}],
		['that prints a blank line', 'echo', '\n[exit code 0]', {exitCode: 0, bytes: 1}],
		['that prints an ending', 'echo "[exit code 1]"', '[exit code 1]\n[exit code 0]', {exitCode: 0}],
		['that fails', 'echo no; exit 3', 'no\n[exit code 3]', {exitCode: 3, bytes: 3}],
		['that is killed', 'kill -SEGV $$', '[no output]\n[ended by signal SIGSEGV]', {signal: 'SIGSEGV', bytes: 0}],
		['that reads its input', 'cat; echo done', 'done', {exitCode: 0}],
		['in the syntax of bash', '[[ a == a ]] && echo {1..3}', '1 2 3', {exitCode: 0}],
		['of several lines', 'echo a\necho b', 'a\nb', {exitCode: 0}],
		[
			'with a few bytes that are not UTF-8',
			String.raw`printf 'caf\351\n'`,
			'caf\ufffd\n[bytes that are not UTF-8 are shown as \ufffd]',
			{exitCode: 0, bytes: 5},
		],
	])('contains the output, the exit and the details: %s', async (_name, command, content, details) => {
		const {kept, ...output} = await ran(command);
		const isOk = 'exitCode' in details && details.exitCode === 0;
		const end = isOk ? '[exit code 0]' : content.split('\n').at(-1)!;
		expect(output).toMatchObject({content, summary: end.slice(1, -1)});
		expect(output.isError).toBe(!isOk);
		expect(narrowDetails(output.details).command).toMatchObject(details);
		expect(kept).toEqual([]);
	});

	it('reports a time-out with the output so far', async () => {
		const {result, ms} = await withTime(
			async given => ran('echo begun; sleep 60', {timeout: given / 1000}),
			({content}) => content.startsWith('begun'),
		);
		expect(result).toMatchObject({
			content: `begun\n[timed out after ${ms / 1000} s and was stopped]`,
			isError: true,
			details: {command: {timedOut: true}},
		});
	});

	it('has the beginning and end of a long output within the limit, and a note names the complete file', async () => {
		const {content, kept, details, project} = await ran('seq 1 20000 | sed "s/$/ 語👍🏽/"');
		expect(Buffer.byteLength(content)).toBeLessThanOrEqual(cap);
		expect(content).not.toContain('\ufffd');
		const shape = new RegExp(
			[
				String.raw`^1 語👍🏽\n2 [^]*\n\[\.\.\.truncated, \d+ bytes of 348894 dropped here; `,
				String.raw`all of it is in (?<file>/.*): read_file with offset (?<offset>\d+) continues\]\n`,
				String.raw`[^]*\n20000 語👍🏽$`,
			].join(''),
		);
		const note = shape.exec(content)!.groups!;
		expect(narrowDetails(details).command).toEqual({exitCode: 0, bytes: 348_894, file: note['file']});
		expect(note['file']).toBe(join(project.dir, '../session/output', kept[0]!));
		const scope = await scopeOf(project.dir, {readRoots: [join(project.dir, '../session/output')]});
		const read = await runTool(readFileTool({scope, maxOutputBytes: cap, maxScanBytes: 1e9}), {
			path: note['file'],
			offset: Number(note['offset']),
			limit: 1,
		});
		expect(read.content).toContain(`]\n${note['offset']} 語👍🏽`);
		expect((await stat(note['file']!)).mode & 0o777).toBe(0o600);
		expect((await stat(join(note['file']!, '..'))).mode & 0o777).toBe(0o700);
	});

	it('contains a small part of 100 MB of output, and the file contains all of it', async () => {
		const before = process.memoryUsage().rss;
		let peak = 0;
		const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss - before)), 5);
		const {content, details} = await ran('yes 0123456789 | head -c 100000000');
		clearInterval(timer);
		expect(Buffer.byteLength(content)).toBeLessThanOrEqual(cap);
		const {bytes, file} = narrowDetails(details).command!;
		expect([bytes, (await stat(file!)).size]).toEqual([100_000_000, 100_000_000]);
		expect(peak).toBeLessThan(80_000_000);
	});

	it('suggests a command for a long output that read_file cannot read', async () => {
		expect((await ran(String.raw`printf '\351\n'; seq 1 20000`)).content).toMatch(
			/all of it is in \/\S*\. Read it with a command\]/,
		);
		expect((await ran('seq 1 20000', {maxScanBytes: 1000})).content).toMatch(
			/all of it is in \/\S*\. Read it with a command\]/,
		);
	});

	it('contains the escaped beginning of binary output, and names the file', async () => {
		const {content, kept, project} = await ran(
			String.raw`printf 'PK\003\004\000\377\033[31m'; head -c 100000 /dev/zero`,
		);
		expect(content).toMatch(
			new RegExp(
				[
					String.raw`^\[binary output, 100011 bytes, in /\S*; it begins with\]\n`,
					String.raw`PK\\x03\\x04\\x00\\xff\\x1b\[31m(?:\\x00)*$`,
				].join(''),
			),
		);
		expect(await readFile(join(project.dir, '../session/output', kept[0]!))).toHaveLength(100_011);
	});

	it.each([
		['contains a NUL byte', 'echo \0', /it contains a NUL byte/],
		['is too long for the system', `: ${'x'.repeat(200_000)}`, /could not be started/],
	])('is an error without a file when a command %s', async (_name, command, sentence) => {
		expect(await ran(command)).toMatchObject({isError: true, content: expect.stringMatching(sentence), kept: []});
	});

	it('is an error with the reason when the output cannot be saved', async () => {
		const project = await tempProject({blocked: ''});
		const output = await runTool(bashTool(optionsOf(project, {outputDir: join(project.dir, 'blocked/output')})), {
			command: 'echo one',
		});
		expect(output).toMatchObject({
			isError: true,
			content: expect.stringMatching(/^The command was not run, because its output cannot be saved: /),
		});
	});
});

/** A number of seconds that no other test sleeps, even in another run. */
const unending = `6${process.pid}.5`;

describe('a command', () => {
	it('runs in the working directory without a terminal, a pager or the keys of models', async () => {
		const env = {...path, MINE: 'mine', ...Object.fromEntries(keyVariables.map(name => [name, 'sk-secret']))};
		const {content, project} = await ran('pwd; env; (: </dev/tty) 2>/dev/null || echo no terminal', {env});
		for (const line of [
			project.dir,
			'MINE=mine',
			'TERM=dumb',
			'PAGER=cat',
			'GIT_PAGER=cat',
			'GIT_TERMINAL_PROMPT=0',
			'no terminal',
		])
			expect(content.split('\n')).toContain(line);
		expect(content).not.toContain('sk-secret');
		for (const name of keyVariables) expect(content).not.toContain(name);
	});

	it('is stopped with its grandchildren on an abort, and its output is a partial result', async () => {
		const project = await tempProject();
		const options = optionsOf(project);
		const abort = new AbortController();
		const running = runTool(
			bashTool(options),
			{command: `setsid sleep ${unending} & yes | head -c 300000; touch ready; sleep ${unending}; true`},
			abort.signal,
		);
		await runs(`sleep ${unending}`, 3);
		await expect.poll(async () => readdir(project.dir)).toContain('ready');
		abort.abort(new Error('stopped'));
		const {content, details, isPartial = false} = await running;
		expect([isPartial, content.length < options.maxOutputBytes]).toEqual([true, true]);
		expect(content).toMatch(/^y\ny\n[^]*truncated, \d+ bytes of 300000 dropped here[^]*y\n$/);
		expect(narrowDetails(details).command).toEqual({
			bytes: 300_000,
			file: join(options.outputDir, (await readdir(options.outputDir))[0]!),
		});
		await noneRuns(unending, 0);
	});

	it('streams its output up to the limit, and then a note that there is more', async () => {
		const project = await tempProject();
		let shown = '';
		await bashTool(optionsOf(project)).execute(
			{command: 'seq 1 1000; sleep 0.2; seq 1001 9000'},
			{id: '01', callId: '1', signal: new AbortController().signal, progress: text => void (shown += text)},
		);
		expect(shown).toMatch(
			/^1\n2\n[^]*\n\[\.\.\.the command is still writing; the end of its output follows when it ends\]\n$/,
		);
		expect(shown.split('still writing')).toHaveLength(2);
		expect(Buffer.byteLength(shown)).toBeLessThan(cap);
	});
});

it('the preview of a command shows all of it', async () => {
	const tool = bashTool(optionsOf(await tempProject()));
	const signal = new AbortController().signal;
	const command = `echo ${'\u001b[2J'.repeat(500)}`;
	expect(tool.effect).toBe('execute');
	expect(await tool.preview!({command}, {signal})).toEqual({
		title: 'Run this command?',
		detail: command,
		shows: 'command',
	});
	const behind = await tool.preview!({command, background: true}, {signal});
	expect(behind).toMatchObject({title: 'Run this command in the background?'});
	expect(await tool.preview!({command, background: true, wake: true}, {signal})).toMatchObject({
		title: 'Run this command in the background, and begin a turn when it ends?',
	});
});

it('a command may set a time-out of at most ten minutes', async () => {
	const tool = bashTool(optionsOf(await tempProject()));
	expect(tool.check({command: 'true', timeout: 600}).ok).toBe(true);
	for (const args of [
		{},
		{command: ''},
		{command: 'true', timeout: 601},
		{command: 'true', timeout: 0},
		{command: 'true', background: 'yes'},
	])
		expect(tool.check(args).ok).toBe(false);
});
