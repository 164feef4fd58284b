import {partsOf, type Segment} from './command-starts.ts';
import type {Word} from './input-words.ts';
import {unknown, type Places, type TextSymbol} from './text-glob.ts';
import {wordsOf} from './text-words.ts';

/**
All that might run of a command, for rules that forbid: rather too much than too little. It is read twice: as a shell
reads it, and as a row of words, which is what it has in common with a script in any other language.
As a shell: quotes and backslashes are removed, so quoted text counts as well; what is expanded is unknown; each part
between operators, in a substitution or after a redirection is a part of its own; any word may begin a command.
*/
export function commandParts(command: string): readonly Places[] {
	if (command.length > maxLength || promptExpansion.test(command)) return [anything];
	const shellParts = Array.from(readings(command), readShell);
	const texts = new Set([command, withoutQuotes(command)]);
	return [...Array.from(texts, wordsOf), ...shellParts.flatMap(segments => segments?.flatMap(partsOf) ?? [anything])];
}

/**
In a comment a backslash does not join two lines, and where comments are, only the shell knows. A blank in quotes ends a
word for what reads the text once more, and belongs to the word for the shell: `git -C 'a b' push`.
*/
function readings(command: string): ReadonlySet<string> {
	const joined = command.includes('\\\n') ? [command, command.replaceAll('\\\n', '\n')] : [command];
	return new Set([...joined, ...joined.map(withQuotedBlanksKept)]);
}

/** A name that quotes part is one word for the shell: `ev'il'`. */
function withoutQuotes(command: string): string {
	return command.replaceAll(/\\([^])|["']/g, '$1');
}

/** The text with something else in the place of blanks in quotes and of those after a backslash. */
function withQuotedBlanksKept(command: string): string {
	return command.replaceAll(/\\[^]|'[^']*'|"(?:\\[^]|[^"\\])*"/g, piece => piece.replaceAll(/[ \t]/g, '_'));
}

/** The segments of a command. Undefined where they are nested too deep. */
function readShell(command: string): readonly Segment[] | undefined {
	const scan: Scan = {text: Array.from(command), segments: [], at: 0, tooDeep: false};
	readUntil(undefined, scan, 0);
	return scan.tooDeep ? undefined : scan.segments;
}

/** `${x@P}` runs the substitutions in the value of a variable. */
const promptExpansion = /@P\}/;
const maxLength = 32_768;
const maxDepth = 40;
const anything: Places = {symbols: [unknown], starts: new Set([0])};

/** A walk over a command, and the segments that were found. */
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

/** Passes what is expanded, reads the commands in it, and adds what it becomes. False when nothing is expanded here. */
function passExpansion(close: string | undefined, scan: Scan, depth: number, add: Segmenter['add']): boolean {
	const {text, at} = scan;
	const here = text[at] ?? '';
	const after = text[at + 1];
	const opens = after !== undefined && openers.get(here)?.(after) === true;
	if (opens && !(here === '`' && close === '`')) {
		scan.at += '{`'.includes(here) ? 1 : 2;
		const opening = text[scan.at - 1] ?? '';
		// A substituted process has the name of a file.
		if (here === '<' || here === '>') for (const character of '/dev/fd/') add(character);
		readUntil(closing[opening], scan, depth + 1, opening === '{' || opening === "'");
		add(unknown);
		return true;
	}
	scan.at += expansionLength(scan);
	if (scan.at > at) add(unknown);
	return scan.at > at;
}

/** How many characters here become something unknown: a variable, a wildcard, or a bracket around a class. */
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
	// Commands in it are still to be read.
	return text.slice(at, end).some(character => special.has(character)) ? 1 : end + 1 - at;
}

/** What opens an expansion, by its first character and what the next one has to be. */
const openers: ReadonlyMap<string, (next: string) => boolean> = new Map<string, (next: string) => boolean>([
	['$', next => next === '(' || next === '{' || next === "'"],
	['`', () => true],
	['{', next => !blanks.has(next) && next !== '}'],
	...Array.from('<>@+!*?', (opener): [string, (next: string) => boolean] => [opener, next => next === '(']),
]);

/** Passes a redirection. What it names is not a word of its command. */
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
A target that is one word, however often the text is read and quotes are removed. Of any other, only the shell knows
where it ends: `git <<<"a\" b" push`.
*/
const oneWord = /^(?:(?:[\w./:@%+=,~^$-]|\$\{\w+\})+|(['"])(?:[\w./:@%+=,~^$-]|\$\{\w+\})*\1)(?=[\s;&|<>)`}]|$)/;
const maxTarget = 256;

type Segmenter = ReturnType<typeof createSegment>;

/** Puts words together. The word after a redirection becomes a segment of its own. */
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
		/** The words so far may continue with any text, besides how they do continue. False after too many of these. */
		continueUnknown() {
			const known = redirected !== undefined || isNumber(word) ? words : [...words, word];
			if (known.length > 0) segments.push({words: [...known, [unknown]], isText, hasDocument});
			return ++continuations <= maxContinuations;
		},
		/** A number before it names what is redirected. */
		redirect(operator: string, toNextWord: boolean) {
			if (isNumber(word)) word = [];
			endWord();
			hasDocument ||= operator === '<<';
			redirected = toNextWord ? operator : undefined;
		},
	};
}

const maxContinuations = 20;

/** An empty word, too. */
function isNumber(word: Word): boolean {
	return word.every(symbol => symbol !== unknown && /\d/.test(symbol));
}

const closing: Readonly<Record<string, string>> = {'(': ')', '{': '}', '`': '`', "'": "'"};
const blanks: ReadonlySet<string> = new Set([' ', '\t', '\n', '\r']);
const separators: ReadonlySet<string> = new Set([';', '&', '|', '\n', '\r', ')', '`']);
const special: ReadonlySet<string> = new Set('$`;&|<>(){}\'"\\');

const maxClass = 256;

/** Where a class of characters ends that begins here, within its word. A longer one is read in pieces. */
function classEnd(text: readonly string[], from: number): number {
	const last = from + maxClass - 1;
	for (let at = from + 1; at <= last && at < text.length && !blanks.has(text[at] ?? ''); at++) {
		if (at === last || (text[at] === ']' && at > from + 1)) return at;
	}
	return -1;
}
