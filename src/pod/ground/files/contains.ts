import {isAbsolute, relative, sep} from 'node:path';

/**
Tells whether `realPath` is `root` or below it, segment by segment: `/proj` does not contain `/proj-x`. Both arguments
are real paths.
*/
export function contains(root: string, realPath: string): boolean {
	// The confinement of a command calls this thousands of times, and `relative` is slow.
	if (isPlain(root) && isPlain(realPath))
		return realPath.startsWith(root) && (realPath.length === root.length || realPath[root.length] === sep);
	const way = relative(root, realPath);
	return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function isPlain(path: string): boolean {
	return path.startsWith(sep) && !unusual.test(path);
}

/** Matches empty names, `.` and `..`, and a separator at the end of a path. */
const unusual = /\/(?:\.{0,2}(?:\/|$))/;
