import {t} from '../../../language/index.ts';
import {globProblem} from '../../ground/globs/glob-pattern.ts';
import {expandBraces} from '../../ground/globs/glob-pattern.ts';
import {outside} from '../../ground/globs/glob-pattern.ts';
import {ruleProblems} from './texts.ts';

/** One alternative of a rule's `match`, parsed as a path. */
export type PathGlob = {
	/**
	Where the pattern begins. `parent`: its first segments are `..`. `anywhere`: it has only one segment, which matches
	at any depth, as in .gitignore.
	*/
	readonly from: 'anywhere' | 'base' | 'root' | 'home' | 'parent';
	/** The segments, without `.` and without empty segments. `..` occurs only at the start. */
	readonly segments: readonly string[];
	/** Whether the pattern ends with a slash. */
	readonly isFolder: boolean;
};

/** Parses an alternative: `./a`, `a//b`, `a/`, `a/../b`, `/a`, `~/a` and `../a` mean the same as in a shell. */
export function parsePathGlob(alternative: string): PathGlob {
	const written = splitGlob(alternative);
	const [first] = written;
	const isHome = first === '~';
	const isRoot = first === '' && written.length > 1;
	const segments: string[] = [];
	for (const segment of isHome ? written.slice(1) : written) {
		if (segment === '' || segment === '.') continue;
		if (segment !== '..') segments.push(segment);
		else if (segments.length > 0 && segments.at(-1) !== '..') segments.pop();
		else if (!isRoot) segments.push('..');
	}
	const isFolder = ['', '.', '..'].includes(written.at(-1) ?? '') && written.length > 1;
	return {from: beginning({isHome, isRoot, first, segments}), segments, isFolder};
}

type Beginning = {isHome: boolean; isRoot: boolean; first: string | undefined; segments: readonly string[]};

function beginning({isHome, isRoot, first, segments}: Beginning): PathGlob['from'] {
	if (isHome) return 'home';
	if (isRoot) return 'root';
	if (segments[0] === '..') return 'parent';
	return segments.length === 1 && first === segments[0] && first !== '**' ? 'anywhere' : 'base';
}

/**
Returns why a pattern could never match a path, as the end of a sentence that begins with the key of the pattern.
Returns `undefined` if the pattern can match a path.
*/
export function pathGlobProblem(match: string): string | undefined {
	const problem = globProblem(match);
	if (problem !== undefined) return ruleProblems.badGlob(problem.replace(/\.$/, ''));
	const never = neverNames.find(({is}) => is(match));
	return never && ruleProblems.neverNames(match, never.why);
}

/** Tests for patterns that match no path, each with a sentence that suggests a better pattern. */
const neverNames: ReadonlyArray<{readonly is: (match: string) => boolean; readonly why: string}> = [
	{
		is: match => match.startsWith('!'),
		why:
			t`begins with !, which excludes nothing here. ` +
			t`Write a rule for the exceptions and put it first; write \\! for the ! at the beginning of a name`,
	},
	{
		is: match => match.trim() !== match,
		why: t`begins or ends with a space. Remove it; if it belongs to the name, write [ ]`,
	},
	{is: match => match.includes('\0'), why: t`contains a NUL character. Remove it`},
	{
		is: match => /(?<!\\)(?:\\\\)*\\(?:[\p{L}\p{N}_]|$)/u.test(match),
		why: t`separates names with \\. Write / between names`,
	},
	{
		is: match => /^~[\p{L}_][\w.-]*(?:\/|$)/u.test(match),
		why:
			t`names the home folder of another user. ` +
			t`Write its absolute path; a name that begins with ~ is written \\~`,
	},
	{
		is: match => /^(?:\$[A-Z_]\w*|\$\{[A-Z_]\w*\})(?:\/|$)/.test(match),
		why: t`begins with a variable, and variables are not replaced here. Write ~/ or an absolute path`,
	},
	{is: match => expandBraces(match).some(leavesAnyDepth), why: t`contains .. after **. Write the path without ..`},
	{
		is: match => expandBraces(match).every(alternative => alternative === ''),
		why: t`has only empty alternatives. Write a path between the braces`,
	},
];

function leavesAnyDepth(alternative: string): boolean {
	const segments = splitGlob(alternative).filter(segment => segment !== '' && segment !== '.');
	return segments.includes('**') && segments.lastIndexOf('..') > segments.indexOf('**');
}

/** Tells whether a segment matches only one name. */
export function isLiteral(segment: string): boolean {
	return !/(?<!\\)(?:\\\\)*[*?[]/.test(segment);
}

/** Returns the name that a literal segment represents. */
export function literalOf(segment: string): string {
	return segment.replaceAll(/\\([^])/g, '$1');
}

/** Returns the segment that matches only this name. */
export function patternOf(name: string): string {
	return name.replaceAll(/[*?[\\]/g, String.raw`\$&`);
}

/** Splits a pattern at the slashes outside of character classes. An escaped slash counts as a slash. */
function splitGlob(alternative: string): readonly string[] {
	if (!/[\\[]/.test(alternative)) return alternative.split('/');
	const text = alternative.replaceAll(/\\([^])/g, (pair, character: string) => (character === '/' ? '/' : pair));
	const slashes = [...outside(text, 0)].filter(({character}) => character === '/').map(({index}) => index);
	const starts = [0, ...slashes.map(slash => slash + 1)];
	return starts.map((start, at) => text.slice(start, slashes[at]));
}
