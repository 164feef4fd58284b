import {closeSync, constants, fstatSync, lstatSync, openSync, readFileSync} from 'node:fs';
import {dirname, join, relative, sep} from 'node:path';
import ignore from 'ignore';
import type {Ignore} from 'ignore';
import {fileBounds} from '../../config/limits.ts';
import {foreignOpened, foreignPath, strictOwners, type Foreign} from '../../scope/owners.ts';
import {gitRoot} from '../../scope/git-root.ts';
import type {Owners} from '../../scope/scope.ts';
import {compileGlob, type PathMatcher} from '../../ground/globs/glob-pattern.ts';

/** Tells whether git ignores an entry. The caller checks a directory before its contents. All paths are absolute. */
export type IgnoreRules = {
	/** Tells whether to skip a directory. The walk calls it once for each directory, parents first. */
	skipsDirectory(path: string): boolean;
	skipsFile(path: string): boolean;
};

type Rules = {readonly base: string; readonly patterns: IgnorePatterns};

/**
Returns the folders above `start` whose .gitignore applies to `start`, outermost first. They begin at the git root, or
at `pwd` if there is no git root.
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
Tells whether an entry is ignored. The innermost .gitignore with a matching pattern decides. Checks only the entry
itself, because a walk never enters an ignored parent.
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

/**
Compiles the text of a .gitignore. The library turns each pattern into a regular expression. Some patterns with several
`**` would take exponential time there. inkpod matches such patterns itself, in time proportional to the length of the
pattern times the length of the path. Uses at most `maxPatterns`, none longer than `maxPatternLength`, because the
library fails on very long patterns.
*/
export function compileIgnore(text: string): IgnorePatterns {
	const lines = text
		.split(/\r?\n/)
		.filter(line => line.length <= maxPatternLength && line.trim() !== '')
		.slice(0, maxPatterns);
	const groups = groupsOf(lines).toReversed();
	return {
		verdict(path) {
			for (const group of groups) {
				const verdict = group(path);
				if (verdict !== undefined) return verdict;
			}
			return undefined;
		},
	};
}

const anybody: Owners = {safe: ['/*'], file: ''};

/**
Returns the rules of a folder. Ignores a .gitignore that is a link, a FIFO, too large, or written by another user.
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

/**
The patterns of one .gitignore file. `verdict` takes a path relative to the folder of that file. A directory's path ends
in `/`.
*/
type IgnorePatterns = {readonly verdict: (path: string) => 'ignored' | 'wanted' | undefined};

const maxPatterns = 5000;

const maxPatternLength = 1000;

type Group = IgnorePatterns['verdict'];

/** Groups neighbouring patterns that the library can match. The last group with a matching pattern decides. */
function groupsOf(lines: readonly string[]): readonly Group[] {
	const groups: Group[] = [];
	let easy: Ignore | undefined;
	for (const line of lines) {
		if (isHard(line)) {
			groups.push(hardGroup(line));
			easy = undefined;
		} else {
			if (easy === undefined) groups.push(easyGroup((easy = ignore({ignorecase: false}))));
			easy.add(line);
		}
	}
	return groups;
}

/**
Tells whether the library may need too much time for a pattern. Two `**`, such as at the start and the end, are
harmless.
*/
function isHard(line: string): boolean {
	return !line.startsWith('#') && (line.match(/\*\*/g)?.length ?? 0) > 2;
}

function easyGroup(patterns: Ignore): Group {
	return path => {
		const {ignored, unignored} = patterns.test(path);
		if (!ignored && !unignored) return undefined;
		return ignored ? 'ignored' : 'wanted';
	};
}

function hardGroup(line: string): Group {
	const isNegated = line.startsWith('!');
	const written = (isNegated ? line.slice(1) : line).replace(/(?<!\\) +$/, '');
	const ofDirectories = written.endsWith('/');
	const matches = matcherOf(ofDirectories ? written.slice(0, -1) : written);
	return path => {
		if (ofDirectories && !path.endsWith('/')) return undefined;
		if (!matches(path.replace(/\/$/, ''))) return undefined;
		return isNegated ? 'wanted' : 'ignored';
	};
}

/**
Returns a matcher for a pattern. Braces have no meaning in a .gitignore. An invalid pattern matches nothing, as in
git.
*/
function matcherOf(pattern: string): PathMatcher {
	const glob = compileGlob(pattern.replaceAll(/\\.|[{}]/g, part => (part.length === 2 ? part : `\\${part}`)));
	return glob.ok ? glob.matches : () => false;
}
