import {readdir, writeFile} from 'node:fs/promises';
import {dirname, isAbsolute, join, relative, resolve, sep} from 'node:path';
import type {Env} from '../../ground/env/env.ts';
import {encodePath} from '../../ground/files/byte-path.ts';
import {openDirHandle, type DirHandle, type DirMoved} from '../../scope/dir-handle.ts';
import {readBeginning, readGitConfigs, userConfigPaths, type GitConfig} from '../../scope/git-config.ts';
import {gitDirectories, isGitDir, linksBelow} from '../../scope/git-programs.ts';
import {contains} from '../../ground/files/contains.ts';
import {hasHandlePaths} from '../../platform/file-identity.ts';
import {gitlinks} from './gitlinks.ts';
import {otherNames} from './other-names.ts';
import {kindOf, wayTo, type Way} from './way.ts';
import {linkedTrees, ownTrees} from './working-trees.ts';

/**
Returns the files and folders below `pwd` that control git, so that they can be made read-only: the git folders, and the
files and folders that they and their configurations name. Creates named files and folders that do not exist, because
only existing ones can be read-only. The created files and folders are empty.
*/
export async function gitPlaces(pwd: string, repositories: Iterable<string>, env: Env): Promise<readonly string[]> {
	const cover: Cover = {pwd, places: new Set()};
	const found = await repositoriesFor(pwd, repositories);
	if ((await Promise.all(foldersAbove(pwd).map(isGitDir))).includes(true)) add(cover, pwd);
	for (const {file, folders} of found) for (const path of [...file, ...folders]) add(cover, path);
	const files: string[] = [];
	for await (const {own, named, inside} of obeyedBy(found, env)) {
		files.push(...inside);
		for (const one of [...own, ...withLinks(named, pwd)]) files.push(...(await coverNamed(cover, one)));
	}
	for (const path of await otherNames(pwd, files)) add(cover, path);
	return [...cover.places];
}

/** Working trees that do not exist yet, and the existing git folders whose configurations will apply there. */
export type NewTrees = {readonly tops: readonly string[]; readonly folders: readonly string[]};

/**
Returns the files and folders outside of git folders that control git: hook folders, included files and programs that
the configuration of a repository below `pwd` names, even if they do not exist, and the targets of links in git folders.
Does not change anything.
*/
export async function obeyedPlaces(
	pwd: string,
	repositories: Iterable<string>,
	env: Env,
	newTrees: readonly NewTrees[] = [],
): Promise<ReadonlySet<string>> {
	const cover: Cover = {pwd, places: new Set(), isExact: true};
	const present = (await repositoriesFor(pwd, repositories)).map(async one => withTrees(one, pwd));
	const found = [...(await Promise.all(present)), ...newTrees.map(one => ({file: [], ...one}))];
	for await (const {named} of obeyedBy(found, env))
		for (const one of withLinks(named, pwd)) {
			const way = coverLinks(cover, one);
			if (way !== undefined) coverTarget(cover, way, one[1]);
		}
	return cover.places;
}

async function repositoriesFor(pwd: string, below: Iterable<string>): Promise<readonly Repository[]> {
	const found = await Promise.all([
		...foldersAbove(pwd)
			.slice(1)
			.map(async top => ({tops: [top], file: [], folders: await gitDirectories(top)})),
		...[...below].map(repositoryAt),
	]);
	return found.filter(({folders}) => folders.length > 0);
}

/**
Adds the linked working trees of a repository. Also adds the usual places if the git folder does not tell where its
working tree is.
*/
async function withTrees(repository: Repository, pwd: string): Promise<Repository> {
	const {tops, folders} = repository;
	const linked = (await Promise.all(folders.map(linkedTrees))).flat();
	const [folder = ''] = folders;
	const isKnown = !tops.includes(folder) || (await ownTrees(folder)).length > 0;
	return {...repository, tops: [...tops, ...linked, ...(isKnown ? [] : [dirname(folder), pwd])]};
}

async function* obeyedBy(found: readonly Repository[], env: Env): AsyncGenerator<ObeyedParts> {
	const user = await readGitConfigs(userConfigPaths(env), env);
	yield {own: [], named: userParts(user, env), inside: []};
	for (let at = 0; at < found.length; at += batch)
		yield* await Promise.all(found.slice(at, at + batch).map(async repository => obeyed(repository, user, env)));
}

/**
Returns the files that the user's configurations name. These configurations apply to all repositories, and may
themselves be links into a project.
*/
function userParts({folders, includes, programs, files}: GitConfig, env: Env): readonly Obeyed[] {
	const all = (kind: Obeyed[1], paths: readonly string[]) =>
		paths.filter(path => isAbsolute(path)).map(path => [path, kind] as const);
	const real = userConfigPaths(env).map(path => wayTo(path).path);
	return [...all('folder', folders), ...all('file', [...includes, ...programs]), ...all('word', [...files, ...real])];
}

/**
Returns the named places, and the links in named folders. A folder that contains the project is not a folder of hooks,
so its links are left out.
*/
function withLinks(named: readonly Obeyed[], pwd: string): readonly Obeyed[] {
	const all = [...named];
	const seen = new Set<string>();
	for (const [path, kind] of all) {
		const way = kind === 'folder' ? wayTo(path) : undefined;
		if (way?.kind !== 'folder' || seen.has(way.path) || contains(way.path, pwd)) continue;
		seen.add(way.path);
		for (const link of linksBelow(way.path)) all.push([link, 'folder']);
	}
	return all;
}

/** The number of repositories that are read at the same time. */
const batch = 16;

/** The places that become read-only. `isExact`: the places are not mounted, but only compared with other paths. */
type Cover = {readonly pwd: string; readonly places: Set<string>; readonly isExact?: true};

function add({pwd, places, isExact}: Cover, path: string): void {
	// With `isExact`, paths outside of `pwd` are also compared, because a working tree may be outside.
	const named = isExact === true ? path : namable(path);
	if (named !== undefined && (isExact === true || contains(pwd, named))) places.add(named);
}

/**
Returns a path, or the nearest folder above it whose path is valid UTF-8, because arguments of a program must be UTF-8.
*/
export function namable(path: string): string | undefined {
	return path.isWellFormed() ? path : foldersAbove(path).find(folder => folder.isWellFormed());
}

/**
Adds a named place and the links on the way to it. Creates the place if it does not exist. Returns the files there that
control git.
*/
async function coverNamed(cover: Cover, [path, kind]: Obeyed): Promise<readonly string[]> {
	const way = coverLinks(cover, [path, kind]);
	if (way === undefined) return [];
	const isOpen = contains(cover.pwd, way.path) && !foldersAbove(way.path).some(folder => cover.places.has(folder));
	if (way.kind === undefined && isOpen) await createEmpty(cover.pwd, way.path, kind);
	coverTarget(cover, way, kind);
	return kind === 'folder' && isOpen ? (await entriesIn(way.path)).files : [way.path];
}

/**
Adds the links on the way to a place. A link cannot be read-only, but its folder can. Most words that name no existing
file are not paths, so they count only if paths are compared (`isExact`).
*/
function coverLinks(cover: Cover, [path, kind]: Obeyed): Way | undefined {
	if (kind === 'word' && cover.isExact !== true && kindOf(path) === undefined) return undefined;
	const way = wayTo(path);
	for (const one of cover.isExact === true ? way.links : way.through) add(cover, one);
	return way;
}

/** Adds the target of a followed path. A folder that is a word of a command stays writable, as in "lint ./src". */
function coverTarget(cover: Cover, way: Way, kind: Obeyed[1]): void {
	const isFile = way.kind === 'file' || (cover.isExact === true && way.kind === undefined);
	if (kind !== 'word' || isFile) add(cover, way.path);
}

/** The git folders of a linked worktree: the common folder of the repository, and the worktree's own folder in it. */
export type SharedGit = {readonly common: string; readonly own: string};

/**
`tops`: the working trees, or the bare repository itself. `file`: the `.git` file or link. `folders`: the git folder,
and the common git folder that it shares with other worktrees.
*/
type Repository = NewTrees & {readonly file: readonly string[]};

async function repositoryAt(path: string): Promise<Repository> {
	const top = dirname(path);
	if (kindOf(path) === 'folder') {
		const isTree = /(?:^|\/)\.git$/i.test(path);
		return {tops: [isTree ? top : path], file: [], folders: isTree ? await gitDirectories(top) : [path]};
	}
	return {tops: [top], file: [path], folders: await gitDirectories(top)};
}

/** `word`: a word of a configuration, which may be the path of a program. */
type Obeyed = readonly [path: string, kind: 'folder' | 'file' | 'word'];

/**
`own`: git folders, `.git` files and submodules. `named`: the places elsewhere that these name. `inside`: the files in
the git folders.
*/
type ObeyedParts = {
	readonly own: readonly Obeyed[];
	readonly named: readonly Obeyed[];
	readonly inside: readonly string[];
};

/** Returns the places that control git in a repository. */
async function obeyed({tops: known, file, folders}: Repository, user: GitConfig, env: Env): Promise<ObeyedParts> {
	const configs = folders.flatMap(folder => [join(folder, 'config'), join(folder, 'config.worktree')]);
	const own = await readGitConfigs(configs, env);
	const inFolders = folders.flatMap(folder => [folder, join(folder, 'hooks'), join(folder, 'info')]);
	const entries = await Promise.all(inFolders.map(entriesIn));
	const deeper = folders.flatMap(folder => deeperFolders.map(name => join(folder, name)));
	const links = [...entries, ...(await Promise.all(deeper.map(entriesIn)))].flatMap(({links}) => links);
	const submodules = (await Promise.all(folders.map(gitlinks))).flat();
	const trees = await Promise.all(folders.map(ownTrees));
	const tops = [...new Set([...known, ...trees.flat()])];
	const all = (kind: Obeyed[1], paths: readonly string[]) => {
		const found = tops.flatMap(folder => paths.map(path => resolve(folder, path)));
		return [...new Set(found)].map(path => [path, kind] as const);
	};
	return {
		own: all('folder', [...file, ...folders, ...submodules]),
		named: [
			...all('folder', [...links, ...own.folders, ...user.folders]),
			...all('folder', (await Promise.all(folders.map(partsElsewhere))).flat()),
			// A configuration that is too large is not read to its end, so it could name anything in the working trees.
			...(own.isTooLarge || user.isTooLarge ? all('folder', tops) : []),
			...all('file', [...own.includes, ...user.includes, ...own.programs]),
			...all('word', [...own.files, ...user.files]),
		],
		inside: entries.flatMap(({files}) => files),
	};
}

/** Folders in a git folder in which a link would make git read objects or references from another folder. */
const deeperFolders = ['objects', 'objects/pack', 'refs', 'refs/heads', 'refs/tags'];

/**
Returns folders that a repository uses but that do not look like git folders: a common folder without `HEAD`, and
alternate object folders.
*/
async function partsElsewhere(folder: string): Promise<readonly string[]> {
	const objects = [join(folder, 'objects')];
	for (const one of objects) {
		if (objects.length > maxAlternates) break;
		const lines = (await readBeginning(join(one, 'info/alternates'), maxConfig)).split('\n');
		const paths = lines.filter(line => line !== '' && !line.startsWith('#')).map(line => resolve(one, line));
		objects.push(...paths.filter(path => !objects.includes(path)));
	}
	const others = await Promise.all(
		objects.slice(1).map(async path => ((await isGitDir(dirname(path))) ? [] : [path])),
	);
	return [...((await isGitDir(folder)) ? [] : [folder]), ...others.flat()];
}

const maxAlternates = 64;

const maxConfig = 65_536;

/** Returns the files and links in a folder, without samples. */
async function entriesIn(
	folder: string,
): Promise<{readonly files: readonly string[]; readonly links: readonly string[]}> {
	const entries = (await readdir(encodePath(folder), {withFileTypes: true}).catch(() => [])).filter(
		({name}) => !name.endsWith('.sample'),
	);
	const pathsOf = (list: typeof entries) => list.map(({name}) => join(folder, name));
	return {
		files: pathsOf(entries.filter(entry => entry.isFile())),
		links: pathsOf(entries.filter(entry => entry.isSymbolicLink())),
	};
}

/**
Creates an empty folder, or an empty file and its folders. Follows no link, because another command may be running.
*/
async function createEmpty(pwd: string, path: string, kind: Obeyed[1]): Promise<void> {
	const names = relative(pwd, path).split(sep);
	const file = kind === 'folder' ? undefined : names.pop();
	let dir: DirHandle | DirMoved | undefined;
	try {
		dir = await openDirHandle(pwd, pwd, hasHandlePaths);
		for (const name of names) {
			if (typeof dir === 'string') return;
			const next: DirHandle | DirMoved = await dir.descend(name);
			await dir.close();
			dir = next;
		}
		if (file !== undefined && typeof dir !== 'string')
			await writeFile(encodePath(dir.entry(file)), '', {flag: 'wx'});
	} catch {
		// The user cannot create this folder or file, so a command cannot create it either.
	} finally {
		if (typeof dir === 'object') await dir.close();
	}
}

/** Returns a folder and all folders above it. */
function foldersAbove(folder: string): readonly string[] {
	const parent = dirname(folder);
	return parent === folder ? [folder] : [folder, ...foldersAbove(parent)];
}

/** Returns the folders between `top` and a path. */
export function foldersBetween(top: string, path: string): readonly string[] {
	const names = relative(top, path).split(sep);
	return names.slice(0, -1).map((_, index) => join(top, ...names.slice(0, index + 1)));
}
