import {unknown, type TextSymbol} from './text-glob.ts';

/** A text that a shell may run, and the places in it from which a command may begin. */
export type CommandPart = {readonly symbols: readonly TextSymbol[]; readonly starts: ReadonlySet<number>};

/**
All that a shell might run of a command, for rules that forbid: rather too much than too little. Quotes and backslashes are taken
away, so what they hold counts as well; what is expanded is unknown; each part between operators, in a substitution or behind a
redirection is a part of its own; any word may be where a command begins, because of programs that run what they are told.
*/
export function commandParts(command: string): readonly CommandPart[] {
	if (command.length > maxLength) return [anything];
	const scan: Scan = {text: Array.from(command), segments: [], at: 0, tooDeep: false};
	readUntil(undefined, scan, 0);
	return scan.tooDeep ? [anything] : scan.segments.flatMap(partsOf);
}

const maxLength = 32_768;
const maxDepth = 40;
const anything: CommandPart = {symbols: [unknown], starts: new Set([0])};

type Word = readonly TextSymbol[];

/** A walk over a command, and the words of each segment that was found. */
type Scan = {readonly text: readonly string[]; readonly segments: Array<readonly Word[]>; at: number; tooDeep: boolean};

/** Reads to behind a closing character, or to the end. */
function readUntil(close: string | undefined, scan: Scan, depth: number): void {
	const {text} = scan;
	if (depth > maxDepth) {
		scan.tooDeep = true;
		scan.at = text.length;
	}
	const segment = createSegment(scan.segments);
	for (let here = text[scan.at]; here !== undefined && here !== close; here = text[scan.at]) {
		if (here === '\\') scan.at += text[scan.at + 1] === '\n' ? 2 : 1;
		else if (here === '\'' || here === '"') scan.at++;
		else if (passExpansion(close, scan, depth)) segment.add(unknown);
		else if (here === '<' || here === '>' || (here === '&' && text[scan.at + 1] === '>')) segment.redirect(passRedirection(scan, depth));
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

/** Passes what is expanded to something unknown, and reads the commands in it. False when nothing is. */
function passExpansion(close: string | undefined, scan: Scan, depth: number): boolean {
	const {text, at} = scan;
	const here = text[at]!;
	const after = text[at + 1];
	const opens = openers.find(([opener, next]) => opener === here && (next === undefined || (after !== undefined && next(after))));
	if (opens !== undefined && !(here === '`' && close === '`')) {
		scan.at += here === '{' || here === '`' ? 1 : 2;
		readUntil(closing[text[scan.at - 1]!], scan, depth + 1);
		return true;
	}
	const last = here === '$' && after === '\'' ? text.indexOf('\'', at + 2) : here === '[' ? classEnd(text, at) : -1;
	if (last >= 0) scan.at = last + 1;
	else if (here === '$') for (scan.at++; scan.at < text.length && /[\w@#!$-]/.test(text[scan.at]!); ) scan.at++;
	else if (here === '*' || here === '?') scan.at++;
	return scan.at > at;
}

/** What opens an expansion, by its first character and what the next one has to be. */
const openers: ReadonlyArray<readonly [string, ((next: string) => boolean)?]> = [
	['$', next => next === '(' || next === '{'],
	['`'],
	['{', next => !blanks.has(next)],
	['<', next => next === '('],
	['>', next => next === '('],
];

/** Passes a redirection. What it names is no word of its command. True when that is still to come, false when it was quoted and is read. */
function passRedirection(scan: Scan, depth: number): boolean {
	const {text} = scan;
	while (scan.at < text.length && '<>&|'.includes(text[scan.at]!)) scan.at++;
	while (scan.at < text.length && ' \t'.includes(text[scan.at]!)) scan.at++;
	const quote = text[scan.at];
	if (quote !== '\'' && quote !== '"') return true;
	scan.at++;
	readUntil(quote, scan, depth + 1);
	return false;
}

/** Puts words together. The word behind a redirection becomes a segment of its own. */
function createSegment(segments: Array<readonly Word[]>) {
	let words: Word[] = [];
	let word: TextSymbol[] = [];
	let redirected = false;
	const endWord = () => {
		if (word.length === 0) return;
		if (redirected) segments.push([word]);
		else words.push(word);
		redirected = false;
		word = [];
	};
	return {
		add: (symbol: TextSymbol) => void word.push(symbol),
		endWord,
		end() {
			endWord();
			redirected = false;
			if (words.length > 0) segments.push(words);
			words = [];
		},
		/** A number before it names what is redirected. */
		redirect(toNextWord: boolean) {
			if (word.every(symbol => symbol !== unknown && /\d/.test(symbol))) word = [];
			endWord();
			redirected = toNextWord;
		},
	};
}

const closing: Readonly<Record<string, string>> = {'(': ')', '{': '}', '`': '`'};
const blanks: ReadonlySet<string> = new Set([' ', '\t', '\n', '\r']);
const separators: ReadonlySet<string> = new Set([';', '&', '|', '\n', '\r', ')', '`']);

const maxClass = 256;

/** Where a class of characters ends that begins here, within its word. */
function classEnd(text: readonly string[], from: number): number {
	for (let at = from + 1; at < from + maxClass && at < text.length && !blanks.has(text[at]!); at++) if (text[at] === ']' && at > from + 1) return at;
	return -1;
}

function partsOf(words: readonly Word[]): readonly CommandPart[] {
	const symbols: TextSymbol[] = [];
	const starts = new Set<number>();
	let commands = false;
	let isShell = false;
	for (const [index, word] of words.entries()) {
		if (index > 0) symbols.push(' ');
		const before = index === 0 ? undefined : textOf(words[index - 1]!);
		commands = before === undefined || before.split(/[\0/]/).some(piece => carriers.has(piece)) || assignment.test(before) || (commands && option.test(before));
		if (commands || word[0] !== unknown) starts.add(symbols.length);
		for (const [place, symbol] of word.entries()) {
			// Behind what is unknown another word may begin.
			if (symbol === unknown ? commands || word[place + 1] !== unknown : commands && symbol === '/') starts.add(symbols.length + place + 1);
		}
		symbols.push(...word);
		isShell = commands && shells.has(baseName(textOf(word)));
	}
	// What it runs is piped into it.
	return isShell ? [{symbols, starts}, anything] : [{symbols, starts}];
}

function textOf(word: Word): string {
	return word.map(symbol => (symbol === unknown ? '\0' : symbol)).join('');
}

function baseName(word: string): string {
	return word.slice(word.lastIndexOf('/') + 1);
}

const assignment = /^\w+\+?=/;
const option = /^(?:-.*|[\d.]+[smhd]?)$/;
const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'fish', 'ash']);
/** Behind these a command begins. */
const carriers: ReadonlySet<string> = new Set([
	...shells,
	'if', 'then', 'else', 'elif', 'while', 'until', 'do', '!', '{', 'time', 'coproc',
	'eval', 'exec', 'command', 'builtin', 'env', 'sudo', 'doas', 'nohup', 'nice', 'ionice', 'timeout', 'stdbuf', 'setsid', 'xargs', 'parallel', 'watch', 'busybox', 'noglob',
	'-exec', '-execdir', '-ok', '-okdir', '-c',
]);
