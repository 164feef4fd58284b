import {closeSync, constants, fstatSync, lstatSync, openSync, readFileSync} from 'node:fs';
import {dirname, join, relative, sep} from 'node:path';
import ignore from 'ignore';
import {fileBounds} from '../../config/limits.ts';
import {foreignOpened, foreignPath, strictOwners, type Foreign} from '../../scope/owners.ts';
import {gitRoot} from '../../scope/git-root.ts';
import type {Owners} from '../../scope/scope.ts';
import {compileIgnore, type IgnorePatterns} from './ignore-patterns.ts';

/** Tells whether git ignores an entry. The caller checks a directory before its contents. All paths are absolute. */
export type IgnoreRules = {
	/** Tells whether to skip a directory. The walk calls it once for each directory, parents first. */
	skipsDirectory(path: string): boolean;
	skipsFile(path: string): boolean;
};

type Rules = {readonly base: string; readonly patterns: IgnorePatterns};

/**
Returns the folders above `start` whose .gitignore applies to `start`, outermost first.
They begin at the git root, or at `pwd` without a git root.
*/
export function foldersAbove(start: string, pwd: string, owners: Owners = strictOwners): readonly string[] {
	const root = gitRoot(start, owners);
	const top = root ?? pwd;
	if (root === undefined) return start === pwd || !start.startsWith(pwd + sep) ? [] : [pwd];
	const folders: string[] = [];
	for (let folder = start; folder !== top;) {
		folder = dirname(folder);
		folders.unshift(folder);
	}
	return folders;
}

/**
Returns the rules for a walk that begins in `start`. If the start itself is ignored, the user or model named it on
purpose, so only the rules inside it apply.
*/
export function ignoreRules(
	start: string,
	pwd: string,
	owners: Owners = strictOwners,
): IgnoreRules & {readonly startIgnored: boolean} {
	const rulesOf = (folder: string) => rulesIn(folder, owners);
	const above = foldersAbove(start, pwd, owners).flatMap(rulesOf);
	const startIgnored = isIgnored(start, true, above);
	const inGit = gitRoot(start, owners) !== undefined;
	const known = new Map<string, readonly Rules[]>([[start, [...(startIgnored ? [] : above), ...rulesOf(start)]]]);
	return {
		startIgnored,
		skipsDirectory(path) {
			const rules = known.get(dirname(path)) ?? [];
			if (isIgnored(path, true, rules)) return true;
			const nested = inGit && lstatSync(join(path, '.git'), {throwIfNoEntry: false}) !== undefined;
			known.set(path, [...(nested ? [] : rules), ...rulesOf(path)]);
			return false;
		},
		skipsFile: path => isIgnored(path, false, known.get(dirname(path)) ?? []),
	};
}

/**
Tells whether an entry is ignored. The innermost file that decides wins. It checks only the entry itself, because a walk
never enters an ignored parent.
*/
function isIgnored(path: string, isDirectory: boolean, rules: readonly Rules[]): boolean {
	for (const {base, patterns} of rules.toReversed()) {
		const inside = relative(base, path).split(sep).join('/');
		if (!ignore.isPathValid(inside)) continue;
		const verdict = patterns.verdict(isDirectory ? `${inside}/` : inside);
		if (verdict !== undefined) return verdict === 'ignored';
	}
	return false;
}

/** Returns the .gitignore files in `start` and the folders above it that another user could have written. */
export function foreignIgnoreFiles(start: string, pwd: string, owners: Owners): readonly Foreign[] {
	return [...foldersAbove(start, pwd, owners), start].flatMap(folder => {
		const named = join(folder, '.gitignore');
		return lstatSync(named, {throwIfNoEntry: false}) === undefined
			? []
			: (foreignPath({top: folder, named}, owners) ?? []);
	});
}

/** Tells whether a program that accepts every owner would use additional .gitignore files, in `start` or above it. */
export function isForeignAbove(start: string, pwd: string, owners: Owners): boolean {
	return gitRoot(start, owners) !== gitRoot(start, anybody) || foreignIgnoreFiles(start, pwd, owners).length > 0;
}

const anybody: Owners = {safe: ['/*'], file: ''};

/**
Returns the rules of a folder. It ignores a .gitignore that is a link, a FIFO, too large, or written by another user.
*/
function rulesIn(base: string, owners: Owners): readonly Rules[] {
	const text = smallFile(base, owners);
	return text === undefined ? [] : [{base, patterns: compileIgnore(text)}];
}

function smallFile(base: string, owners: Owners): string | undefined {
	const path = join(base, '.gitignore');
	if (lstatSync(path, {throwIfNoEntry: false})?.isFile() !== true) return undefined;
	let descriptor: number | undefined;
	try {
		descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		const stats = fstatSync(descriptor);
		if (!stats.isFile() || stats.size > fileBounds.gitignore) return undefined;
		return foreignOpened(descriptor, {top: base, named: path}, owners) === undefined
			? readFileSync(descriptor, 'utf8')
			: undefined;
	} catch {
		return undefined;
	} finally {
		if (descriptor !== undefined) closeSync(descriptor);
	}
}
