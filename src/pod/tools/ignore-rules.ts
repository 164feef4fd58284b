import {closeSync, constants, fstatSync, lstatSync, openSync, readFileSync} from 'node:fs';
import {dirname, join, relative, sep} from 'node:path';
import ignore from 'ignore';
import {fileBounds} from '../config/limits.ts';
import {foreignEntry, foreignOpened, foreignPath, strictOwners, type Foreign} from '../scope/owners.ts';
import type {Owners} from '../scope/scope.ts';
import {compileIgnore, type IgnorePatterns} from './ignore-patterns.ts';

/** Whether git ignores an entry. Ask about a directory before its contents. All paths are absolute. */
export type IgnoreRules = {
	/** To be asked once for each directory that is about to be walked, its parents first. */
	skipsDirectory(path: string): boolean;
	skipsFile(path: string): boolean;
};

type Rules = {readonly base: string; readonly patterns: IgnorePatterns};

/**
The git root of a directory: the nearest folder, itself included, that contains a `.git`. One that another user could
have made is passed over.
*/
export function gitRoot(directory: string, owners: Owners = strictOwners): string | undefined {
	for (let folder = directory; ; folder = dirname(folder)) {
		const isRoot = lstatSync(join(folder, '.git'), {throwIfNoEntry: false}) !== undefined;
		if (isRoot && foreignEntry(folder, '.git', owners) === undefined) return folder;
		if (dirname(folder) === folder) return undefined;
	}
}

/**
The folders whose .gitignore has a say over `start` from outside, outermost first: from the git root, or `pwd` where
there is none, down to above `start`.
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
The rules for a walk that begins in `start`. A start that is itself ignored was named on purpose: then only the rules
inside it count.
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

/** The innermost file that decides wins. Only the entry itself is judged: an ignored parent is never walked into. */
function isIgnored(path: string, isDirectory: boolean, rules: readonly Rules[]): boolean {
	for (const {base, patterns} of rules.toReversed()) {
		const inside = relative(base, path).split(sep).join('/');
		if (!ignore.isPathValid(inside)) continue;
		const verdict = patterns.verdict(isDirectory ? `${inside}/` : inside);
		if (verdict !== undefined) return verdict === 'ignored';
	}
	return false;
}

/** Those of the files that `foldersAbove` and `start` itself bring that another user could have written. */
export function foreignIgnoreFiles(start: string, pwd: string, owners: Owners): readonly Foreign[] {
	return [...foldersAbove(start, pwd, owners), start].flatMap(folder => {
		const named = join(folder, '.gitignore');
		return lstatSync(named, {throwIfNoEntry: false}) === undefined
			? []
			: (foreignPath({top: folder, named}, owners) ?? []);
	});
}

/**
Whether a program that reads .gitignore files whoever owns them would go by others than these rules, above `start` and
in it.
*/
export function isForeignAbove(start: string, pwd: string, owners: Owners): boolean {
	return gitRoot(start, owners) !== gitRoot(start, anybody) || foreignIgnoreFiles(start, pwd, owners).length > 0;
}

const anybody: Owners = {safe: ['/*'], file: ''};

/** A .gitignore that is a link, a FIFO, huge, or that another user could have written has no say. */
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
