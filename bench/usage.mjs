import {readdirSync, readFileSync, rmSync} from 'node:fs';
import path from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';

const ticksPerSecond = 100;

/**
Returns the CPU seconds so far and the resident MiB of a process and its children. Returns undefined on a system without
/proc.
*/
export function usageOf(pid) {
	if (process.platform !== 'linux') return undefined;
	const all = tree(pid)
		.map(read)
		.filter(found => found !== undefined);
	return {cpu: sum(all, 'cpu'), rss: sum(all, 'rss')};
}

/**
Waits until a process uses no CPU for half a second. Returns its CPU seconds so far, and the time at which it became
idle.
*/
export async function untilIdle(pid) {
	let [cpu, at] = [usageOf(pid).cpu, performance.now()];
	for (let quiet = 0; quiet < 10;) {
		await wait(50);
		const now = usageOf(pid).cpu;
		if (now - cpu <= 0.011) quiet++;
		else [quiet, cpu, at] = [0, now, performance.now()];
	}
	return {cpu, at};
}

/** Returns the MiB that remain after the garbage collections of memory.mjs. `file`: its BENCH_MEMORY_FILE. */
export async function memoryLeft(pid, file) {
	rmSync(file, {force: true});
	process.kill(pid, 'SIGUSR2');
	for (;;) {
		await wait(20);
		if (readdirSync(path.dirname(file)).includes(path.basename(file)))
			return JSON.parse(readFileSync(file, 'utf8'));
	}
}

function tree(pid) {
	const children = text(`/proc/${pid}/task/${pid}/children`)?.trim().split(' ').filter(Boolean) ?? [];
	return [pid, ...children.flatMap(tree)];
}

function read(pid) {
	const stat = text(`/proc/${pid}/stat`);
	const status = text(`/proc/${pid}/status`);
	if (stat === undefined || status === undefined) return undefined;
	// See proc(5): utime, stime, cutime and cstime are fields 14 to 17. The second field, a name, may contain spaces.
	const ticks = stat
		.slice(stat.lastIndexOf(')') + 2)
		.split(' ')
		.slice(11, 15)
		.map(Number);
	return {
		cpu: ticks.reduce((total, each) => total + each) / ticksPerSecond,
		rss: Number(/^VmRSS:\s+(\d+)/mu.exec(status)?.[1] ?? 0) / 1024,
	};
}

function text(file) {
	try {
		return readFileSync(file, 'latin1');
	} catch {
		return undefined; // The process has ended meanwhile.
	}
}

function sum(all, key) {
	return all.reduce((total, each) => total + each[key], 0);
}
