import {execFile} from 'node:child_process';
import {readFile, readlink} from 'node:fs/promises';
import {promisify} from 'node:util';
import {errorCode} from '../ground/files/fs-error.ts';
import {systemOf} from './system.ts';
import {randomUUID} from 'node:crypto';
import {closeSync, constants, openSync, unlinkSync, writeSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** Tells whether a pid is in use. inkpod uses this on systems that do not report when a process started. */
export function exists(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return errorCode(error) === 'EPERM';
	}
}

/**
Returns the start time of a process as a text that stays the same while the process runs. Returns `undefined` for a
zombie or an ended process.
*/
export async function startOf(pid: number): Promise<string | undefined> {
	return systemOf().hasProc ? startFromProc(pid) : startFromPs(pid);
}

/**
Returns a text that no other machine has, or an empty text if it is unknown. On Linux the text is valid for one boot.
Does not use `/etc/machine-id`, because copied machines and containers often have the same one. The text includes the
PID namespace, because containers on one machine have the same boot.
*/
export async function thisMachine(): Promise<string> {
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

/** Returns the id of this boot of the machine, or an empty text if it is unknown. */
export async function boot(): Promise<string> {
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
Returns the fields of a `/proc/<pid>/stat` from the third on, which is the state (proc_pid_stat(5)). The name in
parentheses before it may contain any character.
*/
export function statFields(stat: string): readonly string[] {
	return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Tells whether a state means that the process is dead or a zombie, or that there is no process. */
export function isGone(state: string): boolean {
	return state === '' || state.startsWith('Z') || state.startsWith('X');
}

/** The contents of a descriptor: the bytes themselves, or the path of a file with the bytes. */
export type DescriptorContents = {readonly bytes: Uint8Array} | {readonly source: string};

/**
Opens a file for each of these contents. Bytes are written to a file without a name. The program that gets the
descriptors reads each file from its beginning. A missing file counts as empty. Throws system errors.
*/
export function openDescriptors(contents: readonly DescriptorContents[]): OpenDescriptors {
	const fds: number[] = [];
	const close = () => {
		for (const fd of fds.splice(0)) closeSync(fd);
	};
	try {
		for (const one of contents) {
			const fd = ('source' in one ? openSource(one.source) : undefined) ?? openNameless();
			fds.push(fd);
			if ('bytes' in one) write(fd, one.bytes);
		}
	} catch (error) {
		close();
		throw error;
	}
	return {fds: fds.map(namedDescriptor), [Symbol.dispose]: close};
}

/** Any descriptor works for execa, but its types allow only the first ten. */
export function namedDescriptor(fd: number): 3 {
	return fd as 3;
}

let machineId: Promise<string> | undefined;

let bootId: Promise<string> | undefined;

/** Reads field 22 of `/proc/<pid>/stat`. */
async function startFromProc(pid: number): Promise<string | undefined> {
	const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
	const [state = '', ...fields] = statFields(text ?? '');
	return isGone(state) ? undefined : fields[18];
}

async function startFromPs(pid: number): Promise<string | undefined> {
	const answer = await run('/bin/ps', ['-o', 'stat=,lstart=', '-p', String(pid)]).catch(() => undefined);
	const [, state, start] = /^\s*(\S+)\s+(.+?)\s*$/.exec(answer?.stdout ?? '') ?? [];
	return state === undefined || isGone(state) ? undefined : start;
}

/**
Runs a program without the user's environment: no PATH, no keys, and no time zone, because a time zone would change the
format of times.
*/
const run = async (file: string, args: readonly string[]) => promisify(execFile)(file, args, {env: {LC_ALL: 'C'}});

/** The open files for a program that inkpod starts. */
type OpenDescriptors = Disposable & {
	readonly fds: readonly 3[];
};

function openSource(path: string): number | undefined {
	try {
		return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
	} catch {
		return undefined;
	}
}

function openNameless(): number {
	const path = join(tmpdir(), `inkpod-${randomUUID()}`);
	const fd = openSync(path, 'wx+', 0o600);
	unlinkSync(path);
	return fd;
}

/** Writes at given positions, so that the file's own position stays at the beginning. */
function write(fd: number, bytes: Uint8Array): void {
	for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at, at);
}
