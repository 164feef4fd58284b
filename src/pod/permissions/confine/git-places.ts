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
Returns what git obeys below `pwd`, so that it is read-only as a whole: the folders of git, and what they and their
configurations name. What they name and does not exist is created, as an empty folder or file, because only what exists
can be read-only.
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

/** Working trees that do not exist yet, and the existing folders of git whose configurations will apply there. */
export type NewTrees = {readonly tops: readonly string[]; readonly folders: readonly string[]};

/**
Returns what git obeys outside of its own folders: hook folders, included files and programs that a configuration of a
repository below `pwd` names, also those that do not exist, and what links in the folders of git lead to. It changes
nothing.
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
Adds the linked working trees of a repository, and the usual places if its git folder does not say where its working
tree is.
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

/** The user's configurations apply to repositories elsewhere, too, and a link may lead from them into a project. */
function userParts({folders, includes, programs, files}: GitConfig, env: Env): readonly Obeyed[] {
	const all = (kind: Obeyed[1], paths: readonly string[]) =>
		paths.filter(path => isAbsolute(path)).map(path => [path, kind] as const);
	const real = userConfigPaths(env).map(path => wayTo(path).path);
	return [...all('folder', folders), ...all('file', [...includes, ...programs]), ...all('word', [...files, ...real])];
}

/** Returns what is named, and what links in the named folders lead to. A folder around the project is none of hooks. */
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

/** The number of repositories that are read at once. */
const batch = 16;

/** The places that become read-only. `isExact`: they are only compared with other paths. */
type Cover = {readonly pwd: string; readonly places: Set<string>; readonly isExact?: true};

function add({pwd, places, isExact}: Cover, path: string): void {
	// A working tree may lie outside, and paths in it are compared, too.
	const named = isExact === true ? path : namable(path);
	if (named !== undefined && (isExact === true || contains(pwd, named))) places.add(named);
}

/** Arguments of a program are UTF-8, so a folder above takes the place of another name. */
export function namable(path: string): string | undefined {
	return path.isWellFormed() ? path : foldersAbove(path).find(folder => folder.isWellFormed());
}

/** Covers what is named, and the links on the way to it. Returns the files that git obeys there. */
async function coverNamed(cover: Cover, [path, kind]: Obeyed): Promise<readonly string[]> {
	const way = coverLinks(cover, [path, kind]);
	if (way === undefined) return [];
	const isOpen = contains(cover.pwd, way.path) && !foldersAbove(way.path).some(folder => cover.places.has(folder));
	if (way.kind === undefined && isOpen) await createEmpty(cover.pwd, way.path, kind);
	coverTarget(cover, way, kind);
	return kind === 'folder' && isOpen ? (await entriesIn(way.path)).files : [way.path];
}

/**
A link cannot be read-only, but the folder in which it is can. Most words that name nothing are no paths, so they count
only where paths are compared.
*/
function coverLinks(cover: Cover, [path, kind]: Obeyed): Way | undefined {
	if (kind === 'word' && cover.isExact !== true && kindOf(path) === undefined) return undefined;
	const way = wayTo(path);
	for (const one of cover.isExact === true ? way.links : way.through) add(cover, one);
	return way;
}

/** A folder among the words of a command, as in "lint ./src", stays writable. */
function coverTarget(cover: Cover, way: Way, kind: Obeyed[1]): void {
	const isFile = way.kind === 'file' || (cover.isExact === true && way.kind === undefined);
	if (kind !== 'word' || isFile) add(cover, way.path);
}

/** The git folders of a worktree: the common one of the repository, and the part of it that is the worktree's own. */
export type SharedGit = {readonly common: string; readonly own: string};

/**
`tops`: its working trees, or the bare repository itself. `file`: the `.git` file or link. `folders`: the git folder,
and the one that it shares with other worktrees.
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

/** `own`: git's own places. `named`: what they name elsewhere. `inside`: the files in the folders of the repository. */
type ObeyedParts = {
	readonly own: readonly Obeyed[];
	readonly named: readonly Obeyed[];
	readonly inside: readonly string[];
};

/** Returns what git obeys. */
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
			// Nobody knows what it names.
			...(own.isTooLarge || user.isTooLarge ? all('folder', tops) : []),
			...all('file', [...own.includes, ...user.includes, ...own.programs]),
			...all('word', [...own.files, ...user.files]),
		],
		inside: entries.flatMap(({files}) => files),
	};
}

/** Folders of git in which a link would give objects or references of another folder to git. */
const deeperFolders = ['objects', 'objects/pack', 'refs', 'refs/heads', 'refs/tags'];

/** Returns what belongs to a git folder and does not look like one: a common folder without `HEAD`, and its objects. */
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

/** Creates an empty folder, or an empty file and its folders. It follows no link, as another command may be running. */
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
		// A command cannot create either what its user cannot.
	} finally {
		if (typeof dir === 'object') await dir.close();
	}
}

/** Returns a folder and those above it. */
function foldersAbove(folder: string): readonly string[] {
	const parent = dirname(folder);
	return parent === folder ? [folder] : [folder, ...foldersAbove(parent)];
}

/** Returns the folders below `top` that lead to a path. */
export function foldersBetween(top: string, path: string): readonly string[] {
	const names = relative(top, path).split(sep);
	return names.slice(0, -1).map((_, index) => join(top, ...names.slice(0, index + 1)));
}
