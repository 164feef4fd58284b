import {cp, mkdir, readFile, rename, rm, unlink, writeFile} from 'node:fs/promises';
import {dirname} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createSession} from '../../../../src/pod/disk/log/open.ts';
import type {Files} from '../../../../src/pod/disk/files.ts';
import {openSession} from '../../../../src/pod/disk/log/open.ts';
import {historyFile, lockFile} from '../../../../src/pod/disk/paths.ts';
import {readSession} from '../../../../src/pod/disk/log/read.ts';
import {withRescue} from '../../../../src/pod/disk/check/rescue.ts';
import type {Session} from '../../../../src/pod/disk/log/log.ts';
import {verifySession} from '../../../../src/pod/disk/check/verify.ts';
import {systemClock, type Item} from '../../../../src/worker/index.ts';
import {failed, faultyFiles, namesIn, storedSession, systemError, tempHome, user, type Home} from '../fixture.ts';

const clock = systemClock();
const [one, two, three] = [user('a', '1'), user('b', '2'), user('c', '3')] as const;

/** What happens to the folder of a session while a chat runs. */
const accidents: ReadonlyArray<
	readonly [name: string, place: 'same' | 'other', happen: (dir: string, home: Home) => Promise<unknown>]
> = [
	['the folder is removed', 'same', async dir => rm(dir, {recursive: true})],
	['the folder is renamed', 'same', async dir => rename(dir, `${dir}.old`)],
	['the history is removed', 'same', async dir => unlink(historyFile(dir))],
	['the history is renamed', 'same', async dir => rename(historyFile(dir), `${historyFile(dir)}.old`)],
	['all sessions are removed', 'same', async (_dir, {root}) => rm(root, {recursive: true})],
	['INKPOD_HOME is renamed', 'same', async (_dir, {root}) => rename(dirname(root), `${dirname(root)}.old`)],
	[
		'the folder is replaced by a copy',
		'other',
		async dir => {
			await cp(dir, `${dir}.copy`, {recursive: true});
			await rm(dir, {recursive: true});
			await rename(`${dir}.copy`, dir);
		},
	],
	['the history is changed', 'other', async dir => writeFile(historyFile(dir), 'x', {flag: 'a'})],
	['the lock is removed', 'other', async dir => unlink(lockFile(dir))],
];

/** A session that is stored and open again, or new with its first items. */
const kinds: ReadonlyArray<readonly [kind: string, open: (home: Home) => Promise<Session>]> = [
	[
		'new',
		async home => {
			const session = withRescue(createSession(home, clock), clock);
			await session.log.write([one, two]);
			return session;
		},
	],
	[
		'resumed',
		async home => {
			const {dir} = await storedSession(home, [[one], [two]]);
			const opened = await openSession(dir, clock);
			if (!opened.ok) throw new Error(opened.sentence);
			return withRescue(opened.session, clock);
		},
	],
];

const cases = kinds.flatMap(([kind, open]) =>
	accidents.map(([name, place, happen]) => ({kind, name, place, open, happen})),
);

async function expectStored(session: Session, items: readonly Item[]): Promise<void> {
	const read = await readSession(session.dir);
	if (!read.ok) throw new Error(read.sentence);
	expect(read.session.items).toEqual(items);
	expect(verifySession(read.session)).toMatchObject({ok: true, findings: []});
}

describe('a session whose folder vanishes', () => {
	it.each(cases)('is saved again at the next write ($kind): $name', async ({open, place, happen}) => {
		const home = await tempHome();
		const session = await open(home);
		const {id, dir} = session;
		const sentences: string[] = [];
		session.onRescue?.(async sentence => void sentences.push(sentence));
		await happen(dir, home);
		const bytes = await readFile(historyFile(dir)).catch(() => undefined);
		await session.log.write([three]);
		expect(sentences).toHaveLength(1);
		expect(session.id === id && session.dir === dir).toBe(place === 'same');
		if (place === 'other') expect(await readFile(historyFile(dir))).toEqual(bytes);
		await session.log.write([user('d', '4')]);
		expect(sentences).toHaveLength(1);
		await session.close();
		await expectStored(session, [one, two, three, user('d', '4')]);
		expect(await namesIn(session.dir)).not.toContain('lock');
	});

	it.each(cases.filter(({place}) => place === 'same'))(
		'is saved again when it is closed ($kind): $name',
		async ({open, happen}) => {
			const home = await tempHome();
			const session = await open(home);
			await happen(session.dir, home);
			await session.close();
			await expectStored(session, [one, two]);
			expect(await namesIn(session.dir)).not.toContain('lock');
		},
	);

	it('refuses writes while its place cannot be created, and saves everything as soon as it can', async () => {
		const home = await tempHome();
		const session = await kinds[1]![1](home);
		await rename(home.root, `${home.root}.old`);
		await writeFile(home.root, 'not a folder');
		expect(await failed(session.log.write([three]))).toMatchObject({
			message: expect.stringMatching(/vanished.*could not be saved again.*tries again/s) as unknown,
		});
		expect(await failed(session.log.write([three]))).toBeDefined();
		await unlink(home.root);
		await session.log.write([three]);
		await session.close();
		await expectStored(session, [one, two, three]);
	});

	it('continues in the old folder when that comes back', async () => {
		const home = await tempHome();
		const session = await kinds[1]![1](home);
		const sentences: string[] = [];
		session.onRescue?.(async sentence => void sentences.push(sentence));
		await rename(home.root, `${home.root}.old`);
		await writeFile(home.root, 'not a folder');
		await failed(session.log.write([three]));
		await unlink(home.root);
		await rename(`${home.root}.old`, home.root);
		await session.log.write([three]);
		await session.close();
		expect(sentences).toEqual([]);
		await expectStored(session, [one, two, three]);
	});

	it('rejects the close when it cannot be saved', async () => {
		const home = await tempHome();
		const session = await kinds[1]![1](home);
		await rename(home.root, `${home.root}.old`);
		await writeFile(home.root, 'not a folder');
		expect(await failed(session.close())).toMatchObject({message: expect.stringContaining('vanished') as unknown});
	});

	it('is not created by its end when it never had an item', async () => {
		const home = await tempHome();
		const session = withRescue(createSession(home, clock), clock);
		await session.close();
		await mkdir(home.root, {recursive: true});
		expect(await namesIn(home.root)).toEqual([]);
	});
});

const disks = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EIO'] as const;

describe.each(disks)('a session on a disk that fails with %s for a while', code => {
	it('refuses writes, and the next write works when the disk does', async () => {
		const home = await tempHome();
		let isBroken = false;
		const files: Files = faultyFiles((operation, path) => {
			if (isBroken && operation === 'write' && path.includes('history.json')) throw systemError(code);
		});
		const session = withRescue(createSession(home, clock, files), clock, files);
		await session.log.write([one]);
		isBroken = true;
		await failed(session.log.write([two]));
		isBroken = false;
		await session.log.write([three]);
		await session.close();
		await expectStored(session, [one, three]);
	});
});
