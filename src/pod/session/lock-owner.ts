import {execFile} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import {hostname} from 'node:os';
import {promisify} from 'node:util';
import {z} from 'zod';
import {errorCode} from '../files/fs-error.ts';

/** Who holds a lock: a process of one boot of one host. Another process that has got the same pid has another start. */
export type Owner = z.infer<typeof ownerSchema>;

const ownerSchema = z.looseObject({
	pid: z.number().int().positive(),
	processStart: z.string(),
	bootId: z.string(),
	host: z.string(),
});

/** This process. */
export async function thisProcess(): Promise<Owner> {
	const [processStart, bootId] = await Promise.all([startOf(process.pid), boot()]);
	return {pid: process.pid, processStart: processStart ?? '', bootId, host: hostname()};
}

/** Reads the text of a lock. `undefined` when it is none. */
export function parseOwner(text: string): Owner | undefined {
	try {
		return ownerSchema.safeParse(JSON.parse(text)).data;
	} catch {
		return undefined;
	}
}

/** Whether the owner may still run. Of another host nothing is known, so its processes count as alive. */
export async function isAlive(owner: Owner): Promise<boolean> {
	if (owner.host !== hostname()) return true;
	if (owner.bootId !== (await boot())) return false;
	if (owner.processStart === '') return exists(owner.pid);
	return (await startOf(owner.pid)) === owner.processStart;
}

/** All that is left to ask where starts cannot be read. */
function exists(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return errorCode(error) === 'EPERM';
	}
}

/**
When a process started, as a text that stays the same while it lives. `undefined` when there is none, or only its exit
status is left.
*/
async function startOf(pid: number): Promise<string | undefined> {
	return process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid);
}

/** Field 22 of /proc/<pid>/stat (proc_pid_stat(5)). The name in parentheses before field 3 may hold anything. */
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

/** A zombie or a dead process: it will never write again. */
function isGone(state: string): boolean {
	return state.startsWith('Z') || state.startsWith('X');
}

let bootId: Promise<string> | undefined;

/** Names this boot of the machine; an empty text where it has no name. */
async function boot(): Promise<string> {
	bootId ??= (
		process.platform === 'linux'
			? readFile('/proc/sys/kernel/random/boot_id', 'latin1')
			: run('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']).then(({stdout}) => stdout)
	)
		.then(text => text.trim())
		.catch(() => '');
	return bootId;
}

/**
Nothing of the person's environment: no PATH, no key, and no time zone, which would change how a start is written.
*/
const run = async (file: string, args: readonly string[]) => promisify(execFile)(file, args, {env: {LC_ALL: 'C'}});
