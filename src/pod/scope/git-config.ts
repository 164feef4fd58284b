import {constants} from 'node:fs';
import {open} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import {homeOf, xdgParent, type Env} from '../ground/env/env.ts';
import {readUpTo} from './small-file.ts';
import {decodePath, encodePath} from '../ground/files/byte-path.ts';
import {errorCode} from '../ground/files/fs-error.ts';
import {parseGitConfig} from './git-config-text.ts';

/** The paths in git configurations and in the files that they include. In these paths `~` is expanded. */
export type GitConfig = {
	/** The folders from which git runs files. */
	readonly folders: readonly string[];
	/**
	The files that git may run or take commands from. Most of these entries are not paths, but a wrong entry does no
	harm.
	*/
	readonly files: readonly string[];
	/** The included configurations among the files. Some may not exist. */
	readonly includes: readonly string[];
	/** The programs among the files that settings start by a relative path. Some may not exist. */
	readonly programs: readonly string[];
	/** Whether a configuration is too large for inkpod to read. */
	readonly isTooLarge: boolean;
};

/**
Returns the configurations that apply to every repository of a user, including that of the system. Later ones take
precedence.
*/
export function userConfigPaths(env: Env): readonly string[] {
	const global = env['GIT_CONFIG_GLOBAL'];
	if (global !== undefined && global !== '') return ['/etc/gitconfig', resolve(global)];
	return ['/etc/gitconfig', join(userGitFolder(env), 'config'), join(homeOf(env), '.gitconfig')];
}

/** Returns the folder with the user's `config` and `ignore`. */
export function userGitFolder(env: Env): string {
	return join(xdgParent(env, 'XDG_CONFIG_HOME', join(homeOf(env), '.config')), 'git');
}

/** Reads configurations and their includes. It ignores an unreadable file. */
export async function readGitConfigs(paths: readonly string[], env: Env): Promise<GitConfig> {
	const found = {folders: new Set<string>(), files: new Set<string>(), programs: new Set<string>()};
	const tooLarge: GitConfig = {folders: [], files: [], includes: [], programs: [], isTooLarge: true};
	const queue = [...new Set(paths)];
	for (const [index, path] of queue.entries()) {
		if (index === maxConfigs) return tooLarge;
		const text = await readBeginning(path, maxBytes + 1);
		if (text.length > maxBytes) return tooLarge;
		for (const entry of parseGitConfig(text).entries) {
			const expandHome = (written: string) =>
				written.startsWith('~/') ? join(homeOf(env), written.slice(2)) : written;
			if (folderKeys.test(entry.key)) found.folders.add(expandHome(entry.value));
			else if (includeKeys.test(entry.key)) {
				const included = resolve(dirname(path), expandHome(entry.value));
				found.files.add(included);
				if (!queue.includes(included)) queue.push(included);
			} else {
				for (const word of wordsOf(entry.value)) found.files.add(expandHome(word));
				const program = /^!?\s*([^\s'"`;&|<>()=$]*\/[^\s'"`;&|<>()=$]+)/.exec(entry.value)?.[1];
				if (program !== undefined && programKeys.test(entry.key)) found.programs.add(expandHome(program));
			}
		}
	}
	return {
		folders: [...found.folders],
		files: [...found.files].slice(0, maxFiles),
		includes: queue.slice(new Set(paths).size),
		programs: [...found.programs].slice(0, maxFiles),
		isTooLarge: found.files.size > maxFiles,
	};
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

/** Returns the words of a value that may be paths. Most of these values are read by a shell. */
function wordsOf(value: string): readonly string[] {
	return value.split(/[\s'"`!;&|<>()=$]+/).filter(word => /[./]/.test(word) && !/:\/\//.test(word));
}
