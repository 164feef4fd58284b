import {spawn, type ChildProcess} from 'node:child_process';
import {dirname, join} from 'node:path';
import {onTestFinished} from 'vitest';
import {builtProgram} from './built.ts';
import {cleanEnvironment} from './pty.ts';
import {tempProject, type TempProject} from './temp-project.ts';

/** A project with a home and a folder for sockets, which several processes share. */
export type SharedPlace = {
	readonly project: TempProject;
	readonly cwd: string;
	readonly home: string;
	readonly env: Readonly<Record<string, string>>;
};

export async function sharedPlace(
	files: Readonly<Record<string, string>> = {},
	env: Readonly<Record<string, string>> = {},
): Promise<SharedPlace> {
	const project = await tempProject(files);
	const runtime = await project.mkdir('../run');
	return {
		project,
		cwd: project.dir,
		home: join(dirname(project.dir), 'home'),
		env: {...env, XDG_RUNTIME_DIR: runtime},
	};
}

/** `inkpod serve` in its own process. */
export type TestServer = {
	readonly log: () => string;
	readonly kill: (signal: NodeJS.Signals) => void;
	/** Resolves with the exit code. */
	readonly ended: Promise<number | null>;
};

/** Starts a server and waits until it listens. Kills it when the test ends. */
export async function startServing({home, env}: SharedPlace, args: readonly string[] = []): Promise<TestServer> {
	const child: ChildProcess = spawn(process.execPath, [await builtProgram(), 'serve', ...args], {
		cwd: dirname(home),
		env: {...cleanEnvironment(home), ...env},
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	onTestFinished(() => void child.kill('SIGKILL'));
	let log = '';
	const ended = new Promise<number | null>(resolve => child.on('close', resolve));
	await new Promise<void>((resolve, reject) => {
		child.stdout!.setEncoding('utf8').on('data', (text: string) => {
			log += text;
			if (log.includes('\n')) resolve();
		});
		void ended.then(code => reject(new Error(`inkpod serve ended with ${code}`)));
	});
	return {log: () => log, kill: signal => void child.kill(signal), ended};
}
