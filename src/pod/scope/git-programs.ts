import {readdirSync, type Dirent} from 'node:fs';
import {lstat, type FileHandle} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import type {Env} from '../ground/env/env.ts';
import {decodePath, encodePath} from '../ground/files/byte-path.ts';
import {errorCode} from '../ground/files/fs-error.ts';
import {readBeginning, readGitConfigs, userConfigPaths} from './git-config.ts';
import {resolveLinks} from './locate.ts';
import {contains} from '../ground/files/contains.ts';
import {originalPaths} from './secret-names.ts';

/**
Tells whether git runs a file or reads commands from it. Such a file is in a git directory (with any name) or in
`core.hooksPath`, or is an included configuration or a configured program. `real` is a real path, and the file does not
have to exist yet. Only repositories in folders above the file are checked. A limited part of each configuration is
read.
*/
export async function isRunByGit(real: string, env: Env): Promise<boolean> {
	const found = await Promise.all(foldersAbove(real).map(async folder => isRunFrom(folder, real, env)));
	return found.includes(true);
}

function foldersAbove(path: string): readonly string[] {
	const parent = dirname(path);
	return parent === path ? [] : [parent, ...foldersAbove(parent)];
}

/** Tells whether a folder is a git directory, or a working tree whose repository runs the file. */
async function isRunFrom(folder: string, real: string, env: Env): Promise<boolean> {
	if (await isGitDir(folder)) return true;
	const gitDir = await gitDirOf(folder);
	// The user's configuration is checked for each working tree, and once (for the root folder) also for a file outside
	// of all working trees.
	if (gitDir === undefined)
		return dirname(folder) === folder && isNamedByConfig(real, folder, {paths: userConfigPaths(env), env});
	const common = await commonDirOf(gitDir);
	for (const dir of [gitDir, common]) if (contains(await resolveLinks(dir), real)) return true;
	const own = [join(common, 'config'), join(gitDir, 'config.worktree')];
	return isNamedByConfig(real, folder, {paths: [...own, ...userConfigPaths(env)], env});
}

type Configs = {readonly paths: readonly string[]; readonly env: Env};

/** Tells whether configurations name the file. Relative paths in configurations start from the working tree. */
async function isNamedByConfig(path: string, tree: string, {paths, env}: Configs): Promise<boolean> {
	const {folders, files, isTooLarge} = await readGitConfigs(paths, env);
	if (isTooLarge) return true;
	const resolveAll = async (written: readonly string[]) =>
		Promise.all(written.map(async path => resolveLinks(resolve(tree, path))));
	const runsFrom = (folder: string) => (contains(folder, tree) ? dirname(path) === folder : contains(folder, path));
	const real = await resolveAll(folders);
	if (real.some(folder => runsFrom(folder))) return true;
	const links = real.filter(folder => !contains(folder, tree)).flatMap(linksBelow);
	if ((await resolveAll(links)).some(target => contains(target, path))) return true;
	return (await resolveAll(files)).includes(path);
}

/** Returns the links in and below a folder from which git runs files. */
export function linksBelow(folder: string): readonly string[] {
	const links: string[] = [];
	const folders = [folder];
	let left = maxEntries;
	for (let one = folders.pop(); one !== undefined && left > 0; one = folders.pop()) {
		for (const entry of entriesOf(one)) {
			left--;
			const path = join(one, decodePath(entry.name));
			if (entry.isSymbolicLink()) links.push(path);
			else if (entry.isDirectory()) folders.push(path);
		}
	}
	return links;
}

/** The maximum number of entries. This is enough, because folders of hooks are small. */
const maxEntries = 5000;

function entriesOf(folder: string): ReadonlyArray<Dirent<Buffer>> {
	try {
		return readdirSync(encodePath(folder), {withFileTypes: true, encoding: 'buffer'});
	} catch {
		return [];
	}
}

/** Applies git's own test: a git directory has `HEAD`, and either objects and references or a `commondir` file. */
export async function isGitDir(folder: string): Promise<boolean> {
	if ((await kindOf(join(folder, 'HEAD'))) === undefined) return false;
	const [objects, refs, common] = await Promise.all(
		['objects', 'refs', 'commondir'].map(async name => kindOf(join(folder, name))),
	);
	return common !== undefined || (objects !== undefined && refs !== undefined);
}

/** Returns the git directory of a working tree and, if it is different, the common git directory of all worktrees. */
export async function gitDirectories(tree: string): Promise<readonly string[]> {
	const gitDir = await gitDirOf(tree);
	return gitDir === undefined ? [] : [...new Set([gitDir, await commonDirOf(gitDir)])];
}

/** Returns the git directory of a working tree: `.git`, or the target of a `.git` file (gitrepository-layout(5)). */
export async function gitDirOf(tree: string): Promise<string | undefined> {
	const path = join(tree, '.git');
	const kind = await kindOf(path);
	if (kind !== 'file') return kind === undefined ? undefined : path;
	const written = /^gitdir: (.+)/.exec(await readBeginning(path, maxPathFile))?.[1];
	return written === undefined ? undefined : resolve(tree, written.trimEnd());
}

/** Returns the common git directory, which contains the configuration and the hooks of all worktrees. */
export async function commonDirOf(gitDir: string): Promise<string> {
	const written = (await readBeginning(join(gitDir, 'commondir'), maxPathFile)).trim();
	return resolve(gitDir, written);
}

/**
Tells whether a path names a git file that may contain credentials. Only its contents show whether it really does.
*/
export function mayContainCredentials(path: string): boolean {
	return originalPaths(path).some(original => configPaths.test(original));
}

/**
Tells whether an open git file contains credentials. For a file above the size limit, the result is true. Throws system
errors.
*/
export async function fileContainsCredentials(handle: FileHandle): Promise<boolean> {
	const bytes = Buffer.alloc(maxBytes + 1);
	let length = 0;
	while (length < bytes.length) {
		const {bytesRead} = await handle.read(bytes, length, bytes.length - length, length);
		if (bytesRead === 0) break;
		length += bytesRead;
	}
	return length > maxBytes || textContainsCredentials(bytes.toString('latin1', 0, length));
}

/** Tells whether a git configuration contains a password in a URL, an authorization header, or a password entry. */
export function textContainsCredentials(text: string): boolean {
	const plain = text
		.replaceAll('\0', '')
		.replaceAll(/\\\r?\n/g, '')
		.replaceAll(/["\\]/g, '');
	return credentialPatterns.some(pattern => pattern.test(plain));
}

/** The maximum length of a file that contains only a path. */
const maxPathFile = 8192;

/** Returns the kind of an entry. Returns `undefined` if there is no entry. */
async function kindOf(path: string): Promise<'file' | 'other' | undefined> {
	try {
		return (await lstat(encodePath(path))).isFile() ? 'file' : 'other';
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return undefined;
	}
}

/**
Matches the paths of configurations of repositories, modules, worktrees, users and systems, and of logs that contain
URLs. The folder of a bare repository can have any name.
*/
const configPaths = new RegExp(
	[
		/(?:^|\/)config(?:\.worktree)?(?:\.lock)?$/,
		/(?:^|\/)\.git\/(?:remotes|branches)\/[^/]+$/,
		/(?:^|\/)(?:fetch_head|logs\/(?:head|refs\/.+))$/,
		/(?:^|\/)\.gitconfig(?:[._-][^/]*)?$/,
		/(?:^|\/)git\/config(?:[_-][^/.]*)?$/,
		/(?:^|\/)\.gitmodules$/,
		/^(?:\/private)?\/etc\/gitconfig$/,
	]
		.map(({source}) => source)
		.join('|'),
);

const maxBytes = 512 * 1024;

const credentialPatterns: readonly RegExp[] = [
	// https://user:password@host, but not with an empty password
	/:\/\/[^\s/@:]*:[^\s/@]+@/,
	// https://token@host with a known prefix, or with a token that is longer than a user name
	/https?:\/\/(?:gh[pousr]_|github_pat_|glpat-|gldt-|atbb)[^\s/@:]*:?@/i,
	/https?:\/\/[\w-]{24,}:?@/,
	// A setting may be on the line of its section. Any header except a harmless one can contain a login.
	/(?:^|\])\s*extraheader\s*=\s*(?!accept|cache-control|content-|git-protocol|user-agent)[^\s:]+\s*:\s*\S/im,
	/(?:^|\])\s*(?:[\w-]*(?:password|passwd|token|secret|api-?key)|(?:smtp)?pass|pat)\s*=\s*\S/im,
	/\b(?:gh[pousr]_|github_pat_|glpat-)\w{20}/,
	// The output of an inline credential helper, and the query of an address
	/(?:password|passwd|token|secret|api[-_]?key|[?&](?:key|sig))=[^\s&$]/i,
	// A header or a login of a program in an alias or a hook
	/authorization\s*:\s*(?:bearer|basic|token)\s+[^\s$]/i,
	/\bcurl\b.*\s(?:-u|--user)[\s=]*[^\s:$]+:[^\s$]/,
];
