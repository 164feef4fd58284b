import {execFile} from 'node:child_process';
import {readFile, readlink} from 'node:fs/promises';
import {hostname} from 'node:os';
import {promisify} from 'node:util';
import {z} from 'zod';
import {errorCode} from '../../ground/files/fs-error.ts';
import {systemOf} from '../../platform/system.ts';

/**
The owner of a lock: a process of one boot of one machine. `processStart` distinguishes it from a later process with the
same pid.
*/
export type Owner = z.infer<typeof ownerSchema>;

const ownerSchema = z.looseObject({
	pid: z.number().int().positive(),
	processStart: z.string(),
	bootId: z.string(),
	host: z.string(),
	/** Identifies the machine if its host name changes. It is absent in older locks, and empty if it is unknown. */
	machine: z.string().optional(),
	/**
	The folder of the lock, as device and inode. A copy of the folder has different numbers. It is absent in older
	locks.
	*/
	folder: z.string().optional(),
});

/** Returns the owner for this process. */
export async function thisProcess(): Promise<Owner> {
	const [processStart, bootId, machine] = await Promise.all([startOf(process.pid), boot(), thisMachine()]);
	return {pid: process.pid, processStart: processStart ?? '', bootId, host: hostname(), machine};
}

/** Parses the text of a lock. Returns `undefined` for any other text. */
export function parseOwner(text: string): Owner | undefined {
	try {
		return ownerSchema.safeParse(JSON.parse(text)).data;
	} catch {
		return undefined;
	}
}

/**
Tells whether a lock came with a copy of its folder. Other hosts may see the same folder under another device number, so
their locks are never taken for copies.
*/
export async function isCopied(owner: Owner, folder: string): Promise<boolean> {
	return owner.folder !== undefined && owner.folder !== folder && isHere(owner);
}

/** Tells whether the owner may still be running. A process of another host counts as alive. */
export async function isAlive(owner: Owner): Promise<boolean> {
	if (!(await isHere(owner))) return true;
	if (owner.bootId !== (await boot())) return false;
	if (owner.processStart === '') return exists(owner.pid);
	return (await startOf(owner.pid)) === owner.processStart;
}

/** Tells whether the owner is or was a process of this machine. The host name of a laptop changes with its network. */
async function isHere({host, machine}: Owner): Promise<boolean> {
	if (host === hostname()) return true;
	return machine !== undefined && machine !== '' && machine === (await thisMachine());
}

/** Tells whether a pid is in use. It is used on systems that do not report when a process started. */
function exists(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return errorCode(error) === 'EPERM';
	}
}

/**
Returns the start time of a process as a text that stays the same. Returns `undefined` for a zombie or an ended process.
*/
async function startOf(pid: number): Promise<string | undefined> {
	return systemOf().hasProc ? startFromProc(pid) : startFromPs(pid);
}

/**
Reads field 22 of /proc/<pid>/stat (proc_pid_stat(5)). The name in parentheses before field 3 may contain any character.
*/
async function startFromProc(pid: number): Promise<string | undefined> {
	const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
	const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
	return fields === undefined || isGone(fields[0] ?? '') ? undefined : fields[19];
}

async function startFromPs(pid: number): Promise<string | undefined> {
	const answer = await run('/bin/ps', ['-o', 'stat=,lstart=', '-p', String(pid)]).catch(() => undefined);
	const [, state, start] = /^\s*(\S+)\s+(.+?)\s*$/.exec(answer?.stdout ?? '') ?? [];
	return state === undefined || isGone(state) ? undefined : start;
}

/** Tells whether a state means that the process is dead or a zombie. */
function isGone(state: string): boolean {
	return state.startsWith('Z') || state.startsWith('X');
}

let machineId: Promise<string> | undefined;

/**
Returns a text that no other machine has, or an empty text if it is unknown. On Linux it lasts for one boot: copied
machines and containers often have the same `/etc/machine-id`. It includes the PID namespace, because containers of one
machine have the same boot.
*/
async function thisMachine(): Promise<string> {
	machineId ??= (
		systemOf().hasProc
			? Promise.all([boot(), readlink('/proc/self/ns/pid')]).then(parts =>
					parts.includes('') ? '' : parts.join(' '),
				)
			: run('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']).then(
					({stdout}) => /"IOPlatformUUID" = "([^"]+)"/.exec(stdout)?.[1] ?? '',
				)
	).catch(() => '');
	return machineId;
}

let bootId: Promise<string> | undefined;

/** Returns the id of this boot of the machine, or an empty text if it is unknown. */
async function boot(): Promise<string> {
	bootId ??= (
		systemOf().hasProc
			? readFile('/proc/sys/kernel/random/boot_id', 'latin1')
			: run('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']).then(({stdout}) => stdout)
	)
		.then(text => text.trim())
		.catch(() => '');
	return bootId;
}

/**
Runs a program without the user's environment: no PATH, no keys, and no time zone, because that would change the format
of times.
*/
const run = async (file: string, args: readonly string[]) => promisify(execFile)(file, args, {env: {LC_ALL: 'C'}});
