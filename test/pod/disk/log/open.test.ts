import {chmod, mkdir, readdir, readFile, stat, writeFile} from 'node:fs/promises';
import {dirname, join, relative} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createSession} from '../../../../src/pod/disk/log/open.ts';
import {openSession} from '../../../../src/pod/disk/log/open.ts';
import {realFiles, type Files} from '../../../../src/pod/disk/files.ts';
import {historyFile} from '../../../../src/pod/disk/paths.ts';
import {readSession} from '../../../../src/pod/disk/log/read.ts';
import {verifySession} from '../../../../src/pod/disk/check/verify.ts';
import {createHistory, systemClock, type Item} from '../../../../src/worker/index.ts';
import {call, failed, opened, itemsOnDisk, namesIn, result, storedSession, tempHome, user} from '../fixture.ts';

const clock = systemClock();

describe('a new session', () => {
	it('leaves nothing when it commits nothing', async () => {
		const home = await tempHome();
		const session = createSession(home, clock);
		await session.close();
		expect(await readdir(home.home)).toEqual(['project']);
	});

	it('has private folders and files and a complete document after the first commit', async () => {
		const home = await tempHome();
		const session = createSession(home, clock);
		await session.log.write([user('a', 'hello'), user('b', 'again')]);
		const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
		for (const path of [session.dir, dirname(session.dir), home.root, dirname(home.root)])
			expect(await mode(path)).toBe('700');
		expect(await mode(historyFile(session.dir))).toBe('600');
		expect(await mode(join(session.dir, 'lock'))).toBe('600');
		expect(await itemsOnDisk(session)).toEqual([user('a', 'hello'), user('b', 'again')]);
		await session.close();
		expect(await namesIn(session.dir)).toEqual(['history.json']);
	});

	it('becomes durable while its first items do, however many of its folders are new', async () => {
		const home = await tempHome();
		const fileSyncs = Promise.withResolvers<void>();
		const synced: string[] = [];
		const files: Files = {
			...realFiles,
			async open(path, ...rest) {
				const file = await realFiles.open(path, ...rest);
				const isFile = path.endsWith('.new');
				const sync = async () => {
					if (isFile) fileSyncs.resolve();
					await fileSyncs.promise;
					synced.push(isFile ? 'file' : relative(home.home, path));
				};
				return Object.assign(file, {sync});
			},
		};
		const session = createSession(home, clock, files);
		await session.log.write([user('a', 'hello')]);
		const folder = relative(home.home, session.dir);
		const above = folder.split('/').map((_, at, names) => names.slice(0, at).join('/'));
		expect(synced.toSorted()).toEqual([...above, folder, 'file'].toSorted());
		expect(synced.at(-1)).toBe(folder);
		await session.close();
	});

	it('continues in the same document when it is opened again', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', '1')], [call('b', 'c'), result('c', 'c')]]);
		const session = opened(await openSession(dir, clock));
		expect(session).toMatchObject({id: dir.split('/').at(-1), cwd: home.cwd, dir});
		const history = createHistory(session.log, session.items);
		await Promise.all([history.append([user('d', '2')]), history.append([user('e', '3')])]);
		await session.close();
		const all = [user('a', '1'), call('b', 'c'), result('c', 'c'), user('d', '2'), user('e', '3')];
		expect(history.items).toEqual(all);
		expect(await itemsOnDisk(session)).toEqual(all);
		const read = await readSession(dir);
		expect(read.ok && verifySession(read.session)).toMatchObject({ok: true, findings: []});
	});

	it('refuses to write after it is closed', async () => {
		const home = await tempHome();
		const session = createSession(home, clock);
		await session.log.write([user('a', '1')]);
		await session.close();
		await session.close();
		expect(await failed(session.log.write([user('b', '2')]))).toMatchObject({reason: 'gone'});
	});
});

describe('a history with a damaged line', () => {
	it('has a notice in its place at every start, even after an append, and the file is unchanged', async () => {
		const home = await tempHome();
		const {dir, path} = await storedSession(home, [[user('a', '1'), user('b', '2'), user('c', '3')]]);
		const bad = Buffer.from((await readFile(path)).toString().replace('"text":"2"', '"text":"X"'));
		await writeFile(path, bad);
		const session = opened(await openSession(dir, clock));
		expect(session.items.map(({id}) => id)).toEqual(['a', 'damaged-line-3', 'c']);
		expect((await readFile(path)).equals(bad)).toBe(true);
		await session.log.write([user('d', '4')]);
		await session.close();
		const again = opened(await openSession(dir, clock));
		expect(again.items).toEqual([...session.items, user('d', '4')]);
		await again.close();
	});

	it('is refused and unchanged if it has an unknown type or a newer format', async () => {
		const home = await tempHome();
		const {dir, path} = await storedSession(home, [
			[user('a', '1'), {...user('b', '2'), type: 'hologram'} as unknown as Item],
		]);
		const bytes = await readFile(path);
		const refused = await openSession(dir, clock);
		expect(refused).toMatchObject({ok: false, reason: 'unknown_type'});
		expect(!refused.ok && refused.sentence).toContain('"hologram"');
		expect(await readSession(dir)).toMatchObject({ok: false, reason: 'unknown_type'});
		expect((await readFile(path)).equals(bytes)).toBe(true);
		await writeFile(path, bytes.toString().replace(/.*/, '{"format":"inkpod.history/2","items":['));
		expect(await openSession(dir, clock)).toMatchObject({ok: false, reason: 'newer_format'});
		expect(await namesIn(dir)).toEqual(['history.json']);
	});

	it('keeps unknown keys', async () => {
		const home = await tempHome();
		const item = {...user('a', '1'), later: {deep: [1, null, 'ü']}} as unknown as Item;
		const {dir} = await storedSession(home, [[item]]);
		const session = opened(await openSession(dir, clock));
		expect(session.items).toEqual([item]);
		await session.close();
	});
});

describe('a folder that cannot be opened', () => {
	it('is refused, and no lock is left', async () => {
		const home = await tempHome();
		const dir = join(home.root, 'p', '01JD8XK3Q2ABCDEFGHJKMNPQRS');
		expect(await openSession(dir, clock)).toMatchObject({ok: false, reason: 'gone'});
		await mkdir(dir, {recursive: true});
		expect(await openSession(dir, clock)).toMatchObject({ok: false, reason: 'gone'});
		expect(await namesIn(dir)).toEqual([]);
	});

	it.skipIf(process.getuid?.() === 0)('is refused as denied, but readable, when it may not be written', async () => {
		const home = await tempHome();
		const {dir, path} = await storedSession(home, [[user('a', '1')]]);
		await chmod(path, 0o400);
		expect(await openSession(dir, clock)).toMatchObject({ok: false, reason: 'denied'});
		expect(await readSession(dir)).toMatchObject({ok: true});
	});
});
