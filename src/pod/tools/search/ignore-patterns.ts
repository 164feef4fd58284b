import ignore, {type Ignore} from 'ignore';
import {compileGlob, type PathMatcher} from '../../ground/globs/glob-pattern.ts';

/**
The patterns of one .gitignore file. `verdict` takes a path relative to the folder of that file. A directory's path ends
in `/`.
*/
export type IgnorePatterns = {readonly verdict: (path: string) => 'ignored' | 'wanted' | undefined};

/**
Compiles the text of a .gitignore. The library turns each pattern into a regular expression. Some patterns with several
`**` would take exponential time there. inkpod matches such patterns itself, in time proportional to the length of the
pattern times that of the path. It uses at most `maxPatterns`, none longer than `maxPatternLength`, because the library
fails on very long patterns.
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

/** Groups neighbouring patterns that the library can match. The last group that decides wins. */
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

/** Tells whether a pattern is hard for the library. A `**` at the start or the end is not hard for it. */
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
