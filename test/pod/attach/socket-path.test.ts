import {chmod, chown, mkdir, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {checkFolder, sessionOfSocket, socketFolder, socketPath} from '../../../src/pod/attach/socket-path.ts';
import {socketDir} from '../../helpers/socket-pod.ts';

const uid = process.getuid!();

test('the folder is in the runtime folder, where that is there, absolute, and the person\'s', async () => {
	const runtime = await socketDir();
	const elsewhere = {temporary: '/tmp', uid};
	expect(socketFolder({XDG_RUNTIME_DIR: runtime}, elsewhere)).toBe(join(runtime, 'inkpod'));
	for (const XDG_RUNTIME_DIR of [undefined, '', 'relative', join(runtime, 'missing')]) expect(socketFolder({XDG_RUNTIME_DIR}, elsewhere)).toBe(`/tmp/inkpod-${uid}`);
	expect(socketFolder({XDG_RUNTIME_DIR: runtime}, {...elsewhere, uid: uid + 1})).toBe(`/tmp/inkpod-${uid + 1}`);
});

test('a path is at most 107 bytes: a longer folder is passed over, and where both are too long there is none', async () => {
	const long = join(await socketDir(), '日'.repeat(30));
	await mkdir(long);
	expect(socketFolder({XDG_RUNTIME_DIR: long}, {temporary: '/tmp', uid})).toBe(`/tmp/inkpod-${uid}`);
	expect(socketFolder({XDG_RUNTIME_DIR: long}, {temporary: long, uid})).toBeUndefined();
	const temporary = `/${'t'.repeat(107 - 33 - `/inkpod-${uid}`.length)}`;
	expect(Buffer.byteLength(socketPath(socketFolder({}, {temporary, uid})!, '0'.repeat(26)))).toBe(107);
	expect(socketFolder({}, {temporary: `${temporary}t`, uid})).toBeUndefined();
});

test('the name of a socket tells its session', () => {
	const id = '01JDAAAAAAAAAAAAAAAAAAAAAA';
	expect(sessionOfSocket(`${id}.sock`)).toBe(id);
	for (const name of [`${id}.new`, '01J.sock', '...sock', '..', '.sock', `${id.toLowerCase()}.sock`, `${id}\n.sock`]) {
		expect(sessionOfSocket(name)).toBeUndefined();
	}
});

test('a folder that is missing is made 0700; one that others could use is refused', async () => {
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

test.skipIf(uid !== 0)('a folder of another user is refused', async () => {
	const folder = await socketDir();
	await chown(folder, 65_534, 65_534);
	expect(checkFolder(folder, {make: true})).toMatchObject({ok: false, reason: 'foreign', sentence: expect.stringContaining('another user')});
	await chown(folder, uid, uid);
});
