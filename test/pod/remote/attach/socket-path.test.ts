import {chmod, chown, lchown, mkdir, readdir, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {connectPod} from '../../../../src/pod/remote/attach/client.ts';
import {probe, probeAll} from '../../../../src/pod/remote/attach/probe.ts';
import {listen} from '../../../../src/pod/remote/attach/server.ts';
import {checkFolder, checkSocket, socketFolder} from '../../../../src/pod/platform/local-door.ts';
import {sessionOfSocket, socketPath} from '../../../../src/pod/remote/attach/socket-path.ts';
import {handPod, served, sessionId, socketDir} from '../../../helpers/socket-pod.ts';

const uid = process.getuid!();

describe('the folder of the sockets', () => {
	it('is in the runtime folder if that exists, is absolute, and belongs to the user', async () => {
		const runtime = await socketDir();
		const elsewhere = {temporary: '/tmp', uid};
		expect(socketFolder({XDG_RUNTIME_DIR: runtime}, elsewhere)).toBe(join(runtime, 'inkpod'));
		for (const XDG_RUNTIME_DIR of [undefined, '', 'relative', join(runtime, 'missing')])
			expect(socketFolder({XDG_RUNTIME_DIR}, elsewhere)).toBe(`/tmp/inkpod-${uid}`);
		expect(socketFolder({XDG_RUNTIME_DIR: runtime}, {...elsewhere, uid: uid + 1})).toBe(`/tmp/inkpod-${uid + 1}`);
	});

	it.each([
		['linux', 107],
		['darwin', 103],
	] as const)(
		'skips a folder whose sockets would have too many bytes: on %s more than %i',
		async (platform, most) => {
			const long = join(await socketDir(), '日'.repeat(30));
			await mkdir(long);
			const inFolder = (temporary: string, env = {}) => socketFolder(env, {temporary, uid, platform});
			expect(inFolder('/tmp', {XDG_RUNTIME_DIR: long})).toBe(`/tmp/inkpod-${uid}`);
			expect(inFolder(long, {XDG_RUNTIME_DIR: long})).toBeUndefined();
			const temporary = `/${'t'.repeat(most - 33 - `/inkpod-${uid}`.length)}`;
			expect(Buffer.byteLength(socketPath(inFolder(temporary)!, '0'.repeat(26)))).toBe(most);
			expect(inFolder(`${temporary}t`)).toBeUndefined();
		},
	);

	it('names each socket by the id of its session', () => {
		const id = '01JDAAAAAAAAAAAAAAAAAAAAAA';
		expect(sessionOfSocket(`${id}.sock`)).toBe(id);
		for (const name of [
			`${id}.new`,
			'01J.sock',
			'...sock',
			'..',
			'.sock',
			`${id.toLowerCase()}.sock`,
			`${id}\n.sock`,
		]) {
			expect(sessionOfSocket(name)).toBeUndefined();
		}
	});

	it('is created with mode 0700, and refused if others could use it', async () => {
		const base = await socketDir();
		const folder = join(base, 'inkpod');
		expect(checkFolder(folder, {make: false})).toMatchObject({ok: false, reason: 'absent'});
		expect(checkFolder(folder, {make: true})).toEqual({ok: true});
		expect(checkFolder(folder, {make: true, uid: uid + 1})).toMatchObject({ok: false, reason: 'foreign'});
		await chmod(folder, 0o701);
		expect(checkFolder(folder, {make: true})).toMatchObject({ok: false, reason: 'open'});
		await symlink(base, join(base, 'link'));
		expect(checkFolder(join(base, 'link'), {make: true})).toMatchObject({ok: false, reason: 'misshapen'});
		await chmod(folder, 0o700);
		await chmod(base, 0o777);
		expect(checkFolder(folder, {make: true})).toMatchObject({ok: false, reason: 'open'});
		await chmod(base, 0o1777);
		expect(checkFolder(folder, {make: true})).toEqual({ok: true});
		await chmod(base, 0o700);
	});

	it.skipIf(uid !== 0)('is refused if it belongs to another user', async () => {
		const folder = await socketDir();
		await chown(folder, 65_534, 65_534);
		expect(checkFolder(folder, {make: true})).toMatchObject({
			ok: false,
			reason: 'foreign',
			sentence: expect.stringContaining('another user'),
		});
		await chown(folder, uid, uid);
	});
});

describe('the parents of the socket folder', () => {
	/** Creates a folder of sockets some levels down. */
	async function deep(): Promise<{readonly base: string; readonly middle: string; readonly folder: string}> {
		const base = await socketDir();
		const middle = join(base, 'a', 'b');
		await mkdir(middle, {recursive: true});
		return {base, middle, folder: join(middle, 'inkpod')};
	}

	it.each<[string, number]>([
		['everybody', 0o777],
		['a group', 0o775],
		['others', 0o757],
	])('may not be writable by %s, however far above', async (_who, mode) => {
		const {base, folder} = await deep();
		const way = join(base, 'a');
		await chmod(way, mode);
		const refused = {
			ok: false,
			reason: 'open',
			sentence:
				`Other users can change ${way} and so replace the socket. ` +
				'Set XDG_RUNTIME_DIR to a folder that only you can change.',
		};
		expect(checkFolder(folder, {make: true})).toEqual(refused);
		expect(await readdir(join(base, 'a', 'b'))).toEqual([]);
		expect(checkSocket(socketPath(folder, sessionId))).toEqual(refused);
		await chmod(way, mode | 0o1000);
		expect(checkFolder(folder, {make: true})).toEqual({ok: true});
	});

	it('are checked even when they lead through a link', async () => {
		const {base, folder} = await deep();
		await symlink(join(base, 'a'), join(base, 'link'));
		const through = join(base, 'link', 'b', 'inkpod');
		expect(checkFolder(through, {make: true})).toEqual({ok: true});
		await chmod(join(base, 'a'), 0o777);
		expect(checkFolder(through, {make: true})).toMatchObject({ok: false, reason: 'open'});
		expect(checkFolder(folder, {make: true})).toMatchObject({ok: false, reason: 'open'});
	});

	it.skipIf(uid !== 0)('may neither belong to another user nor contain a link of one', async () => {
		const {base, middle, folder} = await deep();
		await chown(join(base, 'a'), 65_534, 65_534);
		expect(checkFolder(folder, {make: true})).toMatchObject({
			ok: false,
			reason: 'foreign',
			sentence: expect.stringContaining('another user'),
		});
		await chown(join(base, 'a'), 0, 0);
		await symlink(middle, join(base, 'link'));
		await lchown(join(base, 'link'), 65_534, 65_534);
		expect(checkFolder(join(base, 'link', 'inkpod'), {make: true})).toMatchObject({ok: false, reason: 'foreign'});
	});

	it('are checked by the server and by every client', async () => {
		const {base, folder} = await deep();
		const {path} = await served(handPod().client, {folder});
		expect((await probeAll(folder)).length).toBe(1);
		expect(await probe(path)).toMatchObject({session: sessionId});
		await chmod(join(base, 'a'), 0o777);
		expect(await listen(handPod().client, {folder, session: sessionId, pwd: '/p'})).toMatchObject({
			ok: false,
			sentence: expect.stringContaining('Other users can change'),
		});
		expect(await connectPod(path)).toMatchObject({ok: false, reason: 'untrusted'});
		expect(await probe(path)).toBeUndefined();
		expect(await probeAll(folder)).toEqual([]);
	});
});
