import {fstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {loadOwners, loadPrograms, realProject, stateHome, type Env} from '../../pod/first-frame.ts';
import {restoreAll, writeNow} from '../../tui/terminal/terminal.ts';

/**
A process that is killed cannot give its terminal back. Each one that has a screen leaves its name under the terminal's
number while it lives; the next one on that terminal finds it, and makes the terminal as a shell wants it before
anything is read from it.
*/
export async function restoreTerminal(env: Env): Promise<void> {
	const left = namesOf(env);
	if (left.length === 0) return;
	const {isAlive, parseOwner} = await loadOwners();
	let isTidy = false;
	for (const path of left) {
		const owner = parseOwner(textOf(path));
		if (owner !== undefined && (await isAlive(owner))) continue;
		rmSync(path, {force: true});
		isTidy = true;
	}
	if (isTidy) await leaveRawMode();
}

/** Node gives the terminal back as it was when Node began: only a program that begins anew leaves it so. */
async function leaveRawMode(): Promise<void> {
	const [{spawnSync}, programs] = await Promise.all([
		import('node:child_process'),
		loadPrograms(process.env, await realProject('.')),
	]);
	writeNow(1, restoreAll);
	const stty = programs.find('stty');
	if (stty === undefined) return;
	const {status} = spawnSync(stty, cooked, {stdio: ['inherit', 'ignore', 'ignore']});
	if (status !== 0 || process.execve === undefined) return;
	// What Node says of this function is nothing for the person.
	process.removeAllListeners('warning');
	process.execve(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], process.env);
}

/**
Says that this process has a screen on the terminal; taken back when the process ends by itself. Where nothing can be
written, nothing is.
*/
export async function markTerminal(env: Env): Promise<void> {
	const {thisProcess} = await loadOwners();
	const owner = JSON.stringify(await thisProcess());
	const path = join(folderOf(env), `${numberOf()}.${process.pid}`);
	try {
		mkdirSync(folderOf(env), {recursive: true, mode: 0o700});
		writeFileSync(path, owner, {mode: 0o600});
		process.once('exit', () => rmSync(path, {force: true}));
	} catch {}
}

/** What Node's raw mode takes away, and nothing more. */
const cooked = ['brkint', 'icrnl', 'ixon', 'echo', 'icanon', 'iexten', 'isig'];

function namesOf(env: Env): string[] {
	try {
		const prefix = `${numberOf()}.`;
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

/** The device behind stdin. */
function numberOf(): string {
	return String(fstatSync(0).rdev);
}

function textOf(path: string): string {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return '';
	}
}
