import {
	codesOf,
	compilePlaces,
	createWalk,
	matchingGlobs,
	type PlaceToken,
	type StepCount,
	type Walk,
} from '../../ground/globs/glob-places.ts';
import {addsInput} from './command-runners.ts';
import {lstatSync, opendirSync} from 'node:fs';
import {join} from 'node:path';
import {errorCode} from '../../ground/files/fs-error.ts';
import {isSameFile} from '../../platform/file-identity.ts';
import {systemOf} from '../../platform/system.ts';

/** A symbol of a text that is only partly known: a character, or `unknown` for any text, even an empty text. */
export type TextSymbol = string | typeof unknown;

export const unknown = Symbol('unknown');

/** The text that a glob is compared with: its symbols, and the places where a match may begin. */
export type Places = {
	readonly symbols: readonly TextSymbol[];
	readonly starts: ReadonlySet<number>;
	/** More places where a match can end. A match can always end at the end of the text. */
	readonly ends?: ReadonlySet<number>;
	/** A match may skip the symbols between a `save` and the next `resume`. */
	readonly skips?: ReadonlyMap<number, Skip>;
};

/** `both` is a `resume` and then a `save` at the same place. */
export type Skip = 'save' | 'resume' | 'both';

/** Texts that are prepared for a comparison with many globs, one glob after another. */
export type Passage = {
	/** The code points of all texts, with `unknownCode` for unknown text, and with `textEnd` after each text. */
	readonly codes: Int32Array;
	/** The properties of the place before each code, as bits. */
	readonly marks: Uint8Array;
	/** For each place, the next place where a new match may begin. */
	readonly next: Int32Array;
};

/**
Compiled globs: `*` matches any text, including slashes and blanks, `?` matches one character, and `\` makes the next
character literal. Globs are compiled once for many texts. One pass over a text compares it with all globs. In this
pass, each symbol costs one step for every 32 characters of the globs.
*/
export type TextGlobs = {
	/** Returns the indexes of the globs that match a whole text. */
	matching(text: string): readonly number[];
	/**
	Returns the indexes of the globs that could match from a start to an end, for some value of the unknown parts.
	*/
	mightMatch(passage: Passage, count?: StepCount): readonly number[];
};

/** Tells whether a glob matches a whole text. */
export function matchesText(pattern: string, text: string): boolean {
	return compileTextGlobs([pattern]).matching(text).length > 0;
}

export function compileTextGlobs(patterns: readonly string[]): TextGlobs {
	const globs = compilePlaces(patterns.map(tokensOf));
	return {
		matching: text => matchingGlobs(globs, codesOf(text)),
		mightMatch({codes, marks, next}, count) {
			if (patterns.length === 0) return [];
			const walk = createWalk(globs, count);
			for (let at = 0; at < codes.length; at++) {
				const mark = marks[at] ?? 0;
				if (mark !== 0) applyMark(walk, mark);
				const code = codes[at] ?? textEnd;
				if (walk.isDead()) at = (next[at + 1] ?? codes.length) - 1;
				else if (code >= 0) walk.pass(code);
				else if (code === unknownCode) walk.passUnknown();
				else walk.end();
			}
			return walk.ended();
		},
	};
}

function applyMark(walk: Walk, mark: number): void {
	if ((mark & bits.begin) !== 0) walk.clear();
	if ((mark & bits.start) !== 0) walk.start();
	// The state at the beginning of a text is saved, so a `resume` without an earlier `save` returns to this state.
	if ((mark & bits.begin) !== 0) walk.save();
	if ((mark & bits.resume) !== 0) walk.resume();
	if ((mark & bits.save) !== 0) walk.save();
	if ((mark & bits.end) !== 0) walk.end();
}

export function passageOf(texts: readonly Places[]): Passage {
	const length = texts.reduce((sum, {symbols}) => sum + symbols.length + 1, 0);
	const codes = new Int32Array(length);
	const marks = new Uint8Array(length);
	let from = 0;
	for (const {symbols, starts, ends, skips} of texts) {
		const mark = (at: number, bit: number) => (marks[from + at] = (marks[from + at] ?? 0) | bit);
		mark(0, bits.begin);
		for (const at of starts) mark(at, bits.start);
		for (const at of ends ?? []) mark(at, bits.end);
		for (const [at, skip] of skips ?? []) mark(at, bits[skip]);
		for (const [at, symbol] of symbols.entries())
			codes[from + at] = symbol === unknown ? unknownCode : (symbol.codePointAt(0) ?? 0);
		codes[from + symbols.length] = textEnd;
		from += symbols.length + 1;
	}
	return {codes, marks, next: nextMarks(marks)};
}

/**
Returns a text in any language as a sequence of words. One blank replaces everything between two words, so `run(["git",
"push"])` reads as `run git push`. A command may begin at each word, after the last slash of a path, and after an option
of one letter.
*/
export function wordsOf(text: string): Places {
	const symbols: string[] = [];
	const starts = new Set<number>();
	const ends = new Set<number>();
	const hasScript = scriptProgram.test(text);
	for (const [piece] of text.matchAll(pieces)) {
		if (wordPiece.test(piece)) {
			for (const start of startsOf(piece, hasScript)) starts.add(symbols.length + start);
			if (hasScript) for (const {index} of piece.matchAll(/\//g)) ends.add(symbols.length + index);
			for (const character of piece) symbols.push(character);
		} else {
			if (/\S/.test(piece)) ends.add(symbols.length);
			symbols.push(' ');
		}
	}
	return {symbols, starts, ends};
}

export type Word = readonly TextSymbol[];

/**
Returns the possible words of a command that xargs, parallel or find runs, with unknown input in all places where it may
be inserted.
*/
export function withInput(words: readonly Word[]): ReadonlyArray<readonly Word[]> {
	const from = words.findIndex(word => addsInput(textOf(word)));
	if (from < 0) return withMark(words, placeholder, -1);
	const list = words.findIndex((word, index) => index > from && textOf(word).startsWith(':::'));
	const own = list < 0 ? words : words.slice(0, list);
	const named = markOf(own.slice(from).map(textOf));
	const options = from + (named?.at ?? 0);
	return [
		[...own, appended],
		...withMark(own, placeholder, named?.text === placeholder ? options : from),
		...(named === undefined ? [] : withMark(own, named.text, options)),
	];
}

/** The word that represents words from the input. */
export const appended: Word = [unknown];

/** Returns a word as a string, with a NUL character in place of unknown text. */
export function textOf(word: Word): string {
	return word.map(symbol => (symbol === unknown ? '\0' : symbol)).join('');
}

/**
Tells whether the file system of a folder ignores case in names. On macOS such a file system also ignores the difference
between composed and decomposed letters. For an empty folder, the usual behaviour of the operating system is returned.
*/
export function foldsNames(folder: string, platform?: NodeJS.Platform): boolean {
	try {
		const entries = opendirSync(folder);
		try {
			for (let read = 0; read < maxEntries; read += 1) {
				const name = entries.readSync()?.name;
				if (name === undefined) break;
				const other = swapCase(name);
				if (other !== name) return isSame(join(folder, name), join(folder, other));
			}
		} finally {
			entries.closeSync();
		}
	} catch (cause) {
		if (errorCode(cause) === '') throw cause;
	}
	return systemOf(platform).foldsNames;
}

/**
Returns the form in which names and patterns are compared. Names that a file system treats as equal have the same form.
*/
export function foldName(name: string): string {
	return name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

function nextMarks(marks: Uint8Array): Int32Array {
	const next = new Int32Array(marks.length);
	for (let at = marks.length - 1, found = marks.length; at >= 0; at--) {
		if (((marks[at] ?? 0) & ~bits.end) !== 0) found = at;
		next[at] = found;
	}
	return next;
}

const unknownCode = -1;

const textEnd = -2;

const bits = {start: 1, end: 2, save: 4, resume: 8, both: 12, begin: 16} as const;

function tokensOf(pattern: string): readonly PlaceToken[] {
	const pieces = pattern.match(/\\[^]|\*+|[^]/gu) ?? [];
	return pieces.map((piece): PlaceToken => {
		if (piece.startsWith('*')) return {type: 'all'};
		if (piece === '?') return {type: 'mark'};
		return {type: 'literal', character: piece.length > 1 ? piece.replace(/^\\/, '') : piece};
	});
}

/**
Matches a word, or the characters between two words. An escape sequence of another language, such as `\n`, also
separates words.
*/
const pieces = /[\p{L}\p{N}_./-]+|(?:\\[a-z_]?|[^\p{L}\p{N}_./\\-])+/gu;

const wordPiece = /^[\p{L}\p{N}_./-]/u;

/** Programs whose scripts use slashes in place of quotes: `s/x/command/e`. */
const scriptProgram = /(?:^|[^\w-])(?:g?sed|ed|ex|n?vim?|perl|ruby|awk)/;

function startsOf(word: string, hasScript: boolean): readonly number[] {
	const characters = Array.from(word);
	const slashes = characters.flatMap((character, at) => (character === '/' ? [at + 1] : []));
	const starts = [0, ...(hasScript ? slashes : slashes.slice(-1))];
	// A shorter word is not split, because all its letters may be options: `ls -lrm`.
	if (/^-[A-Za-z].{3}/u.test(word)) starts.push(2);
	if (hasScript && /^-[A-Za-z]{2}/.test(word)) starts.push(3);
	return hasScript ? starts.flatMap(start => [start, ...sedCommands(characters, start)]) : starts;
}

/**
Returns the places where the argument of a sed command begins, if this argument is a command or a file. `e` runs the
remaining text of its line as a command: `1eprogram`. `w` and `W` write to the file that follows. An address may come
before the command, and the command may be attached to the option `-e`: `-ne1eprogram`.
*/
function sedCommands(characters: readonly string[], start: number, depth = 0): readonly number[] {
	let at = start;
	while (at < characters.length && /[\dIM]/.test(characters[at] ?? '')) at++;
	if (!/^[ewW]$/.test(characters[at] ?? '')) return [];
	return [at + 1, ...(depth < maxNested ? sedCommands(characters, at + 1, depth + 1) : [])];
}

const maxNested = 2;

const placeholder = '{}';

function withMark(words: readonly Word[], mark: string, after: number): ReadonlyArray<readonly Word[]> {
	const isMarked = words.map((word, index) => index > after && textOf(word).includes(mark));
	return isMarked.includes(true)
		? [words.map((word, index) => (isMarked[index] === true ? replaced(word, mark) : word))]
		: [];
}

/**
Returns the placeholder that xargs replaces (after `-I`, `-J` or `--replace`), and the index of the word that names it.
*/
function markOf(words: readonly string[]): {readonly text: string; readonly at: number} | undefined {
	for (const [at, word] of words.entries()) {
		const text = /^(?:-[a-z0-9]*[IiJ]|--replace(?:=|$))(?<text>.*)$/.exec(word)?.groups?.['text'];
		if (text === undefined) continue;
		if (text !== '') return {text, at};
		const next = words[at + 1];
		if (/(?:i|--replace=?)$/.test(word)) return {text: placeholder, at};
		if (/[IJ]$/.test(word) && next !== undefined && next !== '') return {text: next, at: at + 1};
	}
	return undefined;
}

/** Replaces the text from the first to the last placeholder of a word with unknown text. */
function replaced(word: Word, mark: string): Word {
	const text = textOf(word);
	const end = text.lastIndexOf(mark) + mark.length;
	return [...symbolsOf(text.slice(0, text.indexOf(mark))), unknown, ...symbolsOf(text.slice(end))];
}

function symbolsOf(text: string): Word {
	return Array.from(text, character => (character === '\0' ? unknown : character));
}

/** The maximum number of entries that are read to find a name with letters. */
const maxEntries = 100;

function swapCase(name: string): string {
	return name.replaceAll(/[a-z]/gi, letter =>
		letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
	);
}

function isSame(path: string, other: string): boolean {
	const [one, two] = [path, other].map(each => lstatSync(each, {throwIfNoEntry: false}));
	return isSameFile(one, two);
}
