import {execFile} from 'node:child_process';
import {mkdir, readFile, readdir, rm, stat, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/u, '');
const program = path.join(projectRoot, 'dist/inkpod.js');
const lock = path.join(projectRoot, 'node_modules/.cache/inkpod-build.lock');
let ready: Promise<string> | undefined;

/**
Returns the path of the built program, dist/inkpod.js. Builds it first if a source is newer. Each process builds at most
once, and only one process builds at a time. Rejects with the build's own message.
*/
export async function builtProgram(): Promise<string> {
	ready ??= buildWhenStale();
	return ready;
}

async function buildWhenStale(): Promise<string> {
	if (await isFresh()) return program;
	await takeLock();
	try {
		if (!(await isFresh()))
			await promisify(execFile)(process.execPath, [path.join(projectRoot, 'scripts/build.mjs')]);
	} finally {
		await rm(lock, {force: true});
	}
	return program;
}

async function isFresh(): Promise<boolean> {
	const built = await changedAt(program);
	const names = (await Promise.all(['src', 'scripts'].map(listed))).flat();
	const times = await Promise.all(
		['package.json', 'package-lock.json', ...names].map(async name => changedAt(path.join(projectRoot, name))),
	);
	return times.every(time => time < built);
}

// Directories count, too: removing a file changes its directory's time.
async function listed(directory: string): Promise<string[]> {
	const names = await readdir(path.join(projectRoot, directory), {recursive: true});
	return [directory, ...names.map(name => path.join(directory, name))];
}

async function changedAt(file: string): Promise<number> {
	try {
		return (await stat(file)).mtimeMs;
	} catch (error) {
		if (isCode(error, 'ENOENT')) return 0;
		throw error;
	}
}

async function takeLock(): Promise<void> {
	await mkdir(path.dirname(lock), {recursive: true});
	for (;;) {
		try {
			await writeFile(lock, String(process.pid), {flag: 'wx'});
			return;
		} catch (error) {
			if (!isCode(error, 'EEXIST')) throw error;
		}
		if (!(await holderIsAlive())) await rm(lock, {force: true});
		else await wait(50);
	}
}

async function holderIsAlive(): Promise<boolean> {
	try {
		const holder = Number(await readFile(lock, 'utf8'));
		if (holder > 0) process.kill(holder, 0);
		return true;
	} catch (error) {
		return isCode(error, 'EPERM');
	}
}

function isCode(error: unknown, code: string): boolean {
	return error instanceof Error && 'code' in error && error.code === code;
}
