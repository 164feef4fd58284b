import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {readFile, utimes, writeFile} from 'node:fs/promises';
import * as fs from 'node:fs/promises';
import {hostname} from 'node:os';
import {join} from 'node:path';
import type {Writable} from 'node:stream';
import {describe, expect, it, onTestFinished} from 'vitest';
import {realFiles, type Files} from '../../../../src/pod/disk/files.ts';
import {lockOwner, takeLock, type Lock} from '../../../../src/pod/disk/log/lock.ts';
import {openSession} from '../../../../src/pod/disk/log/open.ts';
import {isAlive, thisProcess} from '../../../../src/pod/disk/log/lock-owner.ts';
import {lockFile} from '../../../../src/pod/disk/paths.ts';
import {readSession} from '../../../../src/pod/disk/log/read.ts';
import {systemClock} from '../../../../src/worker/index.ts';
import {faultyFiles, itemsOnDisk, long, namesIn, storedSession, systemError, tempHome, user} from '../fixture.ts';

const clock = systemClock();

const sourceOf = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);

/** A program that opens the session and prints the result. On request it writes without end. */
const program = `
const {openSession} = await import(${sourceOf('../../../../src/pod/disk/log/open.ts')});
const {systemClock} = await import(${sourceOf('../../../../src/worker/index.ts')});
const opened = await openSession(process.argv[1], systemClock());
process.stdout.write(opened.ok ? 'open\\n' : opened.reason + '\\n');
if (opened.ok && process.argv[2] === 'write') {
	for (let n = 0; ; n += 1) {
		const item = (id, text) => ({id, at: 'now', type: 'message', role: 'user', text});
		const id = process.pid + '-' + n;
		const long = 'x'.repeat(20 + (n * 7919) % 20000);
		await opened.session.log.write([item(id + 'a', long), item(id + 'b', 'short')]);
		if (n % 10 === 0) process.stdout.write(n + '\\n');
	}
}
if (opened.ok) setInterval(() => {}, 1000);
`;

function start(
	dir: string,
	mode = 'hold',
): {readonly child: ChildProcess; readonly said: (wanted: RegExp) => Promise<string>} {
	const child = spawn(process.execPath, ['--input-type=module', '-e', program, dir, mode], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	onTestFinished(() => void child.kill('SIGKILL'));
	let heard = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => (heard += text));
	const said = async (wanted: RegExp) => {
		while (!wanted.test(heard)) await once(child.stdout, 'data');
		return heard;
	};
	return {child, said};
}

async function until(reached: () => Promise<boolean>): Promise<void> {
	while (!(await reached())) await new Promise(setImmediate);
}

async function killed(child: ChildProcess): Promise<void> {
	const ended = once(child, 'exit');
	child.kill('SIGKILL');
	await ended;
}

async function taken(dir: string, files: Files = realFiles): Promise<Lock> {
	const locked = await takeLock(dir, files);
	if (!locked.ok) throw new Error(locked.sentence);
	return locked.lock;
}

describe('the lock of a session', () => {
	it('names its live process to others, who may read, and is taken over when that process is killed', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', '1')]]);
		const {child, said} = start(dir);
		expect(await said(/\n/)).toBe('open\n');
		const refused = await openSession(dir, clock);
		expect(refused).toMatchObject({ok: false, reason: 'held', owner: {pid: child.pid}});
		expect(!refused.ok && refused.sentence).toContain(`process ${child.pid} `);
		expect(await lockOwner(dir, realFiles)).toMatchObject({pid: child.pid});
		expect(await readSession(dir)).toMatchObject({ok: true});
		await killed(child);
		const opened = await openSession(dir, clock);
		expect(opened.ok).toBe(true);
		if (opened.ok) await opened.session.close();
		expect(await namesIn(dir)).toEqual(['history.json']);
	});

	it('lets the next start read every item that was reported as saved before the writer was killed', async () => {
		const home = await tempHome();
		const {dir, path} = await storedSession(home, [[user('a', '1')]]);
		for (let time = 0; time < (long ? 100 : 4); time += 1) {
			const {child, said} = start(dir, 'write');
			const heard = await said(/(?:\d+\n){2}/);
			await killed(child);
			const told = Number(heard.trim().split('\n').at(-1));
			const opened = await openSession(dir, clock);
			expect(opened).toMatchObject({ok: true});
			if (!opened.ok) return;
			await opened.session.close();
			JSON.parse(await readFile(path, 'utf8'));
			const ids = new Set(opened.session.items.map(({id}) => id));
			for (let n = 0; n <= told; n += 1)
				expect(ids.has(`${child.pid}-${n}a`) && ids.has(`${child.pid}-${n}b`)).toBe(true);
			expect(await itemsOnDisk({dir})).toEqual(opened.session.items);
		}
	});

	it('does not apply to a copy of the folder', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', '1')]]);
		const lock = await taken(dir);
		const copy = `${dir}-copy`;
		await fs.cp(dir, copy, {recursive: true});
		expect(await lockOwner(copy, realFiles)).toBe(undefined);
		const other = await taken(copy);
		expect(await lockOwner(copy, realFiles)).toMatchObject({pid: process.pid});
		expect(await lock.isMine()).toBe(true);
		await Promise.all([lock.release(), other.release()]);
	});

	it('still applies to a renamed folder, and to one that another host sees on another device', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', '1')]]);
		const lock = await taken(dir);
		const moved = `${dir}-moved`;
		await fs.rename(dir, moved);
		expect(await takeLock(moved, realFiles)).toMatchObject({ok: false, reason: 'held'});
		await fs.rename(moved, dir);
		await lock.release();
		await writeFile(
			lockFile(dir),
			JSON.stringify({...(await thisProcess()), host: 'other', machine: 'other', folder: '1:1'}),
		);
		expect(await takeLock(dir, realFiles)).toMatchObject({ok: false, reason: 'held'});
	});

	it('names the process that has it', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', '1')]]);
		const lock = await taken(dir);
		expect(JSON.parse(await readFile(lockFile(dir), 'utf8'))).toEqual({
			pid: process.pid,
			processStart: expect.stringMatching(/./) as unknown,
			bootId: expect.stringMatching(/./) as unknown,
			host: hostname(),
			machine: expect.stringMatching(/./) as unknown,
			folder: expect.stringMatching(/^\d+:\d+$/) as unknown,
		});
		expect(await takeLock(dir, realFiles)).toMatchObject({ok: false, reason: 'held', owner: {pid: process.pid}});
		await lock.release();
		expect(await namesIn(dir)).toEqual(['history.json']);
	});

	it('is stale after another boot, for another start or a missing process, but not for another host', async () => {
		const me = await thisProcess();
		expect(await isAlive(me)).toBe(true);
		expect(await isAlive({...me, bootId: 'other'})).toBe(false);
		expect(await isAlive({...me, processStart: '1'})).toBe(false);
		expect(await isAlive({...me, pid: 2 ** 30})).toBe(false);
		expect(await isAlive({...me, host: 'elsewhere', machine: 'other', pid: 2 ** 30})).toBe(true);
		expect(await isAlive({...me, host: 'elsewhere', machine: '', pid: 2 ** 30})).toBe(true);
		expect(await isAlive({...me, host: 'elsewhere', machine: undefined, pid: 2 ** 30})).toBe(true);
	});

	it('is stale for a process that ended before the host name changed', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', '1')]]);
		const renamed = {...(await thisProcess()), host: 'another-name'};
		expect(await isAlive(renamed)).toBe(true);
		await writeFile(lockFile(dir), JSON.stringify({...renamed, pid: 2 ** 30}));
		const lock = await taken(dir);
		await lock.release();
	});

	it.skipIf(process.platform !== 'linux')('is stale for a zombie process', async () => {
		const parent = spawn('sh', ['-c', 'cat <&3 >&2 & echo $!; exec sleep 60'], {
			stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
		});
		onTestFinished(() => void parent.kill('SIGKILL'));
		const [said] = (await once(parent.stdout!, 'data')) as [Buffer];
		const pid = Number(said.toString());
		await until(async () => (await readFile(`/proc/${parent.pid}/comm`, 'latin1')) === 'sleep\n');
		const fields = async () => (await readFile(`/proc/${pid}/stat`, 'latin1')).split(' ');
		const owner = {...(await thisProcess()), pid, processStart: (await fields())[21]!};
		expect(await isAlive(owner)).toBe(true);
		(parent.stdio[3] as Writable).destroy();
		await until(async () => (await fields())[2] === 'Z');
		expect(await isAlive(owner)).toBe(false);
	});

	it('counts as taken while it is new and has no owner, unless the clock was set back', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', '1')]]);
		await writeFile(lockFile(dir), '');
		expect(await takeLock(dir, realFiles)).toMatchObject({ok: false, reason: 'held'});
		await utimes(lockFile(dir), 1, 1);
		await (await taken(dir)).release();
		await writeFile(lockFile(dir), '');
		await utimes(lockFile(dir), 4e9, 4e9);
		await (await taken(dir)).release();
	});

	it('goes to only one of many processes that take over a stale lock', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', '1')]]);
		const stale = JSON.stringify({...(await thisProcess()), pid: 2 ** 30});
		for (let time = 0; time < (long ? 500 : 30); time += 1) {
			await writeFile(lockFile(dir), stale);
			const answers = await Promise.all(Array.from({length: 6}, async () => takeLock(dir, realFiles)));
			const locks = answers.flatMap(answer => (answer.ok ? [answer.lock] : []));
			const mine = await Promise.all(locks.map(async lock => lock.isMine()));
			expect(mine.filter(Boolean)).toHaveLength(1);
			await Promise.all(locks.map(async lock => lock.release()));
			expect(await namesIn(dir)).toEqual(['history.json']);
		}
	});

	it('is restored by the slower of two processes that found it stale', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', '1')]]);
		await writeFile(lockFile(dir), JSON.stringify({...(await thisProcess()), pid: 2 ** 30}));
		let faster: Lock | undefined;
		const slow: Files = {
			...realFiles,
			async rename(from, to) {
				faster ??= await taken(dir);
				await fs.rename(from, to);
			},
		};
		expect(await takeLock(dir, slow)).toMatchObject({ok: false, reason: 'held', owner: {pid: process.pid}});
		expect(await faster?.isMine()).toBe(true);
		await faster?.release();
	});

	it('works on a file system without hard links', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', '1')]]);
		const files = faultyFiles(operation => {
			if (operation === 'link') throw systemError('EPERM');
		});
		const lock = await taken(dir, files);
		expect(await takeLock(dir, files)).toMatchObject({ok: false, reason: 'held', owner: {pid: process.pid}});
		await lock.release();
		expect(await namesIn(dir)).toEqual(['history.json']);
	});

	it.each([
		['EROFS', 'read_only'],
		['ENOSPC', 'no_space'],
		['EACCES', 'denied'],
	])('cannot be created with %s: reason %s, and nothing is left', async (code, reason) => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', '1')]]);
		const files = faultyFiles((operation, path) => {
			if (operation === 'open' && path.startsWith(join(dir, 'lock'))) throw systemError(code);
		});
		expect(await openSession(dir, clock, files)).toMatchObject({ok: false, reason});
		expect(await namesIn(dir)).toEqual(['history.json']);
	});
});
