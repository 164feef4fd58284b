import {closeSync, constants, fstatSync, lstatSync, openSync, readFileSync} from 'node:fs';
import {dirname, join, relative, sep} from 'node:path';
import ignore from 'ignore';
import {fileBounds} from '../limits.ts';
import {compileIgnore, type IgnorePatterns} from './ignore-patterns.ts';

/** Says whether git would pass over an entry. Directories are asked before what they hold. All paths are absolute. */
export type IgnoreRules = {
	/** To be asked once for each directory that is about to be walked, its parents first. */
	skipsDirectory(path: string): boolean;
	skipsFile(path: string): boolean;
};

type Rules = {readonly base: string; readonly patterns: IgnorePatterns};

/** The git root of a directory: the nearest folder, itself included, that holds `.git`. */
export function gitRoot(directory: string): string | undefined {
	for (let folder = directory; ; folder = dirname(folder)) {
		if (lstatSync(join(folder, '.git'), {throwIfNoEntry: false}) !== undefined) return folder;
		if (dirname(folder) === folder) return undefined;
	}
}

/** The folders whose .gitignore has a say over `start` from outside, outermost first: from the git root, or `pwd` where there is none, down to above `start`. */
export function foldersAbove(start: string, pwd: string): readonly string[] {
	const root = gitRoot(start);
	const top = root ?? pwd;
	if (root === undefined) return start === pwd || !start.startsWith(pwd + sep) ? [] : [pwd];
	const folders: string[] = [];
	for (let folder = start; folder !== top; ) {
		folder = dirname(folder);
		folders.unshift(folder);
	}
	return folders;
}

/** The rules for a walk that begins in `start`. A start that is itself ignored was named on purpose: then only the rules inside it count. */
export function ignoreRules(start: string, pwd: string): IgnoreRules & {readonly startIgnored: boolean} {
	const above = foldersAbove(start, pwd).flatMap(rulesIn);
	const startIgnored = isIgnored(start, true, above);
	const inGit = gitRoot(start) !== undefined;
	const known = new Map<string, readonly Rules[]>([[start, [...(startIgnored ? [] : above), ...rulesIn(start)]]]);
	return {
		startIgnored,
		skipsDirectory(path) {
			const rules = known.get(dirname(path)) ?? [];
			if (isIgnored(path, true, rules)) return true;
			const nested = inGit && lstatSync(join(path, '.git'), {throwIfNoEntry: false}) !== undefined;
			known.set(path, [...(nested ? [] : rules), ...rulesIn(path)]);
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

/** A .gitignore that is a link, a FIFO or huge has no say. */
function rulesIn(base: string): readonly Rules[] {
	const text = smallFile(join(base, '.gitignore'));
	return text === undefined ? [] : [{base, patterns: compileIgnore(text)}];
}

function smallFile(path: string): string | undefined {
	if (lstatSync(path, {throwIfNoEntry: false})?.isFile() !== true) return undefined;
	let descriptor: number | undefined;
	try {
		descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		const stats = fstatSync(descriptor);
		return stats.isFile() && stats.size <= fileBounds.gitignore ? readFileSync(descriptor, 'utf8') : undefined;
	} catch {
		return undefined;
	} finally {
		if (descriptor !== undefined) closeSync(descriptor);
	}
}
