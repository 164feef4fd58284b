import {runnerOf} from './command-runners.ts';
import {filters, isOffered, patternFacts, type PatternFacts} from './pattern-programs.ts';

/**
The first words of commands that a rule allows: the program, its subcommand, and for some programs one more word.
`npm test *` also covers `npm test`.
*/
export type CommandPattern = readonly string[];

/**
Returns the pattern that a card may offer for a simple command, or `undefined`. The program must be on the list of those
whose arguments are data. Everything else can be allowed only as its exact text.
*/
export function patternOf(words: readonly string[]): CommandPattern | undefined {
	const [program = '', subcommand = ''] = words;
	const facts = factsOf(program, subcommand);
	if (facts === undefined) return undefined;
	const pattern = words.slice(0, facts.third === undefined ? 2 : 3);
	return isOffered(pattern) && coversWords(pattern, words) ? pattern : undefined;
}

/** Tells whether a pattern allows a simple command. The words after the pattern must be known to be harmless. */
export function coversWords(pattern: CommandPattern, words: readonly string[]): boolean {
	const [program = '', subcommand = '', name] = pattern;
	const facts = factsOf(program, subcommand);
	if (facts === undefined || pattern.length > 3 || !isName(name, facts)) return false;
	if (words.length > maxWords || !pattern.every((word, index) => words[index] === word)) return false;
	return areHarmless(words.slice(pattern.length), facts);
}

/** Returns a pattern as it is shown. Its words contain no blanks. */
export function patternText(pattern: CommandPattern): string {
	return `${pattern.join(' ')} *`;
}

/**
Tells whether a simple command only passes on a part of its input: `head`, `tail`, `wc` or `sort`, with harmless
options and without a file.
*/
export function isFilter([program = '', ...rest]: readonly string[]): boolean {
	return filters.get(program)?.test(rest.join(' ')) === true && rest.every(word => !/ |^$/.test(word));
}

const maxWords = 100;

function factsOf(program: string, subcommand: string): PatternFacts | undefined {
	if (!/^[A-Za-z][\w+-]{0,39}$/.test(program) || !/^[A-Za-z][\w:-]{0,39}$/.test(subcommand)) return undefined;
	return patternFacts(program, subcommand);
}

/** Tells whether a word may be the last one of a pattern. The name of a script is not that of a program. */
function isName(word: string | undefined, {third, isScript}: PatternFacts): boolean {
	if (third === undefined) return word === undefined;
	if (word === undefined || !third.test(word)) return false;
	return isScript !== true || usualScripts.has(word) || runnerOf(word) === undefined;
}

/** Names of scripts in most projects, although programs have the same names. */
const usualScripts: ReadonlySet<string> = new Set(['test', 'start', 'install', 'info', 'open']);

function areHarmless(rest: readonly string[], facts: PatternFacts): boolean {
	const end = rest.indexOf('--');
	const own = end < 0 ? rest : rest.slice(0, end);
	const later = end < 0 ? [] : rest.slice(end + 1);
	if (facts.words === 'refs' && !namesOrigin([...own, ...later])) return false;
	return own.every(isHarmless(facts.options, facts)) && later.every(isHarmless(facts.laterOptions, facts));
}

/** Tells whether the first word that is not an option is the usual remote, or absent. */
function namesOrigin(words: readonly string[]): boolean {
	const [remote = 'origin'] = words.filter(word => !word.startsWith('-'));
	return remote === 'origin';
}

function isHarmless(options: RegExp | undefined, {words}: PatternFacts): (word: string) => boolean {
	return word => {
		if (word.startsWith('-')) return options?.test(word) === true && staysInside(word);
		if (words === 'messages' && word.includes(' ')) return true;
		return words !== 'none' && wordKinds[words].test(word) && staysInside(word);
	};
}

/**
The characters of harmless words. Some versions of npm and yarn give the words to a shell in double quotes, so a text
contains no character that is special there.
*/
const wordKinds = {
	names: /^[\p{L}\p{N}_.][\p{L}\p{N}_./:,+#%@-]*$/u,
	refs: /^[\p{L}\p{N}_][\p{L}\p{N}_./-]*$/u,
	revisions: /^[\p{L}\p{N}_.][\p{L}\p{N}_./:,+#%@^~-]*$/u,
	texts: /^[\p{L}\p{N}_.][\p{L}\p{N} _./:,+#%@-]*$/u,
	messages: /^[\p{L}\p{N}_.][\p{L}\p{N}_./:,+#%@-]*$/u,
};

/** Tells whether a word contains no path from the root, from a home folder or to a folder above, and no address. */
function staysInside(word: string): boolean {
	return !outside.test(word) && !word.split(/[\s/:=,]/).includes('..');
}

const outside = /(?:^|[\s=:,@'"(])[/~\\]|::|^[@+:]|^-[A-Za-z]+[/~]/;
