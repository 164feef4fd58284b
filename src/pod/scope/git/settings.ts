import {isAbsolute, join, resolve, dirname} from 'node:path';
import {homeOf, type Env} from '../../ground/env/env.ts';
import {parseGitConfig, type GitConfigEntry} from '../git-config-text.ts';
import {readBeginning, userConfigPaths, userGitFolder} from '../git-config.ts';

/** What git does with files, as the user and the repository configure it. Nothing here names a program. */
export type Settings = {
	/** Names of `core` settings with words from a closed list. */
	readonly words: ReadonlyArray<readonly [name: string, value: string]>;
	/** The file with the ignore patterns of the user. It may not exist. */
	readonly excludesFile: string;
};

/** Returns the settings from the configurations of the system, of the user and of a repository. */
export async function settingsOf(repository: readonly GitConfigEntry[], env: Env): Promise<Settings> {
	const user = await entriesOf(userConfigPaths(env), env);
	const words = new Map<string, string>();
	for (const {key, subsection, value} of [...user, ...repository]) {
		const name = key.replace(/^core\./, '');
		if (subsection === undefined && key !== name && plainValues[name]?.test(value) === true)
			words.set(name, value.toLowerCase());
	}
	return {words: [...words], excludesFile: excludesFile(user, env)};
}

const flag = /^(?:true|false|yes|no|on|off|0|1)$/i;
const plainValues: Readonly<Record<string, RegExp>> = {
	autocrlf: /^(?:true|false|yes|no|on|off|0|1|input)$/i,
	eol: /^(?:lf|crlf|native)$/i,
	filemode: flag,
	symlinks: flag,
	ignorecase: flag,
	precomposeunicode: flag,
	trustctime: flag,
	checkstat: /^(?:default|minimal)$/i,
	quotepath: flag,
	logallrefupdates: /^(?:true|false|yes|no|on|off|0|1|always)$/i,
	sharedrepository: /^(?:true|false|umask|group|all|world|everybody|0[0-7]{3}|[01])$/i,
};

/** Follows includes without a condition. */
async function entriesOf(paths: readonly string[], env: Env): Promise<readonly GitConfigEntry[]> {
	let left = maxFiles;
	const read = async (path: string, depth: number): Promise<readonly GitConfigEntry[]> => {
		if (depth > maxDepth || (left -= 1) < 0) return [];
		const {entries} = parseGitConfig(await readBeginning(path, maxBytes));
		const lists: Array<readonly GitConfigEntry[]> = [];
		for (const entry of entries) {
			const isInclude = entry.key === 'include.path' && entry.subsection === undefined;
			lists.push(isInclude ? await read(resolve(dirname(path), inHome(entry.value, env)), depth + 1) : [entry]);
		}
		return lists.flat();
	};
	const lists: Array<readonly GitConfigEntry[]> = [];
	for (const path of paths) lists.push(await read(path, 0));
	return lists.flat();
}

const maxFiles = 32;
const maxDepth = 10;
const maxBytes = 256 * 1024;

function excludesFile(user: readonly GitConfigEntry[], env: Env): string {
	const named = user.findLast(({key, subsection}) => key === 'core.excludesfile' && subsection === undefined)?.value;
	const path = inHome(named ?? join(userGitFolder(env), 'ignore'), env);
	return isAbsolute(path) ? path : '/dev/null';
}

function inHome(path: string, env: Env): string {
	return path.startsWith('~/') ? join(homeOf(env), path.slice(2)) : path;
}
