import {constants} from 'node:fs';
import {open} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import {homeOf, xdgParent, type Env} from '../ground/env/env.ts';
import {entriesOfEnvironment} from './git-config-env.ts';
import {wordsOf} from './git-config-words.ts';
import {readUpTo} from './small-file.ts';
import {decodePath, encodePath} from '../ground/files/byte-path.ts';
import {errorCode} from '../ground/files/fs-error.ts';
import {parseGitConfig, type GitConfigEntry} from './git-config-text.ts';

/** The paths in git configurations and in the files that they include. In these paths `~` is expanded. */
export type GitConfig = {
	/** The folders from which git runs files. */
	readonly folders: readonly string[];
	/**
	The files that git may run or read commands from. Many of these entries are not paths, but a wrong entry does no
	harm.
	*/
	readonly files: readonly string[];
	/** The entries of `files` that are included configurations. Some of them may be missing. */
	readonly includes: readonly string[];
	/** The entries of `files` that are programs with a relative path. Some of them may be missing. */
	readonly programs: readonly string[];
	/** Whether a configuration is too large for inkpod to read. */
	readonly isTooLarge: boolean;
};

/**
Returns the paths of the configurations that apply to every repository of a user, including the system's configuration.
Later configurations take precedence.
*/
export function userConfigPaths(env: Env): readonly string[] {
	const {GIT_CONFIG_SYSTEM: system = '', GIT_CONFIG_GLOBAL: global = ''} = env;
	const first = system === '' ? '/etc/gitconfig' : resolve(system);
	if (global !== '') return [first, resolve(global)];
	return [first, join(userGitFolder(env), 'config'), join(homeOf(env), '.gitconfig')];
}

/** Returns the folder that contains the user's `config` and `ignore`. */
export function userGitFolder(env: Env): string {
	return join(xdgParent(env, 'XDG_CONFIG_HOME', join(homeOf(env), '.config')), 'git');
}

/** Reads configurations, their includes, and the settings in the environment. Ignores unreadable files. */
export async function readGitConfigs(paths: readonly string[], env: Env): Promise<GitConfig> {
	const tooLarge: GitConfig = {folders: [], files: [], includes: [], programs: [], isTooLarge: true};
	const users = await (listedUsers ??= readBeginning('/etc/passwd', maxBytes));
	const found: Found = {
		...{folders: new Set(), files: new Set(), programs: new Set(), queue: [...new Set(paths)]},
		home: homeOf(env),
		expand: written => withHome(written.replace(/^:\(optional\)/, ''), homeOf(env), users),
	};
	// An include path in the environment cannot be relative, because there is no file to which it could be relative.
	for (const entry of entriesOfEnvironment(env)) addEntry(found, entry, '/');
	for (const [index, path] of found.queue.entries()) {
		if (index === maxConfigs) return tooLarge;
		const text = await readBeginning(path, maxBytes + 1);
		if (text.length > maxBytes) return tooLarge;
		for (const entry of parseGitConfig(text).entries) addEntry(found, entry, dirname(path));
	}
	return {
		folders: [...found.folders],
		files: [...found.files].slice(0, maxFiles),
		includes: found.queue.slice(new Set(paths).size),
		programs: [...found.programs].slice(0, maxFiles),
		isTooLarge: found.files.size > maxFiles,
	};
}

type Found = {
	readonly folders: Set<string>;
	readonly files: Set<string>;
	readonly programs: Set<string>;
	/** The configurations, in the order in which they are read. */
	readonly queue: string[];
	readonly home: string;
	readonly expand: (written: string) => string;
};

function addEntry({folders, files, programs, queue, home, expand}: Found, {key, value}: GitConfigEntry, from: string) {
	if (folderKeys.test(key)) folders.add(expand(value));
	else if (includeKeys.test(key)) {
		const included = resolve(from, expand(value));
		files.add(included);
		if (!queue.includes(included)) queue.push(included);
	} else {
		for (const word of wordsOf(value, home)) files.add(expand(word));
		const program = /^!?\s*([^\s'"`;&|<>()=$]*\/[^\s'"`;&|<>()=$]+)/.exec(value)?.[1];
		if (program !== undefined && programKeys.test(key)) programs.add(expand(program));
	}
}

/** The system's list of users. It is read only once, because many configurations may be read. */
let listedUsers: Promise<string> | undefined;

/** Expands `~` and `~name` in the same way as git and a shell. */
function withHome(written: string, home: string, users: string): string {
	const [, name, rest = ''] = /^~([^/]*)(?:\/(.*))?$/s.exec(written) ?? [];
	if (name === undefined) return written;
	if (name === '') return join(home, rest);
	const fields = users.split('\n').map(line => line.split(':'));
	const folder = fields.find(([user]) => user === name)?.[5];
	return folder === undefined ? written : join(folder, rest);
}

/** Reads the beginning of a small file. The result is empty if the path is not a readable regular file. */
export async function readBeginning(file: string, limit: number): Promise<string> {
	try {
		await using handle = await open(encodePath(file), constants.O_RDONLY | constants.O_NONBLOCK);
		return (await handle.stat()).isFile() ? decodePath(await readUpTo(limit, handle)) : '';
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
		return '';
	}
}

const maxBytes = 256 * 1024;
/** The maximum number of configurations, including their includes. */
const maxConfigs = 32;
const maxFiles = 2000;

const folderKeys = /^(?:core\.hookspath|init\.templatedir)$/;
const programKeys = new RegExp(
	String.raw`^(?:alias|pager)\.|\.(?:fsmonitor|editor|pager|sshcommand|askpass|external|command|` +
		String.raw`textconv|clean|smudge|process|driver|program|helper|cmd)$`,
);
const includeKeys = /^include(?:if\b.*)?\.path$/;
