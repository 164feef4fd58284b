import {chmodSync, lstatSync, renameSync, unlinkSync} from 'node:fs';
import type {Server} from 'node:net';
import {errorCode} from '../../ground/files/fs-error.ts';
import {listenTexts} from './texts.ts';

/** `inode` identifies the socket, so that `removeOwn` never removes that of another process. */
type Bound = {readonly ok: true; readonly inode: number} | {readonly ok: false; readonly sentence: string};

/**
Creates the socket under another name and then renames it. So the socket has its mode from the start, and replaces a
dead one atomically.
*/
export async function bindSocket(server: Server, path: string): Promise<Bound> {
	const unnamed = path.replace(/\.sock$/, '.new');
	try {
		removeIfThere(unnamed);
		await new Promise<void>((resolve, reject) => {
			server.once('error', reject);
			server.listen(unnamed, resolve);
		});
		server.unref();
		server.on('error', () => {});
		chmodSync(unnamed, 0o600);
		renameSync(unnamed, path);
		return {ok: true, inode: lstatSync(path).ino};
	} catch (error) {
		server.close();
		const code = errorCode(error);
		if (code === '') throw error;
		return {ok: false, sentence: listenTexts.io(path, code)};
	}
}

/** Removes the socket, unless another process has replaced it. */
export function removeOwn(path: string, inode: number): void {
	try {
		if (lstatSync(path).ino === inode) unlinkSync(path);
	} catch (error) {
		if (errorCode(error) === '') throw error;
	}
}

function removeIfThere(path: string): void {
	try {
		unlinkSync(path);
	} catch (error) {
		if (errorCode(error) !== 'ENOENT') throw error;
	}
}
