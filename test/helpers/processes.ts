import {readdirSync, readFileSync, readlinkSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import {expect} from 'vitest';

/** Returns the processes whose command line contains this text, by pid. Zombies have no command line. */
export function running(text: string): readonly number[] {
	return readdirSync('/proc')
		.filter(name => /^\d+$/.test(name) && Number(name) !== process.pid && commandLine(name).includes(text))
		.map(Number);
}

/** Waits until at least this many processes with this text exist. */
export async function runs(text: string, count: number): Promise<void> {
	while (running(text).length < count) await delay(10);
}

/**
Waits until no process with this text is left. Otherwise it fails and lists the remaining ones. With 0, it does not
wait.
*/
export async function noneRuns(text: string, ms = 20_000): Promise<void> {
	for (const end = performance.now() + ms; running(text).length > 0 && performance.now() < end;) await delay(10);
	expect(running(text).map(pid => commandLine(String(pid)))).toEqual([]);
}

/** Whether a process with this pid exists, even as a zombie. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

/** Returns the files that this process has open. */
export function openFiles(): readonly string[] {
	return readdirSync('/proc/self/fd').map(fd => {
		try {
			return readlinkSync(`/proc/self/fd/${fd}`);
		} catch {
			return '';
		}
	});
}

function commandLine(pid: string): string {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
	} catch {
		return '';
	}
}
