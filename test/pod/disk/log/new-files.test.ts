import {existsSync} from 'node:fs';
import {readdir, rm, truncate, unlink, utimes, writeFile} from 'node:fs/promises';
import {hostname} from 'node:os';
import {dirname} from 'node:path';
import {describe, expect, it} from 'vitest';
import {withRescue} from '../../../../src/pod/disk/check/rescue.ts';
import {realFiles, type Files} from '../../../../src/pod/disk/files.ts';
import {lastSessions, latestSession, listSessions, sessionDirs} from '../../../../src/pod/disk/list/list.ts';
import {removeUnfinished} from '../../../../src/pod/disk/list/remove-unfinished.ts';
import type {Session} from '../../../../src/pod/disk/log/log.ts';
import {createSession} from '../../../../src/pod/disk/log/open.ts';
import {readSession} from '../../../../src/pod/disk/log/read.ts';
import {historyFile, lockFile} from '../../../../src/pod/disk/paths.ts';
import {systemClock} from '../../../../src/worker/index.ts';
import {failed, faultyFiles, itemsOnDisk, namesIn, storedSession, systemError, tempHome, user} from '../fixture.ts';

const clock = systemClock();
const batch = [user('a', 'hello'), user('b', 'again')];
const operations = ['mkdir', 'open', 'link', 'write', 'sync', 'rename', 'datasync'] as const;

describe('a prepared session', () => {
	it('makes its first items and the name of their file durable at the same time', async () => {
		const home = await tempHome();
		const synced: string[] = [];
		let together: PromiseWithResolvers<void> | undefined;
		const session = createSession(
			home,
			clock,
			withSyncs(async path => {
				if (synced.push(path) === 2) together?.resolve();
				await together?.promise;
			}),
		);
		await session.prepare?.();
		expect(await namesIn(session.dir)).toEqual(['history.json.new', 'lock']);
		synced.length = 0;
		together = Promise.withResolvers();
		await session.log.write(batch);
		expect(synced.toSorted()).toEqual([session.dir, `${historyFile(session.dir)}.new`]);
		await session.log.write([user('c', 'later')]);
		await session.prepare?.();
		await session.close();
		expect(await itemsOnDisk(session)).toEqual([...batch, user('c', 'later')]);
		expect(await namesIn(session.dir)).toEqual(['history.json']);
	});

	it('leaves nothing when it is closed without an item, or prepared after that', async () => {
		const home = await tempHome();
		const session = withRescue(createSession(home, clock), clock);
		void session.prepare?.();
		await session.prepare?.();
		await session.close();
		await session.prepare?.();
		expect(await readdir(home.root)).toEqual([]);
	});

	it('does not disturb another session of its project', async () => {
		const home = await tempHome();
		const [one, two] = [createSession(home, clock), createSession(home, clock)];
		await Promise.all([one.prepare?.(), two.prepare?.()]);
		await one.close();
		await two.log.write(batch);
		await two.close();
		expect(await readdir(dirname(two.dir))).toEqual([two.id]);
	});

	it('is in no list, and other processes remove it only after its process has ended', async () => {
		const home = await tempHome();
		const {dir} = await storedSession(home, [[user('a', '1')]]);
		const project = dirname(dir);
		const session = createSession(home, clock);
		await session.prepare?.();
		expect((await listSessions(project)).map(found => found.dir)).toEqual([dir]);
		expect((await lastSessions(project, 5)).map(found => found.dir)).toEqual([dir]);
		expect(await sessionDirs(project)).toEqual([dir]);
		expect(await latestSession(project)).toEqual({ok: true, dir});
		await utimes(session.dir, 1000, 1000);
		await removeUnfinished(project);
		expect(await namesIn(session.dir)).toEqual(['history.json.new', 'lock']);
		const dead = JSON.stringify({pid: 1, processStart: 'never', bootId: 'another', host: hostname()});
		await writeFile(lockFile(session.dir), dead);
		await utimes(session.dir, 1000, 1000);
		await removeUnfinished(project);
		expect(existsSync(session.dir)).toBe(false);
	});

	it.each<readonly [string, (session: Session) => Promise<unknown>]>([
		['its folder is removed', async ({dir}) => rm(dirname(dir), {recursive: true})],
		['its file is removed', async ({dir}) => unlink(`${historyFile(dir)}.new`)],
		['its file is changed', async ({dir}) => truncate(`${historyFile(dir)}.new`, 3)],
		['its lock is removed', async ({dir}) => unlink(lockFile(dir))],
	])('gets new files at its first write if %s before', async (_, change) => {
		const home = await tempHome();
		const session = createSession(home, clock);
		await session.prepare?.();
		await change(session);
		await session.log.write(batch);
		await session.close();
		expect(await itemsOnDisk(session)).toEqual(batch);
		expect(await namesIn(session.dir)).toEqual(['history.json']);
	});

	it.each(operations)('fails at its first write like any other session, by %s', async operation => {
		const home = await tempHome();
		const full = faultyFiles((now, path) => {
			if (now === operation && (now !== 'sync' || path.includes('history.json'))) throw systemError('ENOSPC');
		});
		const plain = createSession(home, clock, full);
		const expected = (await failed(plain.log.write(batch))).message;
		const {id, created} = plain;
		const session = createSession({...home, id, created}, clock, full);
		await session.prepare?.();
		expect((await failed(session.log.write(batch))).message).toBe(expected);
		await session.close();
		expect(await readdir(home.root).catch(() => [])).toEqual([]);
	});
});

describe('the first items of a session', () => {
	it.each([true, false])('are all in its history, or none, whenever it is killed (prepared: %s)', async prepared => {
		const home = await tempHome();
		const seen = new Set<boolean>();
		const look = async () => {
			const isNamed = existsSync(historyFile(session.dir));
			seen.add(isNamed);
			if (isNamed) expect(await readSession(session.dir)).toMatchObject({ok: true, session: {items: batch}});
		};
		const session = createSession(home, clock, watched(look));
		if (prepared) await session.prepare?.();
		await session.log.write(batch);
		await session.close();
		expect([...seen]).toEqual([false, true]);
	});

	it('are committed while the session is being prepared', async () => {
		const home = await tempHome();
		const session = createSession(home, clock);
		const preparing = session.prepare?.();
		await session.log.write(batch);
		await preparing;
		await session.close();
		expect(await itemsOnDisk(session)).toEqual(batch);
	});
});

/** The real file operations. They wait for `before` before each sync. */
function withSyncs(before: (path: string) => Promise<void>): Files {
	return {
		...realFiles,
		async open(path, ...rest) {
			const file = await realFiles.open(path, ...rest);
			const [sync, datasync] = [file.sync.bind(file), file.datasync.bind(file)];
			return Object.assign(file, {
				sync: async () => before(path).then(sync),
				datasync: async () => before(path).then(datasync),
			});
		},
	};
}

/** The real file operations. They call `look` after each operation that changes the named files of a session. */
function watched(look: () => Promise<void>): Files {
	return {
		...realFiles,
		async mkdir(...args) {
			return realFiles.mkdir(...args).finally(look);
		},
		async rename(...args) {
			return realFiles.rename(...args).finally(look);
		},
		async open(...args) {
			const file = await realFiles.open(...args);
			await look();
			const [write, sync, datasync] = [file.write.bind(file), file.sync.bind(file), file.datasync.bind(file)];
			return Object.assign(file, {
				write: async (...bytes: Parameters<typeof write>) => write(...bytes).finally(look),
				sync: async () => sync().finally(look),
				datasync: async () => datasync().finally(look),
			});
		},
	};
}
