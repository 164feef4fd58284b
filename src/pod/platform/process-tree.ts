import {readdirSync, readFileSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import {isGone, statFields} from './process-identity.ts';
import {systemOf} from './system.ts';

/**
The processes of a command, a hook or an MCP server. `leader` is the first process. The first process leads its own Unix
session and process group. All processes inherit `mark` in the environment variable `markVariable`, even those that
leave the Unix session, the group and their parents.
*/
export type Tree = {readonly leader: number; readonly mark: string};

export const markVariable = 'INKPOD_COMMAND';

/** Remembers a tree, and kills it when this process ends. `forget` cancels this. */
export function remember(tree: Tree): void {
	if (remembered.size === 0) process.on('exit', killRemembered);
	remembered.add(tree);
}

export function forget(tree: Tree): void {
	remembered.delete(tree);
	if (remembered.size === 0) process.off('exit', killRemembered);
}

/** The time between SIGTERM and SIGKILL, and the time for SIGKILL to take effect, in milliseconds. */
const politeMs = 1500;
const lastMs = 700;
/** The maximum duration of a stop. It is shorter than the time limit of an aborted tool. */
export const forceMs = politeMs + lastMs;

/**
Ends a tree: it sends SIGTERM, then SIGKILL until no process is left. On Linux it finds every process by group, session,
descent and mark. On other systems it finds them only by group. Does not end processes that hang in the kernel or belong
to another user, as under sudo.
*/
export async function stopTree(tree: Tree): Promise<void> {
	signalTree(tree, 'SIGTERM');
	if (await isTrueWithin(() => membersOf(tree).length === 0, politeMs)) return;
	await killTree(tree);
}

/** Sends SIGKILL until no process of a tree is left. */
export async function killTree(tree: Tree): Promise<void> {
	await isTrueWithin(() => {
		signalTree(tree, 'SIGKILL');
		return membersOf(tree).length === 0;
	}, lastMs);
}

/**
The number of milliseconds in which the remaining processes of a command may end by themselves. An example is `tee` in a
process substitution.
*/
const lateMs = 300;

/**
Ends the remaining processes in a finished command's group, and returns whether there were any.
A process that left the group is a daemon and continues to run.
*/
export async function stopLeft({leader}: Tree): Promise<boolean> {
	const isOver = () => groupOf(leader).length === 0;
	if (await isTrueWithin(isOver, lateMs)) return false;
	signal(-leader, 'SIGTERM');
	if (await isTrueWithin(isOver, politeMs)) return true;
	signal(-leader, 'SIGKILL');
	await isTrueWithin(isOver, lastMs);
	return true;
}

const remembered = new Set<Tree>();

function killRemembered(): void {
	for (const tree of remembered) signalTree(tree, 'SIGKILL');
}

/** Repeats a check until it succeeds or times out. */
async function isTrueWithin(ask: () => boolean, ms: number): Promise<boolean> {
	const end = performance.now() + ms;
	for (let pause = 5; !ask(); pause = Math.min(pause * 2, 100)) {
		if (performance.now() >= end) return false;
		await delay(pause);
	}
	return true;
}

/** Signals a tree once. Looks up all members first, because the end of a parent hides its children. */
export function signalTree(tree: Tree, name: NodeJS.Signals): void {
	const members = membersOf(tree);
	signal(-tree.leader, name);
	for (const pid of members) if (pid > 0) signal(pid, name);
}

/** Sends a signal. Returns whether its target exists. */
export function signal(target: number, name: NodeJS.Signals | 0): boolean {
	try {
		return process.kill(target, name);
	} catch {
		return false;
	}
}

/** Returns the members of a group if the system can list them, and otherwise the group itself. Zombies do not count. */
function groupOf(leader: number): readonly number[] {
	if (!signal(-leader, 0)) return [];
	const all = running();
	return all === undefined ? [-leader] : all.filter(({group}) => group === leader).map(({pid}) => pid);
}

function membersOf(tree: Tree): readonly number[] {
	const all = running();
	if (all === undefined) return groupOf(tree.leader);
	const members = new Set(
		all
			.filter(({pid, group, session}) => [pid, group, session].includes(tree.leader) || isMarked(pid, tree.mark))
			.map(({pid}) => pid),
	);
	for (let before = -1; before !== members.size;) {
		before = members.size;
		for (const {pid, parent} of all) if (members.has(parent)) members.add(pid);
	}
	members.delete(process.pid);
	return [...members];
}

type Running = {readonly pid: number; readonly parent: number; readonly group: number; readonly session: number};

/**
Returns every running process from `/proc/<pid>/stat` (proc_pid_stat(5)), or `undefined` if the system has no `/proc`.
*/
function running(): readonly Running[] | undefined {
	if (!systemOf().hasProc) return undefined;
	return readdirSync('/proc')
		.filter(name => /^\d+$/.test(name))
		.flatMap(name => {
			const [state = '', parent, group, session] = statFields(read(`/proc/${name}/stat`));
			return isGone(state)
				? []
				: [{pid: Number(name), parent: Number(parent), group: Number(group), session: Number(session)}];
		});
}

/** Tells whether a process has the mark. For another user's process the result is false. */
function isMarked(pid: number, mark: string): boolean {
	return read(`/proc/${pid}/environ`).split('\0').includes(`${markVariable}=${mark}`);
}

/** Reads a file in `/proc`. The result is empty if the process has ended. */
function read(path: string): string {
	try {
		return readFileSync(path, 'latin1');
	} catch {
		return '';
	}
}
