import {partsOf, type Segment} from './command-starts.ts';
import type {Word} from './text-glob.ts';
import {unknown, type Places, type TextSymbol} from './text-glob.ts';
import {quotedTexts} from './plain-command.ts';
import {wordsOf} from './text-glob.ts';

/**
Returns everything that a command may run, for rules that deny: too much rather than too little. It reads the command
twice: as a shell does, and as a sequence of words, because scripts in all languages consist of words. The first reading
removes quotes and backslashes, so it also covers quoted text. The result of an expansion is unknown. Each part between
operators, in a substitution or after a redirection is read separately, and any word may begin a command.
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
	// A script in quotes may contain quotes and backslashes of its own.
	const texts = new Set([command, plain, withoutQuotes(plain), ...replacements(plain)]);
	return [...Array.from(texts, wordsOf), ...shellParts.flatMap(segments => segments?.flatMap(partsOf) ?? [anything])];
}

/**
A backslash in a comment does not join two lines, and only the shell knows where comments are. For the shell a blank in
quotes belongs to the word, but for a program that reads the text again it ends the word: `git -C 'a b' push`.
*/
function readings(command: string): ReadonlySet<string> {
	const joined = command.includes('\\\n') ? [command, command.replaceAll('\\\n', '\n')] : [command];
	return new Set([...joined, ...joined.map(withQuotedBlanksKept)]);
}

/** For the shell a name with quotes inside is one word: `ev'il'`. */
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

/** A walk over a command, with the segments that it has found. */
type Scan = {readonly text: readonly string[]; readonly segments: Segment[]; at: number; tooDeep: boolean};

/** Reads past a closing character, or to the end. `isText`: the first words are a value, not a command. */
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

/** Passes an expansion, reads the commands in it, and adds its result. Returns false if no expansion begins here. */
function passExpansion(close: string | undefined, scan: Scan, depth: number, add: Segmenter['add']): boolean {
	const {text, at} = scan;
	const here = text[at] ?? '';
	const after = text[at + 1];
	const opens = after !== undefined && openers.get(here)?.(after) === true;
	if (opens && !(here === '`' && close === '`')) {
		scan.at += '{`'.includes(here) ? 1 : 2;
		const opening = text[scan.at - 1] ?? '';
		// A process substitution becomes the name of a file.
		if (here === '<' || here === '>') for (const character of '/dev/fd/') add(character);
		readUntil(closing[opening], scan, depth + 1, opening === '{' || opening === "'");
		add(unknown);
		return true;
	}
	scan.at += expansionLength(scan);
	if (scan.at > at) add(unknown);
	return scan.at > at;
}

/** Counts the characters here that become unknown text: a variable, a wildcard, or a bracket around a class. */
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
	// The commands in this text are read later.
	return text.slice(at, end).some(character => special.has(character)) ? 1 : end + 1 - at;
}

/** Maps the first character of an expansion to a test for the next one. */
const openers: ReadonlyMap<string, (next: string) => boolean> = new Map<string, (next: string) => boolean>([
	['$', next => next === '(' || next === '{' || next === "'"],
	['`', () => true],
	['{', next => !blanks.has(next) && next !== '}'],
	...Array.from('<>@+!*?', (opener): [string, (next: string) => boolean] => [opener, next => next === '(']),
]);

/** Passes a redirection. Its target is not a word of the command. */
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
Matches a target that stays one word however often its quotes are removed. For any other target, only the shell knows
where it ends: `git <<<"a\" b" push`.
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
		Records that any text may follow the words so far, in addition to the actual text. Returns false after too many
		such records.
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

/** An empty word counts as a number. */
function isNumber(word: Word): boolean {
	return word.every(symbol => symbol !== unknown && /\d/.test(symbol));
}

const closing: Readonly<Record<string, string>> = {'(': ')', '{': '}', '`': '`', "'": "'"};
const blanks: ReadonlySet<string> = new Set([' ', '\t', '\n', '\r']);
const separators: ReadonlySet<string> = new Set([';', '&', '|', '\n', '\r', ')', '`']);
const special: ReadonlySet<string> = new Set('$`;&|<>(){}\'"\\');

const maxClass = 256;

/**
Returns the end of the character class that begins here, within its word. A class that is too long is read in pieces.
*/
function classEnd(text: readonly string[], from: number): number {
	const last = from + maxClass - 1;
	for (let at = from + 1; at <= last && at < text.length && !blanks.has(text[at] ?? ''); at++) {
		if (at === last || (text[at] === ']' && at > from + 1)) return at;
	}
	return -1;
}

/**
Tells whether a script of sed may run lines of its input: the command `e` without a command of its own, or with one that
the shell expands, or the flag `e` of `s`. Nobody knows the input, so it may be any command.
*/
function runsInput(command: string): boolean {
	const at = command.search(sed);
	return at >= 0 && (bareCommand.test(command.slice(at)) || scriptCommand.test(command.slice(at)));
}

/** Returns the texts that `s` puts in with a letter as its delimiter and with the flag `e`: `sAxAcommandAe`. */
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
