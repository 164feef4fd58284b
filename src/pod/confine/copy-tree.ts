import {
	chmodSync,
	copyFileSync,
	lstatSync,
	lutimesSync,
	mkdirSync,
	readdirSync,
	readlinkSync,
	symlinkSync,
} from 'node:fs';
import {bytesOf} from './effects.ts';

/**
Copies a file, a link or a folder with everything in it, with its permissions and times. Names may be any bytes, which
`fs.cp` cannot copy. `to` does not exist. Paths are in the notation of a layer.
*/
export function copyTree(from: string, to: string): void {
	const [source, target] = [bytesOf(from), bytesOf(to)];
	const stats = lstatSync(source);
	if (stats.isSymbolicLink()) symlinkSync(readlinkSync(source, 'buffer'), target);
	else if (stats.isDirectory()) {
		mkdirSync(target, {mode: 0o700});
		for (const name of readdirSync(source, 'latin1')) copyTree(`${from}/${name}`, `${to}/${name}`);
		chmodSync(target, stats.mode & 0o1777);
	} else if (stats.isFile()) {
		copyFileSync(source, target);
		chmodSync(target, stats.mode & 0o1777);
	} else return;
	lutimesSync(target, stats.atime, stats.mtime);
}
