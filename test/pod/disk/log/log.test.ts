import {readdir, readFile, rename, unlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createSession} from '../../../../src/pod/disk/log/open.ts';
import {openSession} from '../../../../src/pod/disk/log/open.ts';
import {historyFile} from '../../../../src/pod/disk/paths.ts';
import {HistoryError, systemClock} from '../../../../src/worker/index.ts';
import {failed, opened, faultyFiles, itemsOnDisk, systemError, tempHome, user} from '../fixture.ts';

const clock = systemClock();

describe('a failed append', () => {
	const codes = [
		['ENOSPC', 'no_space'],
		['EDQUOT', 'no_space'],
		['EACCES', 'denied'],
		['EPERM', 'denied'],
		['EROFS', 'read_only'],
		['ESTALE', 'gone'],
		['EIO', 'io'],
	] as const;

	it.each(codes)(
		'fails for %s with the reason %s, restores the file, and the next append works',
		async (code, reason) => {
			const home = await tempHome();
			let failing = false;
			const session = createSession(
				home,
				clock,
				faultyFiles((operation, path, size) => {
					if (failing && operation === 'write' && path.includes('history.json') && size > 4)
						throw systemError(code);
				}),
			);
			await session.log.write([user('a', '1')]);
			const before = await readFile(historyFile(session.dir));
			failing = true;
			const error = await failed(session.log.write([user('b', '2')]));
			expect(error).toMatchObject({name: 'HistoryError', reason});
			expect((await readFile(historyFile(session.dir))).equals(before)).toBe(true);
			failing = false;
			await session.log.write([user('c', '3')]);
			await session.close();
			expect(await itemsOnDisk(session)).toEqual([user('a', '1'), user('c', '3')]);
		},
	);

	it('restores the file after any number of bytes', async () => {
		const home = await tempHome();
		let taken: number | undefined;
		const session = createSession(
			home,
			clock,
			faultyFiles((operation, path, size) =>
				operation === 'write' && path.includes('history.json') && size > 4 ? taken : undefined,
			),
		);
		await session.log.write([user('a', '1')]);
		const before = await readFile(historyFile(session.dir));
		for (taken = 0; taken < 40; taken += 1) {
			expect(await failed(session.log.write([user('b', 'lost')]))).toMatchObject({reason: 'io'});
			expect((await readFile(historyFile(session.dir))).equals(before)).toBe(true);
		}
		await session.close();
	});

	it('restores the file when it cannot be made durable', async () => {
		const home = await tempHome();
		let failing = false;
		const session = createSession(
			home,
			clock,
			faultyFiles(operation => {
				if (!failing || operation !== 'datasync') return;
				failing = false;
				throw systemError('EIO');
			}),
		);
		await session.log.write([user('a', '1')]);
		failing = true;
		const before = await readFile(historyFile(session.dir));
		expect(await failed(session.log.write([user('b', '2')]))).toMatchObject({reason: 'io'});
		expect((await readFile(historyFile(session.dir))).equals(before)).toBe(true);
		await session.close();
	});

	it('makes later appends fail alike while it cannot be undone, and the next start repairs the end', async () => {
		const home = await tempHome();
		let failing = false;
		const session = createSession(
			home,
			clock,
			faultyFiles((operation, path, size) => {
				if (!failing || !path.includes('history.json')) return undefined;
				if (operation === 'write') return Math.min(size, 10);
				if (operation === 'truncate') throw systemError('EIO');
				return undefined;
			}),
		);
		await session.log.write([user('a', '1')]);
		failing = true;
		const first = await failed(session.log.write([user('b', '2')]));
		expect(await failed(session.log.write([user('c', '3')]))).toBe(first);
		await session.close();
		const again = opened(await openSession(session.dir, clock));
		expect(again.items.map(item => (item.type === 'message' ? item.origin?.kind : item.type))).toEqual([
			'submit',
			'notice',
		]);
		await again.close();
	});

	it.each(['mkdir', 'open', 'write', 'sync', 'rename', 'datasync'] as const)(
		'leaves nothing at the first commit by %s, and the next commit creates the session',
		async operation => {
			const home = await tempHome();
			let failing = true;
			const session = createSession(
				home,
				clock,
				faultyFiles((now, path) => {
					if (failing && now === operation && (now !== 'sync' || path.includes('history.json')))
						throw systemError('ENOSPC');
				}),
			);
			expect(await failed(session.log.write([user('a', '1')]))).toMatchObject({reason: 'no_space'});
			expect(await readdir(home.root).catch(() => [])).toEqual([]);
			failing = false;
			await session.log.write([user('b', '2')]);
			await session.close();
			expect(await itemsOnDisk(session)).toEqual([user('b', '2')]);
		},
	);

	it('has a reason when no folder can be created', async () => {
		const session = createSession({root: '/proc/inkpod/sessions', cwd: '/p'}, clock);
		expect(await failed(session.log.write([user('a', '1')]))).toBeInstanceOf(HistoryError);
	});

	it.each([
		['removed', async (path: string) => unlink(path)],
		['moved', async (path: string) => rename(path, `${path}.old`)],
		[
			'replaced',
			async (path: string) =>
				writeFile(`${path}.2`, await readFile(path)).then(async () => rename(`${path}.2`, path)),
		],
		['cut', async (path: string) => writeFile(path, '')],
		['in a folder that was moved', async (path: string) => rename(dirname(path), `${dirname(path)}-old`)],
	])('has the reason gone and writes nothing because the file was %s', async (_, harm) => {
		const home = await tempHome();
		const session = createSession(home, clock);
		await session.log.write([user('a', '1')]);
		const path = historyFile(session.dir);
		await harm(path);
		const left = await readFile(path).catch(() => undefined);
		expect(await failed(session.log.write([user('b', '2')]))).toMatchObject({reason: 'gone'});
		expect(await readFile(path).catch(() => undefined)).toEqual(left);
		await session.close();
	});

	it('has the reason gone and writes nothing when the lock was removed', async () => {
		const home = await tempHome();
		const session = createSession(home, clock);
		await session.log.write([user('a', '1')]);
		await unlink(join(session.dir, 'lock'));
		const other = opened(await openSession(session.dir, clock));
		expect(await failed(session.log.write([user('b', '2')]))).toMatchObject({reason: 'gone'});
		await session.close();
		await other.log.write([user('c', '3')]);
		await other.close();
		expect(await itemsOnDisk(session)).toEqual([user('a', '1'), user('c', '3')]);
	});
});
