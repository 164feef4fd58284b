import {dirname} from 'node:path';
import type {Walls} from './bwrap-arguments.ts';

/**
Returns the profile of macOS's sandbox-exec with the same walls as bubblewrap's table. A later rule covers an earlier
one. The format is that of sandbox(7); Apple documents only its use. Caches and generated files do not exist there.
*/
export function sandboxProfile(walls: Walls): string {
	const {pwd, isWritable, own, shown, writable, readOnly, held, covered, network} = walls;
	const written = [...writable, ...(isWritable ? [pwd] : [])];
	const readable = [...shown.map(({source}) => source), ...written, pwd];
	const homes = own.filter(path => !temporary.some(folder => folder === path));
	const rows: ReadonlyArray<readonly [rule: string, filters: readonly string[]]> = [
		['deny file-write*', [subpath('/')]],
		// Folders of users and of servers are not there, but the way to what is shown in them is.
		['deny file-read* file-write*', [...userFolders, ...homes].map(subpath)],
		['allow file-read-metadata', [...new Set(readable.flatMap(above))].map(literal)],
		['allow file-read*', readable.map(subpath)],
		['allow file-write*', [...written, ...temporary].map(subpath)],
		['allow file-read* file-write*', [...devices.map(literal), ...deviceFolders.map(subpath)]],
		['deny file-write*', readOnly.map(place)],
		['deny file-write-unlink', held.map(({path}) => literal(path))],
		['deny file-read* file-write*', covered.map(place)],
		['deny network-outbound', ['(remote unix-socket)']],
		// Names of hosts are looked up through this socket.
		...(network === 'open'
			? ([['allow network-outbound', [literal('/private/var/run/mDNSResponder')]]] as const)
			: []),
		...(network === 'none' ? ([['deny network*', []]] as const) : []),
		['deny process-info*', ['(target others)']],
		['allow process-info*', ['(target same-sandbox)']],
		['deny signal', ['(target others)']],
		['allow signal', ['(target same-sandbox)', '(target children)']],
	];
	const lines = rows
		.filter(([rule, filters]) => filters.length > 0 || rule === 'deny network*')
		.map(([rule, filters]) => `(${[rule, ...filters].join(' ')})`);
	return ['(version 1)', '(allow default)', ...lines].join('\n');
}

const userFolders = ['/Users', '/Volumes', '/private/var/folders', '/private/tmp', '/private/var/root', '/Network'];
/** TMPDIR is this folder. inkpod's own folders in it are covered. */
const temporary = ['/private/tmp'];
const devices = ['null', 'zero', 'random', 'urandom', 'tty', 'ptmx', 'dtracehelper'].map(name => `/dev/${name}`);
const deviceFolders = ['/dev/fd'];

const literal = (path: string) => `(literal ${quoted(path)})`;
const subpath = (path: string) => `(subpath ${quoted(path)})`;
const place = ({path, isFolder}: {readonly path: string; readonly isFolder: boolean}) =>
	isFolder ? subpath(path) : literal(path);

/** Returns the folders above a path. */
function above(path: string): readonly string[] {
	const folder = dirname(path);
	return folder === path ? [] : [...above(folder), folder];
}

/** Returns a path as a string of the profile. A line break would end it. */
function quoted(path: string): string {
	const escaped = path.replaceAll(/["\\]/g, String.raw`\$&`);
	const octal = (letter: string) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`;
	return `"${escaped.replaceAll(/[\u0000-\u001F\u007F]/g, octal)}"`;
}
