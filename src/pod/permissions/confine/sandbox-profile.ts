import {dirname} from 'node:path';
import type {Walls} from './bwrap-arguments.ts';

/**
Returns the profile of macOS's sandbox-exec with the same walls as bubblewrap's table. A later rule overrides an earlier
rule. The format is that of sandbox(7). Apple documents only the use of profiles, not their format. Caches and generated
files are not supported on macOS.
*/
export function sandboxProfile(walls: Walls): string {
	const {pwd, isWritable, own, shown, writable, readOnly, held, covered, network} = walls;
	const written = [...writable, ...(isWritable ? [pwd] : [])];
	const readable = [...shown.map(({source}) => source), ...written, pwd];
	const homes = own.filter(path => !temporary.some(folder => folder === path));
	const rows: ReadonlyArray<readonly [rule: string, filters: readonly string[]]> = [
		['deny file-write*', [subpath('/')]],
		// A command cannot see the folders of users and servers, except the names of the folders above a visible
		// folder.
		['deny file-read* file-write*', [...userFolders, ...homes].map(subpath)],
		['allow file-read-metadata', [...new Set(readable.flatMap(above))].map(literal)],
		['allow file-read*', readable.map(subpath)],
		['allow file-write*', [...written, ...temporary].map(subpath)],
		['allow file-read* file-write*', [...devices.map(literal), ...deviceFolders.map(subpath)]],
		['deny file-write*', readOnly.map(place)],
		['deny file-write-unlink', held.map(({path}) => literal(path))],
		['deny file-read* file-write*', covered.map(place)],
		['deny network-outbound', ['(remote unix-socket)']],
		// macOS looks up host names through this socket.
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
/** TMPDIR is this folder. A command cannot see inkpod's own folders in it. */
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

/**
Returns a path as a quoted string of the profile. Control characters are written as octal numbers, because a line break
would end the string.
*/
function quoted(path: string): string {
	const escaped = path.replaceAll(/["\\]/g, String.raw`\$&`);
	const octal = (letter: string) => `\\${letter.charCodeAt(0).toString(8).padStart(3, '0')}`;
	return `"${escaped.replaceAll(/[\u0000-\u001F\u007F]/g, octal)}"`;
}
