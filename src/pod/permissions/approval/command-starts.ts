import {
	runnerOf,
	isCommandKey,
	isCommandVariable,
	isShell,
	mayTakeArgument,
	usesOwnC,
	type CommandRunner,
} from './command-runners.ts';
import {appended, textOf, withInput, type Word, unknown, type Places, type Skip, type TextSymbol} from './text-glob.ts';
import {filters, isOffered, patternFacts, type PatternFacts} from './pattern-programs.ts';

/** The words of a command up to an operator. */
export type Segment = {
	readonly words: readonly Word[];
	/** Whether the first words are a value, not a command. */
	readonly isText: boolean;
	/** Whether `<<` provides the input of the command. */
	readonly hasDocument: boolean;
};

/**
Returns what a segment can run: its own words, these words with words from its input, and the script that it reads.
*/
export function partsOf(segment: Segment): readonly Places[] {
	const {part, readsInput} = partOf(segment);
	const words = segment.words.map(textOf);
	const isWritten = segment.hasDocument && !words.some(isShell);
	return [
		part,
		...withInput(segment.words).map(given => partOf({...segment, words: given}).part),
		...(readsInput && !isWritten ? [anything] : []),
	];
}

/**
The first words of commands that a rule allows: the program, its subcommand, and for some programs one more word.
`npm test *` also covers `npm test`.
*/
export type CommandPattern = readonly string[];

/**
Returns the pattern that a card may offer for a simple command, or `undefined`. The program must be on the list of
programs whose arguments are data. For any other command, a card can allow only the exact text.
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

/** Returns the text of a pattern for the screen. The words of a pattern contain no blanks. */
export function patternText(pattern: CommandPattern): string {
	return `${pattern.join(' ')} *`;
}

/**
Tells whether a simple command only outputs its input, a part of it or a summary of it: `head`, `tail`, `wc` or `sort`,
with harmless options and without a file.
*/
export function isFilter([program = '', ...rest]: readonly string[]): boolean {
	return filters.get(program)?.test(rest.join(' ')) === true && rest.every(word => !/ |^$/.test(word));
}

const anything: Places = {symbols: [unknown], starts: new Set([0])};

/** The state while the words of a segment are read. */
type State = {
	/** The number of words after this one that can still be a command, not counting options. */
	readonly left: number;
	readonly runner?: CommandRunner | undefined;
	readonly readsInput?: boolean;
	/** Whether an option prevents the program from running any command. */
	readonly isIdle?: boolean;
	/** Whether `-c` of the first program is known to mean something else. */
	readonly ownC?: boolean;
};

function partOf({words, isText}: Segment): {readonly part: Places; readonly readsInput: boolean} {
	const symbols: TextSymbol[] = [];
	const starts = new Set<number>();
	const skips = new Map<number, Skip>();
	let state: State = {left: isText ? 0 : 1};
	let inOptions = false;
	for (const [index, word] of words.entries()) {
		const isOption = word[0] === '-' && word.length > 1;
		const isAfterOption = words[index - 1]?.[0] === '-';
		// After an option comes its argument, or the first word after all options. Both are possible, so a match may
		// skip options.
		if (isOption && !isAfterOption && index > 0) skips.set(symbols.length, inOptions ? 'both' : 'save');
		else if (inOptions) skips.set(symbols.length, 'resume');
		inOptions = isOption || (inOptions && isAfterOption);
		if (index > 0) symbols.push(' ');
		if (index === 0) state = {...state, ownC: usesOwnC(textOf(word))};
		state = addWord(word, symbols.length, state, starts);
		for (const symbol of word) symbols.push(symbol);
	}
	const {runner, left, readsInput = false, isIdle = false} = state;
	// If xargs gets no command, it prints its input.
	if (runner?.printsInput === true && words.at(-1) === appended && left > 0) starts.delete(symbols.length - 1);
	const lacksScript = runner?.readsInput === true && left > 0 && !isIdle;
	return {part: {symbols, starts, skips}, readsInput: readsInput || lacksScript};
}

/** Adds the places in a word at which a command may begin, and updates the state for the word. */
function addWord(word: Word, at: number, before: State, starts: Set<number>): State {
	const text = textOf(word);
	const first = mayRun(before);
	if (first || word[0] !== unknown) starts.add(at);
	for (const place of slashes(word, first)) starts.add(at + place);
	for (const place of attached(text, before.runner)) starts.add(at + place);
	let state = before;
	let from = 0;
	for (const [place, symbol] of word.entries()) {
		if (symbol !== unknown) continue;
		const prefix = text.slice(from, place);
		if (prefix !== '') state = follow(state, prefix);
		if (mayRun(state) && (place === 0 || prefix === '' || isOpen(prefix))) starts.add(at + place);
		if (takesCommand(prefix, before.runner)) starts.add(at + place);
		// Unknown text may end with a blank, so a word may begin after it.
		if (first || word[place + 1] !== unknown) starts.add(at + place + 1);
		from = place + 1;
	}
	if (from < text.length) return follow(state, text.slice(from));
	// Unknown text may be a program that runs the following words.
	return state.runner?.runsFile === true ? {...state, left: state.left - 1} : state;
}

/**
Tells whether a command may begin in the same word right after the text, because the text is a runner or an option.
*/
function isOpen(prefix: string): boolean {
	return prefix.startsWith('-') || runnerOf(prefix)?.runs === 0;
}

function mayRun({left, runner}: State): boolean {
	return left > 0 && runner?.runsFile !== true;
}

/**
Returns the places after slashes. `all`: returns all places, because a program may run the path. Otherwise returns only
the last place, if a name follows it.
*/
function slashes(word: Word, all: boolean): readonly number[] {
	const places = word.flatMap((symbol, place) => (symbol === '/' ? [place + 1] : []));
	return all ? places : places.slice(-1).filter(place => word[place] !== unknown);
}

/** Returns the places where an option may end and its attached argument may begin, as in `-Icommand`. */
function attached(text: string, runner: CommandRunner | undefined): readonly number[] {
	return [2, 3, 4, 5, 6].filter(end => end < text.length && runner?.options?.test(text.slice(0, end)));
}

/** Tells whether the text after `name=`, or right after an option, is a command. */
function takesCommand(prefix: string, runner: CommandRunner | undefined): boolean {
	if (prefix === '' || prefix.length > maxName) return false;
	const name = prefix.replace(/!$/, '').replace(/=$/, '');
	const option = prefix.replace(/=.*$/s, '');
	if (runner?.options?.test(name) === true || runner?.options?.test(option) === true) return true;
	return name !== prefix && (isCommandVariable(name) || isCommandKey(name));
}

const maxName = 80;

/** Updates the state for one word, or for the part of a word before unknown text. */
function follow(state: State, text: string): State {
	const {left, runner} = state;
	const found = text === '-c' && state.ownC === true ? undefined : runnerOf(text);
	const isOption = text.startsWith('-') && runner?.options?.test(text) !== true;
	// The text may be an option of the current runner with another meaning. In this case, the command comes after the
	// option's argument.
	if (found?.anywhere === true && left > 0 && isOption) return {...state, left: left + 1};
	if (found?.anywhere === true || (found !== undefined && left > 0 && runner?.runsFile !== true)) {
		return {...state, runner: found, left: Math.max(left - 1, found.runs === undefined ? 0 : found.runs + 1)};
	}
	if (isCommandKey(text)) return {...state, left: Math.max(left, 1)};
	if (runner?.becomes?.words.test(text) === true) {
		return {
			...state,
			runner: runner.becomes.runner,
			left: Math.max(left, (runner.becomes.runner.runs ?? 0) + 1),
		};
	}
	if (runner?.options?.test(text) === true) return {...state, runner: command, left: 1};
	return passWord(state, text);
}

const command: CommandRunner = {runs: 0};

/** Updates the state for a word that is not known to contain a command. */
function passWord(state: State, text: string): State {
	const {left, runner} = state;
	const readsScript = runner?.readsInput === true && (runner.runsFile ?? runner.anywhere) === true;
	if (readsScript && inputFile.test(text)) return {...state, readsInput: true};
	if (left === 0 || text === ':::') return state;
	if (idle.test(text) || runner?.idle?.test(text) === true) return {...state, isIdle: true};
	if (assignment.test(text)) return state;
	if (runner === undefined || !text.startsWith('-')) return {...state, left: left - 1};
	return mayTakeArgument(runner, text) ? {...state, left: left + 1} : state;
}

const assignment = /^\w+\+?=/;

const idle = /^(?:--version|--help|-V)$/;

const inputFile = /^(?:-|\/dev\/(?:stdin|fd\/.*)|\/proc\/self\/fd\/.*)$/;

const maxWords = 100;

function factsOf(program: string, subcommand: string): PatternFacts | undefined {
	if (!/^[A-Za-z][\w+-]{0,39}$/.test(program) || !/^[A-Za-z][\w:-]{0,39}$/.test(subcommand)) return undefined;
	return patternFacts(program, subcommand);
}

/**
Tells whether a word may be the third word of a pattern. The name of a script must not be the name of a program that
runs commands, except for a few usual scripts.
*/
function isName(word: string | undefined, {third, isScript}: PatternFacts): boolean {
	if (third === undefined) return word === undefined;
	if (word === undefined || !third.test(word)) return false;
	return isScript !== true || usualScripts.has(word) || runnerOf(word) === undefined;
}

/** Names that most projects use for scripts, although programs have the same names. */
const usualScripts: ReadonlySet<string> = new Set(['test', 'start', 'install', 'info', 'open']);

function areHarmless(rest: readonly string[], facts: PatternFacts): boolean {
	const end = rest.indexOf('--');
	const own = end < 0 ? rest : rest.slice(0, end);
	const later = end < 0 ? [] : rest.slice(end + 1);
	if (facts.words === 'refs' && !namesOrigin([...own, ...later])) return false;
	return own.every(isHarmless(facts.options, facts)) && later.every(isHarmless(facts.laterOptions, facts));
}

/** Tells whether the first word that is not an option is `origin`, or whether there is no such word. */
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
The characters of harmless words. Some versions of npm and yarn pass the words to a shell in double quotes, so no word
may contain a character that is special in double quotes.
*/
const wordKinds = {
	names: /^[\p{L}\p{N}_.][\p{L}\p{N}_./:,+#%@-]*$/u,
	refs: /^[\p{L}\p{N}_][\p{L}\p{N}_./-]*$/u,
	revisions: /^[\p{L}\p{N}_.][\p{L}\p{N}_./:,+#%@^~-]*$/u,
	texts: /^[\p{L}\p{N}_.][\p{L}\p{N} _./:,+#%@-]*$/u,
	messages: /^[\p{L}\p{N}_.][\p{L}\p{N}_./:,+#%@-]*$/u,
};

/** Tells whether a word contains no absolute path, no path from a home folder or to a parent folder, and no address. */
function staysInside(word: string): boolean {
	return !outside.test(word) && !word.split(/[\s/:=,]/).includes('..');
}

const outside = /(?:^|[\s=:,@'"(])[/~\\]|::|^[@+:]|^-[A-Za-z]+[/~]/;
