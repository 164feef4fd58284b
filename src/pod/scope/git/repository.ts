import {en} from '../../../language/index.ts';
import {basename, dirname, join, resolve, isAbsolute} from 'node:path';
import {type Env, homeOf} from '../../ground/env/env.ts';
import {pathExists} from '../../ground/files/path-exists.ts';
import {parseGitConfig, type GitConfigEntry} from '../git-config-text.ts';
import {readBeginning, userConfigPaths, userGitFolder} from '../git-config.ts';
import {commonDirOf, gitDirOf, isGitDir} from '../git-programs.ts';
import {resolveLinks} from '../locate.ts';
import {foreignEntry, foreignSentence, isSafe, strictOwners} from '../owners.ts';
import type {Owners} from '../scope.ts';
import {nameOf} from '../small-file.ts';
import {gitRoot} from '../git-root.ts';
import {readFormat} from './run-git.ts';
import {gitTexts} from './texts.ts';

/** The folders of a repository. */
type RepositoryPlace = {
	/** The top of the working tree. Absent for a bare repository. */
	readonly top?: string;
	/** The git folder of one working tree, with its HEAD, index and other files. */
	readonly folder: string;
	/** The common git folder with the objects and references. Several working trees may share it. */
	readonly common: string;
};

/** The facts about a repository that inkpod needs to run git. inkpod reads them without git. */
export type Repository<Place extends RepositoryPlace = RepositoryPlace> = Place & {
	/** Whether the names of objects are sha256 hashes. */
	readonly isSha256: boolean;
	readonly settings: Settings;
};

type FoundRepository<Place extends RepositoryPlace = RepositoryPlace> =
	| {readonly ok: true; readonly repository: Repository<Place>}
	| NotFound;

type NotFound = {readonly ok: false; readonly sentence: string};

/**
Finds the repository that contains a directory. `pwd` is a real path. Returns `undefined` if there is no repository.
Refuses a repository whose git folder another user could have written, and a directory for which git would find another
repository.
*/
export async function findRepository(
	pwd: string,
	owners: Owners | undefined,
	env: Env,
): Promise<FoundRepository<Required<RepositoryPlace>> | undefined> {
	const top = gitRoot(pwd, owners);
	if (top === undefined) return undefined;
	if (await hasOtherBelow(top, pwd)) return failed(gitTexts.otherRoot);
	const named = await gitDirOf(top);
	if (named === undefined) return failed(gitTexts.noGitFolder);
	const [folder, common] = await Promise.all([named, await commonDirOf(named)].map(resolveLinks));
	if (folder === undefined || common === undefined) return failed(gitTexts.noGitFolder);
	const foreign = foreignFolder(top, [folder, common], owners);
	return foreign === undefined ? readRepository({top, folder, common}, env) : failed(foreign);
}

/** Reads the configuration of a repository. The caller has checked its owner. */
export async function readRepository<Place extends RepositoryPlace>(
	place: Place,
	env: Env,
): Promise<FoundRepository<Place>> {
	const {top, folder, common} = place;
	const config = await readConfig(join(common, 'config'));
	if (!config.ok) return config;
	const format = readFormat(config.entries);
	if (!format.ok) return format;
	const own = format.hasWorktreeConfig ? await readConfig(join(folder, 'config.worktree')) : noConfig;
	if (!own.ok) return own;
	// git ignores `core.bare` and `core.worktree` in a configuration that several working trees share.
	const placing = [...(folder === common ? config.entries : []), ...own.entries];
	if (top !== undefined && isSet(placing, 'core.bare')) return failed(gitTexts.noTree);
	const named = lastOf(placing, 'core.worktree');
	if (top !== undefined && named !== undefined && (await resolveLinks(resolve(folder, named))) !== top)
		return failed(gitTexts.otherRoot);
	const settings = await settingsOf([...config.entries, ...own.entries], env);
	return {ok: true, repository: {...place, isSha256: format.isSha256, settings}};
}

/** Returns a sentence if another user could have written one of the git folders of a working tree. */
function foreignFolder(top: string, folders: readonly string[], owners: Owners = strictOwners): string | undefined {
	if (isSafe(top, owners)) return undefined;
	const foreign = folders.map(path => foreignEntry(dirname(path), basename(path), owners)).find(Boolean);
	return foreign && foreignSentence(en, foreign, owners);
}

/** Tells whether one of the folders from `pwd` up to `top` (without `top`) is a git folder or contains a `.git`. */
async function hasOtherBelow(top: string, pwd: string): Promise<boolean> {
	for (let folder = pwd; folder !== top; folder = dirname(folder))
		if ((await isGitDir(folder)) || (await pathExists(join(folder, '.git')))) return true;
	return false;
}

type ConfigRead = {readonly ok: true; readonly entries: readonly GitConfigEntry[]} | NotFound;

const noConfig: ConfigRead = {ok: true, entries: []};

async function readConfig(path: string): Promise<ConfigRead> {
	const text = await readBeginning(path, maxConfig + 1);
	if (text.length > maxConfig) return failed(gitTexts.largeConfig(nameOf(path)));
	const {entries, brokenLine} = parseGitConfig(text);
	return brokenLine === undefined ? {ok: true, entries} : failed(gitTexts.brokenConfig(nameOf(path), brokenLine));
}

const maxConfig = 256 * 1024;

function lastOf(entries: readonly GitConfigEntry[], key: string): string | undefined {
	return entries.findLast(entry => entry.key === key && entry.subsection === undefined)?.value;
}

function isSet(entries: readonly GitConfigEntry[], key: string): boolean {
	return /^(?:true|yes|on|[1-9]\d*)$/i.test(lastOf(entries, key) ?? '');
}

function failed(sentence: string): NotFound {
	return {ok: false, sentence};
}

/** The user's and the repository's settings about how git reads and writes files. No setting names a program. */
type Settings = {
	/** Names of `core` settings with their values. Both are from a fixed list. */
	readonly words: ReadonlyArray<readonly [name: string, value: string]>;
	/** The file with the ignore patterns of the user. The file may be missing. */
	readonly excludesFile: string;
};

/** Returns the settings from the configurations of the system, of the user and of a repository. */
async function settingsOf(repository: readonly GitConfigEntry[], env: Env): Promise<Settings> {
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

/** Reads the entries of configurations. Follows only includes that have no condition. */
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
