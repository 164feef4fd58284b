import {fstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {loadOwners, loadPrograms, realProject, stateHome, type Env} from '../../pod/first-frame.ts';
import {restoreAll, writeNow} from '../../screen/terminal/terminal.ts';

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

/** Starts this program again: at exit, Node restores the terminal to its state at Node's start. */
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
