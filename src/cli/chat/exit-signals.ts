import type {Screen} from '../../screen/mount/open-screen.ts';
import {writeNow, restoreAll} from '../../screen/terminal/terminal.ts';
import {signalExitCodes} from '../output/signals.ts';
import type {PodClient} from '../../pod/protocol.ts';
import {fstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {loadOwners, loadPrograms, realProject, stateHome, type Env} from '../../pod/first-frame.ts';

/** The reason why the program ends although the user did not quit: the exit code of a signal, or a bug. */
export type Exit = {readonly code: number; readonly error?: Error};

export type ExitSignals = {
	/**
	Closes a screen when a signal or a bug ends the program. When the screen is closed, resolves with the exit, or with
	`undefined` if the user closed the screen.
	*/
	watch(screen: Screen): Promise<Exit | undefined>;
	/** Returns the requested exit, or `undefined`. An exit may be requested while no screen is open. */
	current(): Exit | undefined;
	/**
	Sets the text that a second signal prints before the program exits immediately. The text explains how to resume.
	*/
	setLastWords(words: (() => string) | undefined): void;
};

/**
Listens to signals and bugs until the process ends, even before a screen opens. A signal closes the screen in order. If
the same signal comes again, inkpod restores the terminal, prints how to resume, and exits immediately. A second SIGHUP
does not do this, because a closing window may send two.
*/
export function createExitSignals(): ExitSignals {
	let screen: Screen | undefined;
	let exit: Exit | undefined;
	let last: NodeJS.Signals | undefined;
	let lastWords: (() => string) | undefined;

	const crash = (thrown: unknown) => {
		exit ??= {code: 1, error: thrown instanceof Error ? thrown : new Error(String(thrown))};
		screen?.close();
	};
	process.on('uncaughtException', crash);
	process.on('unhandledRejection', crash);
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGALRM'] as const) {
		process.on(signal, () => {
			if (last === signal && signal !== 'SIGHUP') {
				// This listener is added now, so that it runs after the listeners that restore the terminal.
				process.once('exit', () => writeNow(1, lastWords?.() ?? ''));
				process.exit(signalExitCodes[signal]);
			}
			last = signal;
			exit ??= {code: signalExitCodes[signal]};
			void screen?.quit();
		});
	}

	return {
		async watch(shown) {
			screen = shown;
			if (exit?.error !== undefined) shown.close();
			else if (exit !== undefined) void shown.quit();
			await shown.closed.catch(crash);
			screen = undefined;
			return exit;
		},
		current: () => exit,
		setLastWords(words) {
			lastWords = words;
		},
	};
}

/** Closes a pod. Resolves with a sentence if the pod cannot be closed. */
export async function shutDown(pod: PodClient): Promise<string | undefined> {
	let problem: string | undefined;
	const stop = pod.subscribe(event => {
		if (event.type === 'closed') problem = event.sentence;
	});
	await pod.send({method: 'shutdown'});
	stop();
	return problem;
}

/**
Restores a terminal that a killed process left in raw mode. Each process with a screen keeps a file named after its
terminal's device number. The next start on that terminal finds the file of a dead process, and restores the terminal
before it reads any input.
*/
export async function restoreTerminal(env: Env): Promise<void> {
	const marks = marksOf(env);
	if (marks.length === 0) return;
	const {isAlive, parseOwner} = await loadOwners();
	let isLeftOver = false;
	for (const path of marks) {
		const owner = parseOwner(contentsOf(path));
		if (owner !== undefined && (await isAlive(owner))) continue;
		rmSync(path, {force: true});
		isLeftOver = true;
	}
	if (isLeftOver) await leaveRawMode();
}

/**
Records that this process has a screen on the terminal, until it exits. Does nothing if the folder is not writable.
*/
export async function markTerminal(env: Env): Promise<void> {
	const {thisProcess} = await loadOwners();
	const owner = JSON.stringify(await thisProcess());
	const path = join(folderOf(env), `${deviceOfStdin()}.${process.pid}`);
	try {
		mkdirSync(folderOf(env), {recursive: true, mode: 0o700});
		writeFileSync(path, owner, {mode: 0o600});
		process.once('exit', () => rmSync(path, {force: true}));
	} catch {}
}

/**
Repairs the terminal and starts this program again, because at exit Node restores the state that the terminal had when
Node started.
*/
async function leaveRawMode(): Promise<void> {
	const [{spawnSync}, programs] = await Promise.all([
		import('node:child_process'),
		loadPrograms(process.env, await realProject('.'), []),
	]);
	writeNow(1, restoreAll);
	const stty = programs.find('stty');
	if (stty === undefined) return;
	const {status} = spawnSync(stty, cooked, {stdio: ['inherit', 'ignore', 'ignore']});
	if (status !== 0 || process.execve === undefined) return;
	// Node warns that execve is experimental.
	process.removeAllListeners('warning');
	process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], process.env);
}

/** The modes that Node's raw mode turns off. */
const cooked = ['brkint', 'icrnl', 'ixon', 'echo', 'icanon', 'iexten', 'isig'];

/** Returns the files of processes on this terminal. */
function marksOf(env: Env): string[] {
	try {
		const prefix = `${deviceOfStdin()}.`;
		return readdirSync(folderOf(env))
			.filter(name => name.startsWith(prefix))
			.map(name => join(folderOf(env), name));
	} catch {
		return [];
	}
}

function folderOf(env: Env): string {
	return join(stateHome(env), 'terminals');
}

function deviceOfStdin(): string {
	return String(fstatSync(0).rdev);
}

function contentsOf(path: string): string {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return '';
	}
}
