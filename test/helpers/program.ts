import {spawn} from 'node:child_process';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {builtProgram} from './built.ts';
import {cleanEnvironment} from './pty.ts';

export type ProgramOptions = {
	readonly args: readonly string[];
	/** This command runs the program: it gets the program and its arguments, like `"$@"` of a shell. */
	readonly command?: readonly string[];
	readonly cwd?: string;
	readonly home?: string;
	readonly env?: Readonly<Record<string, string>>;
	/** The text for stdin. If absent, stdin is at its end. */
	readonly stdin?: string;
	/** Whether stdin stays open after its text. */
	readonly keepsStdinOpen?: boolean;
	/** Gets each piece of stdout. A test can call `close` to stop reading early. */
	readonly onStdout?: (all: string, kill: (signal: NodeJS.Signals) => void, close: () => void) => void;
};

export type ProgramEnd = {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
	readonly home: string;
};

/** Runs the built program without a terminal until it exits. */
export async function runProgram({
	args,
	command = [],
	cwd,
	home,
	env,
	stdin = '',
	keepsStdinOpen = false,
	onStdout,
}: ProgramOptions): Promise<ProgramEnd> {
	const own = home ?? (await temporary());
	const [file, ...words] = [...command, process.execPath, await builtProgram(), ...args];
	const child = spawn(file!, words, {cwd: cwd ?? (await temporary()), env: {...cleanEnvironment(own), ...env}});
	let [out, err] = ['', ''];
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		out += text;
		onStdout?.(
			out,
			signal => void child.kill(signal),
			() => void child.stdout.destroy(),
		);
	});
	child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
	child.stdin.on('error', () => {});
	if (keepsStdinOpen) child.stdin.write(stdin);
	else child.stdin.end(stdin);
	const code = await new Promise<number | null>(resolve => child.on('close', resolve));
	return {code, stdout: out, stderr: err, home: own};
}

async function temporary(): Promise<string> {
	const dir = await mkdtemp(join(tmpdir(), 'inkpod-program-'));
	onTestFinished(async () => rm(dir, {recursive: true, force: true, maxRetries: 5}));
	return dir;
}
