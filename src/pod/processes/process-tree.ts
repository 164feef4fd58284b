import {readdirSync, readFileSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';

/**
The processes of a command, a hook or an MCP server. `leader`: its first process, which leads a session and a group of
its own.
All processes inherit `mark` as `markVariable`, even those that leave the session, the group and their parents.
*/
export type Tree = {readonly leader: number; readonly mark: string};

export const markVariable = 'INKPOD_COMMAND';

/** Kills a tree at once when this process ends, until it is forgotten. */
export function remember(tree: Tree): void {
	if (remembered.size === 0) process.on('exit', killRemembered);
	remembered.add(tree);
}

export function forget(tree: Tree): void {
	remembered.delete(tree);
	if (remembered.size === 0) process.off('exit', killRemembered);
}

/** Milliseconds between SIGTERM and SIGKILL, and for SIGKILL to work. */
const politeMs = 1500;
const lastMs = 700;
/** The longest that a stop takes: less than an aborted tool is given. */
export const forceMs = politeMs + lastMs;

/**
Ends a tree: SIGTERM, then SIGKILL until nothing is left of it. On Linux every process is found by group, session,
descent and mark, elsewhere only by group. A process that may not be signalled (another user's, as under sudo) or hangs
in the kernel is left.
*/
export async function stopTree(tree: Tree): Promise<void> {
	signalTree(tree, 'SIGTERM');
	if (await isGone(() => membersOf(tree).length === 0, politeMs)) return;
	await killTree(tree);
}

/** SIGKILL until nothing is left of a tree. */
export async function killTree(tree: Tree): Promise<void> {
	await isGone(() => {
		signalTree(tree, 'SIGKILL');
		return membersOf(tree).length === 0;
	}, lastMs);
}

/**
Milliseconds that the processes that a command left have to end by themselves, as the `tee` of a process substitution
does.
*/
const lateMs = 300;

/**
Ends what is left in the group of a command whose first process has ended, and answers whether something was left. A
process that left the group stays: it is a daemon.
*/
export async function stopLeft({leader}: Tree): Promise<boolean> {
	const isOver = () => groupOf(leader).length === 0;
	if (await isGone(isOver, lateMs)) return false;
	signal(-leader, 'SIGTERM');
	if (await isGone(isOver, politeMs)) return true;
	signal(-leader, 'SIGKILL');
	await isGone(isOver, lastMs);
	return true;
}

const remembered = new Set<Tree>();

function killRemembered(): void {
	for (const tree of remembered) signalTree(tree, 'SIGKILL');
}

/** Asks again and again until the answer is yes or the time is over. */
async function isGone(ask: () => boolean, ms: number): Promise<boolean> {
	const end = performance.now() + ms;
	for (let pause = 5; !ask(); pause = Math.min(pause * 2, 100)) {
		if (performance.now() >= end) return false;
		await delay(pause);
	}
	return true;
}

/** Signals a tree once. Its members are looked up first: the end of a parent hides its children. */
export function signalTree(tree: Tree, name: NodeJS.Signals): void {
	const members = membersOf(tree);
	signal(-tree.leader, name);
	for (const pid of members) if (pid > 0) signal(pid, name);
}

/** Answers whether there was anything to signal. */
function signal(target: number, name: NodeJS.Signals | 0): boolean {
	try {
		return process.kill(target, name);
	} catch {
		return false;
	}
}

/** The group's members, where they are known one by one; else the group. Zombies have ended. */
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

/** Every process that has not ended, from `/proc/<pid>/stat` (proc_pid_stat(5)). `undefined` where there is none. */
function running(): readonly Running[] | undefined {
	if (process.platform !== 'linux') return undefined;
	return readdirSync('/proc')
		.filter(name => /^\d+$/.test(name))
		.flatMap(name => {
			const stat = read(`/proc/${name}/stat`);
			// The name before it may contain blanks and parentheses.
			const [state, parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
			return stat === '' || state === 'Z' || state === 'X'
				? []
				: [{pid: Number(name), parent: Number(parent), group: Number(group), session: Number(session)}];
		});
}

/** False too for what belongs to another user. */
function isMarked(pid: number, mark: string): boolean {
	return read(`/proc/${pid}/environ`).split('\0').includes(`${markVariable}=${mark}`);
}

/** Empty when the process has ended meanwhile. */
function read(path: string): string {
	try {
		return readFileSync(path, 'latin1');
	} catch {
		return '';
	}
}
