import {
	closeSync,
	constants,
	copyFileSync,
	fchmodSync,
	futimesSync,
	lstatSync,
	lutimesSync,
	mkdirSync,
	openSync,
	readdirSync,
	readlinkSync,
	symlinkSync,
} from 'node:fs';
import {handleOf} from '../../platform/file-identity.ts';
import {bytesOf, statsOf} from './effects.ts';

/**
Copies a file, a link or a folder with everything in it, with its permissions and times. Names may be any bytes, which
`fs.cp` cannot copy. `to` must not exist. Paths have the form of `layerPath`. Another command may be running in the
folder of `to`, so every file is newly created in an open folder, and no link is followed.
*/
export function copyTree(from: string, to: string): void {
	const [source, target] = [bytesOf(from), bytesOf(to)];
	const stats = lstatSync(source);
	if (stats.isSymbolicLink()) {
		symlinkSync(readlinkSync(source, 'buffer'), target);
		lutimesSync(target, stats.atime, stats.mtime);
	} else if (stats.isDirectory()) {
		mkdirSync(target, {mode: 0o700});
		const fd = openFolderOnly(to);
		using _ = closing(fd);
		for (const name of readdirSync(source, 'latin1')) copyTree(`${from}/${name}`, `${handleOf(fd)}/${name}`);
		fchmodSync(fd, stats.mode & 0o1777);
		futimesSync(fd, stats.atime, stats.mtime);
	} else if (stats.isFile()) {
		const fd = openSync(target, 'wx', 0o600);
		using _ = closing(fd);
		copyFileSync(source, handleOf(fd));
		fchmodSync(fd, stats.mode & 0o1777);
		futimesSync(fd, stats.atime, stats.mtime);
	}
}

/**
Throws `EFBIG` if a copy of these files and folders would need much more space than the originals, because a copy does
not keep holes of sparse files.
*/
export function refuseHoles(paths: readonly string[]): void {
	let bytes = 0;
	const open = [...paths];
	for (let path = open.pop(); path !== undefined; path = open.pop()) {
		const stats = statsOf(bytesOf(path));
		if (stats?.isDirectory() === true)
			for (const name of readdirSync(bytesOf(path), 'latin1')) open.push(`${path}/${name}`);
		else if (stats?.isFile() === true) bytes += Math.max(0, stats.size - stats.blocks * 512);
		if (bytes > maxHoles) throw Object.assign(new Error('EFBIG: holes'), {code: 'EFBIG'});
	}
}

/** The maximum number of bytes in holes. It equals the maximum size of a layer in memory. */
const maxHoles = 2 * 1024 ** 3;

/** Opens a folder. Throws if a link has taken its place. */
export function openFolderOnly(path: string): number {
	return openSync(bytesOf(path), constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
}

/** O_PATH on Linux, for which Node has no constant. With it, an entry can be opened without read permission. */
export const pathOnly = 0o10000000;

export function closing(fd: number): Disposable {
	return {[Symbol.dispose]: () => closeSync(fd)};
}
