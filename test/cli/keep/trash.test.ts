import {mkdir, readdir, readFile, stat, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {describe, expect, it} from 'vitest';
import {deleteSession, trash, type TrashOptions} from '../../../src/cli/keep/trash.ts';
import {realFiles} from '../../../src/pod/disk/files.ts';
import {takeLock} from '../../../src/pod/disk/log/lock.ts';
import {idOf} from '../../../src/pod/disk/paths.ts';
import {storedSession, tempHome, user, type Home} from '../../pod/disk/fixture.ts';

function outputs() {
	const written = {out: '', err: ''};
	return {
		written,
		stdout: {write: (text: string) => (written.out += text)},
		stderr: {write: (text: string) => (written.err += text)},
	};
}

async function remove({env, cwd}: Home, id: string) {
	const {written, ...io} = outputs();
	return {code: await deleteSession({id, env, cwd, ...io}), ...written};
}

async function run({env}: Home, options: Partial<TrashOptions> = {}) {
	const {written, ...io} = outputs();
	return {code: await trash({env, empty: false, json: false, ...options, ...io}), ...written};
}

async function twoSessions() {
	const home = await tempHome();
	const one = await storedSession(home, [[user('a', 'tell about apples')]]);
	await mkdir(path.join(one.dir, 'children/x'), {recursive: true});
	await writeFile(path.join(one.dir, 'children/x/history.json'), 'kept');
	const two = await storedSession(home, [[user('b', 'tell about pears')]]);
	return {home, one, two};
}

describe('a deleted session', () => {
	it('goes to the trash with all its files, and comes back as it was', async () => {
		const {home, one, two} = await twoSessions();
		const id = idOf(one.dir);
		const before = await readFile(one.path, 'utf8');
		expect(await remove(home, id)).toEqual({
			code: 0,
			out: `Session ${id} is in the trash. Restore it with: inkpod trash --restore ${id}\n`,
			err: '',
		});
		await expect(stat(one.dir)).rejects.toThrow('ENOENT');
		expect((await run(home)).out).toContain('tell about apples');
		expect((await run(home)).out).not.toContain('pears');
		expect(JSON.parse((await run(home, {json: true})).out)).toMatchObject([{id, words: 'tell about apples'}]);
		expect(await run(home, {restore: id.toLowerCase()})).toMatchObject({code: 0, err: ''});
		expect(await readFile(one.path, 'utf8')).toBe(before);
		expect(await readFile(path.join(one.dir, 'children/x/history.json'), 'utf8')).toBe('kept');
		expect((await readdir(one.dir)).toSorted()).toEqual(['children', 'history.json']);
		expect((await run(home)).out).toBe('The trash is empty.\n');
		await stat(two.path);
	});

	it('stays while a process has it open', async () => {
		const {home, one} = await twoSessions();
		const locked = await takeLock(one.dir, realFiles);
		if (!locked.ok) throw new Error(locked.sentence);
		expect(await remove(home, idOf(one.dir))).toMatchObject({code: 1, out: ''});
		await stat(one.path);
		await locked.lock.release();
		expect(await remove(home, idOf(one.dir))).toMatchObject({code: 0});
	});

	it('is not restored over another one with its id', async () => {
		const {home, one} = await twoSessions();
		const id = idOf(one.dir);
		await remove(home, id);
		await mkdir(one.dir, {recursive: true});
		expect(await run(home, {restore: id})).toMatchObject({
			code: 1,
			err: `inkpod: Cannot restore session ${id}, because a session with this id already exists.\n`,
		});
	});

	it('is gone for good after the trash is emptied', async () => {
		const {home, one, two} = await twoSessions();
		await remove(home, idOf(one.dir));
		expect((await run(home, {empty: true})).out).toMatch(/^Deleted 1 session for good, .*\.\n$/);
		expect(await run(home, {restore: idOf(one.dir)})).toMatchObject({code: 1, out: ''});
		await stat(two.path);
	});

	it('must be named by an id that exists and is unique', async () => {
		const {home, one, two} = await twoSessions();
		expect(await remove(home, 'ZZZZ')).toMatchObject({code: 1, out: ''});
		await remove(home, idOf(one.dir));
		await remove(home, idOf(two.dir));
		expect(await run(home, {restore: idOf(one.dir).slice(0, 4)})).toMatchObject({
			code: 1,
			err: expect.stringContaining('2 sessions in the trash begin with') as string,
		});
	});
});
