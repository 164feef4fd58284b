import {chmod, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {blobsDir, holdBytes, mediaReader, readBlob} from '../../../../src/pod/disk/bodies/hashed-files.ts';
import {createSession} from '../../../../src/pod/disk/log/open.ts';
import {realFiles, type Files} from '../../../../src/pod/disk/files.ts';
import {forkSession} from '../../../../src/pod/disk/conversations/fork.ts';
import {historyFile, projectDir} from '../../../../src/pod/disk/paths.ts';
import {readSession} from '../../../../src/pod/disk/log/read.ts';
import {repairSession} from '../../../../src/pod/disk/check/repair.ts';
import {withRescue} from '../../../../src/pod/disk/check/rescue.ts';
import {removeUnfinished} from '../../../../src/pod/disk/list/remove-unfinished.ts';
import {verifyBlobs} from '../../../../src/pod/disk/check/verify-blobs.ts';
import {systemClock, type Item, type Message} from '../../../../src/worker/index.ts';
import {png, sha256Of} from '../../../helpers/images.ts';
import {tempHome, user, type Home} from '../fixture.ts';

const bytes = png(4, 2);
const sha256 = sha256Of(bytes);
const beside = {backupsOf: () => [], copyOutputs: async () => 0};

/** An item whose bytes are held, as a submission makes it. */
function image(id: string, of: Buffer = bytes): Message {
	const size = {width: 4, height: 2, bytes: of.length, sha256: sha256Of(of)};
	const origin = {kind: 'image', path: 'a.png', mime: 'image/png', ...size};
	holdBytes(origin, of);
	return {id, at: '2026-01-01T00:00:00.000Z', type: 'message', role: 'system', text: '[Image: a.png]', origin};
}

async function stored(home: Home, items: readonly Item[] = [user('u', 'Look.'), image('i')]): Promise<string> {
	const session = createSession(home, systemClock());
	await session.log.write(items);
	await session.close();
	return session.dir;
}

async function verdict(dir: string) {
	const read = await readSession(dir);
	if (!read.ok) throw new Error(read.sentence);
	return verifyBlobs(read.session);
}

describe('the bytes of an image', () => {
	it('are private, durable before the item, and released after it', async () => {
		const home = await tempHome();
		const order: string[] = [];
		const files: Files = {
			...realFiles,
			async rename(from, to) {
				order.push(to);
				await realFiles.rename(from, to);
			},
		};
		const session = createSession(home, systemClock(), files);
		await session.log.write([user('u', 'Look.'), image('i')]);
		const path = join(blobsDir(session.dir), sha256);
		expect(order).toEqual([path, historyFile(session.dir)]);
		expect((await stat(path)).mode & 0o777).toBe(0o600);
		expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
		expect(await readFile(path)).toEqual(bytes);
		const other = png(4, 3);
		await session.log.write([image('i2', other)]);
		expect((await readdir(blobsDir(session.dir))).toSorted()).toEqual([sha256, sha256Of(other)].toSorted());
		await session.close();
	});

	it('are not saved without their item: a failed write leaves no item, and the next one saves both', async () => {
		const home = await tempHome();
		let isFull = true;
		const files: Files = {
			...realFiles,
			async open(path, flags, mode) {
				if (isFull && path.includes('/blobs/')) throw Object.assign(new Error('full'), {code: 'ENOSPC'});
				return realFiles.open(path, flags, mode);
			},
		};
		const session = createSession(home, systemClock(), files);
		const items = [user('u', 'Look.'), image('i')];
		await expect(session.log.write(items)).rejects.toMatchObject({reason: 'no_space'});
		expect(await readdir(dirname(session.dir)).catch(() => [])).toEqual([]);
		isFull = false;
		await session.log.write(items);
		isFull = true;
		await expect(session.log.write([image('i2', png(9, 9))])).rejects.toMatchObject({reason: 'no_space'});
		await session.close();
		const read = await readSession(session.dir);
		expect(read.ok && read.session.items.map(({id}) => id)).toEqual(['u', 'i']);
		expect(await verdict(session.dir)).toEqual({ok: true, count: 1, findings: []});
	});

	it.each<[string, (path: string) => Promise<void>]>([
		['other bytes of the same length', async path => writeFile(path, Buffer.alloc(bytes.length))],
		[
			'a link to a right copy',
			async path => {
				await writeFile(`${path}.real`, bytes);
				await rm(path);
				await symlink(`${path}.real`, path);
			},
		],
	])('are saved again when the image is attached again, in place of %s', async (_, damage) => {
		const session = createSession(await tempHome(), systemClock());
		await session.log.write([user('u', 'Look.'), image('i')]);
		await damage(join(blobsDir(session.dir), sha256));
		expect(await readBlob(session.dir, sha256)).toBeUndefined();
		await session.log.write([image('again')]);
		expect(await readBlob(session.dir, sha256)).toEqual(bytes);
		await session.close();
	});

	it('are missing for a request when they were removed, changed, or replaced by a link', async () => {
		const dir = await stored(await tempHome());
		const path = join(blobsDir(dir), sha256);
		const missing: string[] = [];
		const read = async () =>
			mediaReader(
				() => dir,
				hash => missing.push(hash),
			)({kind: 'image', mime: 'image/png', bytes: bytes.length, sha256});
		expect(await read()).toBe(bytes.toString('base64'));
		await writeFile(path, 'changed');
		expect(await read()).toBeUndefined();
		await writeFile(`${path}.real`, bytes);
		await rm(path);
		expect(await read()).toBeUndefined();
		await symlink(`${path}.real`, path);
		expect(await read()).toBeUndefined();
		expect(missing).toEqual([sha256, sha256, sha256]);
		expect(await readBlob(dir, '../../history.json')).toBeUndefined();
		expect(await verdict(dir)).toMatchObject({ok: false, count: 1, findings: [{level: 'failure', path}]});
	});

	it('are in a fork and in a repaired copy, which say when they are not', async () => {
		const dir = await stored(await tempHome());
		const forked = await forkSession(dir, beside, systemClock());
		if (!forked.ok) throw new Error(forked.sentence);
		expect(await verdict(forked.dir)).toEqual({ok: true, count: 1, findings: []});
		expect(forked.warnings).toEqual([]);
		await writeFile(historyFile(dir), (await readFile(historyFile(dir), 'utf8')).replace('Look.', 'Loot.'));
		const repaired = await repairSession(dir, beside, systemClock());
		if (!repaired.ok) throw new Error(repaired.sentence);
		expect(await verdict(repaired.dir)).toEqual({ok: true, count: 1, findings: []});
		await rm(join(blobsDir(dir), sha256));
		const without = await forkSession(dir, beside, systemClock());
		expect(without.ok && without.warnings.at(-1)).toBe(
			'Some images or documents could not be copied. The model gets a note that they are missing.',
		);
	});

	it('stay when only the history vanished, and are a note when the whole folder did', async () => {
		const home = await tempHome();
		const session = withRescue(createSession(home, systemClock()), systemClock());
		await session.log.write([user('u', 'Look.'), image('i')]);
		await rm(historyFile(session.dir));
		await session.log.write([user('v', 'And?')]);
		expect(await verdict(session.dir)).toEqual({ok: true, count: 1, findings: []});
		await rm(session.dir, {recursive: true});
		const second = png(5, 5);
		const notice = {
			...user('n', 'Saved again.'),
			role: 'system' as const,
			origin: {kind: 'notice', about: 'rescued'},
		};
		await session.log.write([notice, image('i2', second)]);
		expect(await readdir(blobsDir(session.dir))).toEqual([sha256Of(second)]);
		expect(await verdict(session.dir)).toMatchObject({ok: true, count: 2, findings: [{level: 'note'}]});
		await session.close();
	});

	it('of a first commit that a crash interrupted are removed by the next start', async () => {
		const home = await tempHome();
		const project = projectDir(home.root, home.cwd);
		const dir = join(project, '01JD8XK3Q2ABCDEFGHJKMNPQRA');
		await mkdir(blobsDir(dir), {recursive: true});
		await writeFile(join(blobsDir(dir), sha256), bytes);
		await writeFile(join(blobsDir(dir), `${sha256}.0a1b2c3d.new`), bytes.subarray(0, 9));
		await chmod(dir, 0o700);
		await utimes(dir, 1000, 1000);
		await removeUnfinished(project);
		expect(await readdir(project)).toEqual([]);
	});
});
