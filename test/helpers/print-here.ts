import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {parseLaunch} from '../../src/cli/args.ts';
import {print} from '../../src/cli/print.ts';
import type {ProgramEnd, ProgramOptions} from './program.ts';
import {cleanEnvironment} from './pty.ts';

/**
Runs print mode as `runProgram` does, in this process: with the arguments, the environment and the streams of a program,
but without the half second of CPU time that a start takes.
*/
export async function printHere({
	args,
	cwd,
	home,
	env,
}: Pick<ProgramOptions, 'args' | 'cwd' | 'home' | 'env'>): Promise<ProgramEnd> {
	const own = home ?? (await temporary());
	const parsed = parseLaunch(args);
	if (!parsed.ok || parsed.launch.command !== 'print') throw new Error(`${args.join(' ')} is not print mode`);
	let [out, err] = ['', ''];
	const code = await print(
		{...parsed.launch, cwd: cwd ?? (await temporary())},
		{
			env: {...cleanEnvironment(own), ...env},
			stdout: {write: text => (out += text)},
			stderr: {write: text => (err += text)},
			piped: '',
			signal: new AbortController().signal,
		},
	);
	return {code, stdout: out, stderr: err, home: own};
}

async function temporary(): Promise<string> {
	const dir = await mkdtemp(join(tmpdir(), 'inkpod-print-'));
	onTestFinished(async () => rm(dir, {recursive: true, force: true, maxRetries: 5}));
	return dir;
}
