import {readdirSync, readFileSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import {expect} from 'vitest';

/** Processes whose command line holds this text, by pid. Zombies have none. */
export function running(text: string): readonly number[] {
	return readdirSync('/proc').filter(name => /^\d+$/.test(name) && Number(name) !== process.pid && commandLine(name).includes(text)).map(Number);
}

/** Waits until no process with this text is left, and fails with those that are. */
export async function noneRuns(text: string, ms = 5000): Promise<void> {
	for (const end = performance.now() + ms; running(text).length > 0 && performance.now() < end; ) await delay(10);
	expect(running(text).map(pid => commandLine(String(pid)))).toEqual([]);
}

function commandLine(pid: string): string {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
	} catch {
		return '';
	}
}
