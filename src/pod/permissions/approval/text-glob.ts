import {
	codesOf,
	compilePlaces,
	createWalk,
	matchingGlobs,
	type PlaceToken,
	type StepCount,
	type Walk,
} from '../../ground/globs/glob-places.ts';

/** A part of a text that is only partly known: a character, or `unknown` for any text, even an empty one. */
export type TextSymbol = string | typeof unknown;
export const unknown = Symbol('unknown');

/** The text that a glob is compared with: symbols, and the relevant places in them. */
export type Places = {
	readonly symbols: readonly TextSymbol[];
	readonly starts: ReadonlySet<number>;
	/** The places where a match may end. A match may always end at the end of the text. */
	readonly ends?: ReadonlySet<number>;
	/** A match may skip the symbols between a `save` and the next `resume`. */
	readonly skips?: ReadonlyMap<number, Skip>;
};

/** `both`: first a match may resume here, then it may skip what follows. */
export type Skip = 'save' | 'resume' | 'both';

/** Texts in a form that is compared with many globs, one after another. */
export type Passage = {
	/** The code points, `unknownCode`, and `textEnd` after each text. */
	readonly codes: Int32Array;
	/** The properties of the place before each code, as bits. */
	readonly marks: Uint8Array;
	/** For each place, the next place where a new match may begin. */
	readonly next: Int32Array;
};

/**
Globs: `*` is any text with slashes and blanks, `?` is one character, and `\` takes the next character literally. They
are compiled once for many texts, and compared with a text all at once. A comparison is one pass over the text, and each
symbol costs one step for every 32 characters of the globs.
*/
export type TextGlobs = {
	/** Returns the numbers of the globs that match a whole text. */
	matching(text: string): readonly number[];
	/**
	Returns the numbers of the globs that could match from a start to an end, for some value of the unknown parts.
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
	// A `resume` without an earlier `save` returns to the beginning.
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
