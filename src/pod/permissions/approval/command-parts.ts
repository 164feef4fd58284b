import {partsOf, type Segment} from './command-starts.ts';
import type {Word} from './text-glob.ts';
import {unknown, type Places, type TextSymbol} from './text-glob.ts';
import {quotedTexts} from './plain-command.ts';
import {wordsOf} from './text-glob.ts';

/**
Returns everything that a command can run, for rules that ask or deny. In doubt it returns too much. Reads the command
in two ways: as a shell does, and as a sequence of words, because scripts in all languages consist of words. The shell
reading removes quotes and backslashes, so it also covers quoted text. Treats the result of an expansion as unknown
text. Reads each part between operators, in a substitution or after a redirection separately. In the other reading, any
word may begin a command.
*/
export function commandParts(command: string): readonly Places[] {
	if (command.length > maxLength || promptExpansion.test(command)) return [anything];
	const quoted = quotedTexts(command);
	if (quoted === undefined) return [anything];
	const commands = new Set([...readings(command), ...quoted.outer]);
	const shellParts = [
		...Array.from(commands, text => readShell(text)),
		...quoted.inner.map(text => readShell(text, true)),
	];
	if (runsInput(command)) return [anything];
	const plain = withoutQuotes(command);
	// A quoted script may itself contain quotes and backslashes.
	const texts = new Set([command, plain, withoutQuotes(plain), ...replacements(plain)]);
	return [...Array.from(texts, wordsOf), ...shellParts.flatMap(segments => segments?.flatMap(partsOf) ?? [anything])];
}

/**
Returns the ways to read a command. A backslash at the end of a line joins two lines, but not in a comment, and only the
shell knows where comments are. A quoted blank belongs to the word for the shell, but it can end the word for a program
that parses the text again: `git -C 'a b' push`.
*/
function readings(command: string): ReadonlySet<string> {
	const joined = command.includes('\\\n') ? [command, command.replaceAll('\\\n', '\n')] : [command];
	return new Set([...joined, ...joined.map(withQuotedBlanksKept)]);
}

/** The shell reads a name with quotes inside as one word: `ev'il'`. */
function withoutQuotes(command: string): string {
	return command.replaceAll(/\\([^])|["']/g, '$1');
}

/** Returns the text with another character in place of each quoted or escaped blank. */
function withQuotedBlanksKept(command: string): string {
	return command.replaceAll(/\\[^]|'[^']*'|"(?:\\[^]|[^"\\])*"/g, piece => piece.replaceAll(/[ \t]/g, '_'));
}

/** Returns the segments of a command, or `undefined` if they are nested too deeply. */
function readShell(command: string, isText = false): readonly Segment[] | undefined {
	const scan: Scan = {text: Array.from(command), segments: [], at: 0, tooDeep: false};
	readUntil(undefined, scan, 0, isText);
	return scan.tooDeep ? undefined : scan.segments;
}

/** `${x@P}` runs the substitutions in the value of the variable `x`. */
const promptExpansion = /@P\}/;
const maxLength = 32_768;
const maxDepth = 40;
const anything: Places = {symbols: [unknown], starts: new Set([0])};

/** The state of a scan over a command, with the segments that it has found. */
type Scan = {readonly text: readonly string[]; readonly segments: Segment[]; at: number; tooDeep: boolean};

/**
Reads up to and including a closing character, or to the end. `isText`: the first words are a value, not a command.
*/
function readUntil(close: string | undefined, scan: Scan, depth: number, isText = false): void {
	const {text} = scan;
	if (depth > maxDepth) {
		scan.tooDeep = true;
		scan.at = text.length;
	}
	const segment = createSegment(scan.segments, isText);
	for (let here = text[scan.at]; here !== undefined && here !== close; here = text[scan.at]) {
		if (here === '\\') scan.at += text[scan.at + 1] === '\n' ? 2 : 1;
		else if (passExpansion(close, scan, depth, segment.add)) continue;
		else if (here === "'" || here === '"') scan.at++;
		else if ('<>'.includes(here) || (here === '&' && text[scan.at + 1] === '>'))
			passRedirection(scan, depth, segment);
		else if (here === '(') {
			segment.end();
			scan.at++;
			readUntil(')', scan, depth + 1);
		} else {
			if (separators.has(here)) segment.end();
			else if (blanks.has(here)) segment.endWord();
			else segment.add(here);
			scan.at++;
		}
	}
	segment.end();
	scan.at++;
}

/**
Reads an expansion with the commands in it, and adds unknown text for its result. Returns false if no expansion begins
here.
*/
function passExpansion(close: string | undefined, scan: Scan, depth: number, add: Segmenter['add']): boolean {
	const {text, at} = scan;
	const here = text[at] ?? '';
	const after = text[at + 1];
	const opens = after !== undefined && openers.get(here)?.(after) === true;
	if (opens && !(here === '`' && close === '`')) {
		scan.at += '{`'.includes(here) ? 1 : 2;
		const opening = text[scan.at - 1] ?? '';
		// The shell replaces a process substitution with the name of a file.
		if (here === '<' || here === '>') for (const character of '/dev/fd/') add(character);
		readUntil(closing[opening], scan, depth + 1, opening === '{' || opening === "'");
		add(unknown);
		return true;
	}
	scan.at += expansionLength(scan);
	if (scan.at > at) add(unknown);
	return scan.at > at;
}

/**
Returns the number of characters here that become unknown text: a variable, a wildcard, a character class, or one of its
brackets.
*/
function expansionLength({text, at}: Scan): number {
	const here = text[at] ?? '';
	if (here === '$') {
		if (/[\d@*#!$-]/.test(text[at + 1] ?? '')) return 2;
		let length = 1;
		while (at + length < text.length && /\w/.test(text[at + length] ?? '')) length++;
		return length;
	}
	if (here === '*' || here === '?') return 1;
	if (here === ']') return at > 0 && !blanks.has(text[at - 1] ?? '') && text[at - 1] !== ']' ? 1 : 0;
	const end = here === '[' ? classEnd(text, at) : -1;
	if (end < 0) return 0;
	// If the class contains characters of the shell, only its bracket is skipped, so the text in it is still read.
	return text.slice(at, end).some(character => special.has(character)) ? 1 : end + 1 - at;
}

/** Maps the first character of an expansion to a test for the next one. */
const openers: ReadonlyMap<string, (next: string) => boolean> = new Map<string, (next: string) => boolean>([
	['$', next => next === '(' || next === '{' || next === "'"],
	['`', () => true],
	['{', next => !blanks.has(next) && next !== '}'],
	...Array.from('<>@+!*?', (opener): [string, (next: string) => boolean] => [opener, next => next === '(']),
]);

/** Reads a redirection. Its target is not a word of the command. */
function passRedirection(scan: Scan, depth: number, segment: Segmenter): void {
	const {text} = scan;
	const from = scan.at;
	while (scan.at < text.length && '<>&|'.includes(text[scan.at] ?? '')) scan.at++;
	const operator = text.slice(from, scan.at).join('');
	while (scan.at < text.length && ' \t'.includes(text[scan.at] ?? '')) scan.at++;
	if (!oneWord.test(text.slice(scan.at, scan.at + maxTarget).join('')) && !segment.continueUnknown())
		scan.tooDeep = true;
	const quote = text[scan.at];
	const isQuoted = quote === "'" || quote === '"';
	if (isQuoted) {
		scan.at++;
		readUntil(quote, scan, depth + 1, true);
	}
	segment.redirect(operator, !isQuoted);
}

/**
Matches a target that stays one word even if several programs remove quotes from it. Only the shell knows where any
other target ends: `git <<<"a\" b" push`.
*/
const oneWord = /^(?:(?:[\w./:@%+=,~^$-]|\$\{\w+\})+|(['"])(?:[\w./:@%+=,~^$-]|\$\{\w+\})*\1)(?=[\s;&|<>)`}]|$)/;
const maxTarget = 256;

type Segmenter = ReturnType<typeof createSegment>;

/** Joins words to segments. The word after a redirection becomes a separate segment. */
function createSegment(segments: Segment[], beginsAsText: boolean) {
	let isText = beginsAsText;
	let words: Word[] = [];
	let word: TextSymbol[] = [];
	let redirected: string | undefined;
	let hasDocument = false;
	let continuations = 0;
	const endWord = () => {
		if (word.length === 0) return;
		if (redirected === undefined) words.push(word);
		else segments.push({words: [word], isText: true, hasDocument: false});
		redirected = undefined;
		word = [];
	};
	return {
		add: (symbol: TextSymbol) => void word.push(symbol),
		endWord,
		end() {
			endWord();
			redirected = undefined;
			if (words.length > 0) segments.push({words, isText, hasDocument});
			words = [];
			isText = false;
			hasDocument = false;
		},
		/**
		Records that any text may follow the words before this point, in addition to the actual text. Returns false
		after too many such records.
		*/
		continueUnknown() {
			const known = redirected !== undefined || isNumber(word) ? words : [...words, word];
			if (known.length > 0) segments.push({words: [...known, [unknown]], isText, hasDocument});
			return ++continuations <= maxContinuations;
		},
		/** A number before the operator names the redirected descriptor. */
		redirect(operator: string, toNextWord: boolean) {
			if (isNumber(word)) word = [];
			endWord();
			hasDocument ||= operator === '<<';
			redirected = toNextWord ? operator : undefined;
		},
	};
}

const maxContinuations = 20;

/** Tells whether a word contains only digits, or nothing. */
function isNumber(word: Word): boolean {
	return word.every(symbol => symbol !== unknown && /\d/.test(symbol));
}

const closing: Readonly<Record<string, string>> = {'(': ')', '{': '}', '`': '`', "'": "'"};
const blanks: ReadonlySet<string> = new Set([' ', '\t', '\n', '\r']);
const separators: ReadonlySet<string> = new Set([';', '&', '|', '\n', '\r', ')', '`']);
const special: ReadonlySet<string> = new Set('$`;&|<>(){}\'"\\');

const maxClass = 256;

/**
Returns the index of the last character of the class that begins here, or -1. A class ends within its word. A class that
is too long is read in pieces.
*/
function classEnd(text: readonly string[], from: number): number {
	const last = from + maxClass - 1;
	for (let at = from + 1; at <= last && at < text.length && !blanks.has(text[at] ?? ''); at++) {
		if (at === last || (text[at] === ']' && at > from + 1)) return at;
	}
	return -1;
}

/**
Tells whether a sed script can run lines of its input. This is possible with the flag `e` of `s`, or with the command
`e` if this has no argument or an argument that the shell expands. The input is unknown, so it may contain any command.
*/
function runsInput(command: string): boolean {
	const at = command.search(sed);
	return at >= 0 && (bareCommand.test(command.slice(at)) || scriptCommand.test(command.slice(at)));
}

/**
Returns the replacement texts of `s` commands that have the flag `e` and a letter as their delimiter: `sAxAcommandAe`.
*/
function replacements(command: string): readonly string[] {
	const at = command.search(sed);
	if (at < 0) return [];
	return Array.from(command.slice(at).matchAll(letterDelimited), ([, , , text = '']) => text);
}

const sed = /(?:^|[^\w-])g?sed\s/;
const bareCommand = /sed\s+(?:-\w+\s+)*e(?=\s|$)/;
const scriptCommand = /(?:['"{;\d$!}]\s{0,9}|[/|,:#@%][gpimIM\d]{0,9})e[gpimIM\d]{0,9}(?=['"\s;}$`]|$)/;
const letterDelimited =
	/(?<![\p{L}\p{N}])s([\p{L}\p{N}_.-])([^\n]{1,200}?)\1([^\n]{1,200}?)\1[gpimIM\d]{0,9}e(?![\p{L}\p{N}])/gu;
