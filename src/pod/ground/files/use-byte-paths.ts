import {t} from '../../../language/index.ts';
import childProcess from 'node:child_process';
import fs from 'node:fs';
import {syncBuiltinESMExports} from 'node:module';
import {decodePath, encodePath} from './byte-path.ts';

/**
Makes Node's file functions support paths whose bytes are not UTF-8. From then on, the functions take and return the
strings of byte-path.ts. Most starts do not need this file, so they do not load it. Returns whether the system supports
this.
*/
export function useBytePaths(): boolean {
	if (isUsed) return true;
	const {readlinkSync} = fs;
	const cwd = () => decodePath(readlinkSync('/proc/self/cwd', 'buffer'));
	try {
		if (cwd().isWellFormed()) return true;
	} catch {
		return false;
	}
	isUsed = true;
	process.cwd = cwd;
	const {realpathSync} = fs;
	// Node's own `realpathSync` works on strings, so the native function replaces it.
	replace(fs, 'realpathSync', () => realpathSync.native);
	for (const [module, suffix] of [
		[fs, 'Sync'],
		[fs, ''],
		[fs.promises, ''],
	] as const) {
		for (const name of pathFunctions) takePaths(module, `${name}${suffix}`, 1);
		for (const name of twoPathFunctions) takePaths(module, `${name}${suffix}`, 2);
	}
	for (const [module, suffix] of [
		[fs, 'Sync'],
		[fs.promises, ''],
	] as const)
		for (const name of namingFunctions) giveNames(module, `${name}${suffix}`);
	for (const name of ['spawn', 'spawnSync', 'execFile', 'execFileSync']) startThere(name, cwd);
	syncBuiltinESMExports();
	return true;
}

export const notUtf8 = t`The path of this folder is not UTF-8, and on this system inkpod cannot work in such a folder.
	Rename the folder.`;

let isUsed = false;

type Call = (...args: unknown[]) => unknown;

function replace(module: object, name: string, make: (before: Call) => unknown): void {
	const before: unknown = Reflect.get(module, name);
	if (typeof before === 'function')
		Reflect.set(
			module,
			name,
			make((...args) => Reflect.apply(before, module, args)),
		);
}

/** Makes a function accept the strings of byte-path.ts as its first `count` arguments. */
function takePaths(module: object, name: string, count: number): void {
	replace(
		module,
		name,
		call =>
			(...args: unknown[]) =>
				call(...args.map((arg, index) => (index < count && typeof arg === 'string' ? encodePath(arg) : arg))),
	);
}

/** Makes a function return names and paths as strings, if its caller wants strings. */
function giveNames(module: object, name: string): void {
	replace(module, name, call => (path: unknown, options?: unknown) => {
		const given = typeof options === 'object' && options !== null ? options : {};
		const wantsBytes = options === 'buffer' || ('encoding' in given && given.encoding === 'buffer');
		if (wantsBytes || 'recursive' in given) return call(path, options);
		const found = call(path, {...given, encoding: 'buffer'});
		return found instanceof Promise ? found.then(named) : named(found);
	});
}

function named(found: unknown): unknown {
	if (Buffer.isBuffer(found)) return decodePath(found);
	if (Array.isArray(found)) return found.map(named);
	if (found instanceof fs.Dirent) {
		const {name}: {name: unknown} = found;
		return Object.assign(found, {name: named(name)});
	}
	return found instanceof fs.Dir ? namedDir(found) : found;
}

function namedDir(dir: fs.Dir): fs.Dir {
	const [read, readSync] = [dir.read.bind(dir), dir.readSync.bind(dir)];
	async function* entries() {
		try {
			for (let entry = await read(); entry !== null; entry = await read()) yield named(entry);
		} finally {
			await dir.close();
		}
	}
	return Object.assign(dir, {
		read: async () => named(await read()),
		readSync: () => named(readSync()),
		[Symbol.asyncIterator]: entries,
	});
}

/**
Makes child processes start in a folder whose path is not UTF-8. The option `cwd` cannot contain such a path, so the
path begins at the folder of this process, `/proc/self/cwd`.
*/
function startThere(name: string, cwd: () => string): void {
	replace(
		childProcess,
		name,
		call =>
			(...args: unknown[]) =>
				call(
					...args.map(arg =>
						typeof arg === 'object' && arg !== null && 'cwd' in arg ? withWay(arg, cwd()) : arg,
					),
				),
	);
}

function withWay<Options extends {cwd?: unknown}>(options: Options, here: string): Options {
	const {cwd} = options;
	if (typeof cwd !== 'string' || cwd.isWellFormed()) return options;
	if (cwd === here) return {...options, cwd: '/proc/self/cwd'};
	return cwd.startsWith(`${here}/`) ? {...options, cwd: `/proc/self/cwd${cwd.slice(here.length)}`} : options;
}

const pathFunctions = [
	'access',
	'appendFile',
	'chmod',
	'chown',
	'exists',
	'lstat',
	'mkdir',
	'mkdtemp',
	'open',
	'opendir',
	'readFile',
	'readdir',
	'readlink',
	'realpath',
	'rm',
	'rmdir',
	'stat',
	'statfs',
	'truncate',
	'unlink',
	'utimes',
	'writeFile',
] as const;
const twoPathFunctions = ['copyFile', 'cp', 'link', 'rename', 'symlink'] as const;
const namingFunctions = ['opendir', 'readdir', 'readlink', 'realpath'] as const;
