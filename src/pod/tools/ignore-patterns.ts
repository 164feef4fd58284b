import ignore, {type Ignore} from 'ignore';
import {compileGlob, type PathMatcher} from './glob-pattern.ts';

/**
What the patterns of one .gitignore say of an entry, by its path from the file's folder. A directory's path ends in `/`.
*/
export type IgnorePatterns = {readonly verdict: (path: string) => 'ignored' | 'wanted' | undefined};

/**
Compiles the text of a .gitignore. The library makes a regular expression of each pattern, which takes exponential time
for some with several `**`: such a pattern is matched in time proportional to pattern times path instead. Of a file, at
most `maxPatterns` count, and none that is longer than `maxPatternLength`: the library fails on very long ones.
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

const maxPatterns = 5000;
const maxPatternLength = 1000;

type Group = IgnorePatterns['verdict'];

/** Neighbouring patterns that the library can match are one group; the last group that decides wins. */
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

/** A `**` at the front or at the end takes no time of its own. */
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

/** Braces mean nothing in a .gitignore. A pattern that is none matches nothing, as in git. */
function matcherOf(pattern: string): PathMatcher {
	const glob = compileGlob(pattern.replaceAll(/\\.|[{}]/g, part => (part.length === 2 ? part : `\\${part}`)));
	return glob.ok ? glob.matches : () => false;
}
