import type {Walls} from './bwrap-arguments.ts';

/**
Returns the profile of macOS's sandbox-exec with the same walls as bubblewrap's table. A later rule covers an earlier
one. The format is that of sandbox(7); Apple documents only its use.
*/
export function sandboxProfile({pwd, isWritable, writable, readOnly, held, hidden, sockets, network}: Walls): string {
	const places = (list: ReadonlyArray<{readonly path: string; readonly isFolder: boolean}>) =>
		list.map(({path, isFolder}) => `(${isFolder ? 'subpath' : 'literal'} ${quoted(path)})`).join(' ');
	const rows = [
		'(version 1)',
		'(allow default)',
		'(deny file-write*)',
		`(allow file-write* (subpath "/private/tmp") (subpath "/private/var/folders") (literal "/dev/null"))`,
		isWritable ? `(allow file-write* (subpath ${quoted(pwd)}))` : '',
		writable.length > 0 ? `(allow file-write* ${places(writable)})` : '',
		readOnly.length > 0 ? `(deny file-write* ${places(readOnly)})` : '',
		held.length > 0
			? `(deny file-write-unlink ${held.map(({path}) => `(literal ${quoted(path)})`).join(' ')})`
			: '',
		hidden.length > 0 ? `(deny file-read* file-write* ${places(hidden)})` : '',
		sockets.length > 0 ? `(deny network-outbound (remote unix-socket ${places(sockets)}))` : '',
		network === 'none' ? '(deny network*)' : '',
		'(deny process-info* (target others))',
		'(deny signal (target others))',
	];
	return rows.filter(row => row !== '').join('\n');
}

/** Returns a path as a string of the profile. */
function quoted(path: string): string {
	return `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
