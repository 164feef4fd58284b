import {compilePlaces, createWalk, type GlobPlaces, type PlaceToken} from '../tools/glob-places.ts';

/** A part of a text that is only partly known: a character, or `unknown` for any text, even an empty one. */
export type TextSymbol = string | typeof unknown;
export const unknown = Symbol('unknown');

/** What a glob is compared with: symbols, and the places in them that count. */
export type Places = {
	readonly symbols: readonly TextSymbol[];
	readonly starts: ReadonlySet<number>;
	/** Where a match may end. Always at the end of the text. */
	readonly ends?: ReadonlySet<number>;
	/** What lies between a `save` and a `resume` after it may be left out. */
	readonly skips?: ReadonlyMap<number, 'save' | 'resume'>;
};

/** Places in the form that many globs are compared with. */
export type Passage = {
	/** Code points, or `unknownCode`. */
	readonly codes: Int32Array;
	/** What each place is, as bits. One place more than there are codes. */
	readonly marks: Uint8Array;
	/** For each place the next one that counts where no match is under way: a start, a `save` or a `resume`. */
	readonly next: Int32Array;
};

/**
A glob: `*` is any text, slashes and blanks too, `?` one character, `\` takes the next as it is.
It is compiled once for many texts. A match is one pass over the text, whatever the pattern is: each symbol costs one
step for every 32 characters of the pattern.
*/
export type TextGlob = {
	/** Whether it matches a whole text. */
	matches(text: string): boolean;
	/**
	Whether it could match from one of the starts of a text to an end, whatever its unknown parts turn out to be.
	`onStep` is called for each step.
	*/
	mightMatch(passage: Passage, onStep?: () => void): boolean;
};

/** Whether a glob matches a whole text. */
export function matchesText(pattern: string, text: string): boolean {
	return compileTextGlob(pattern).matches(text);
}

export function compileTextGlob(pattern: string): TextGlob {
	let compiled: GlobPlaces | undefined;
	const places = () => (compiled ??= compilePlaces(tokensOf(pattern)));
	const isLiteral = !/[*?\\]/.test(pattern);
	return {
		matches(text) {
			if (isLiteral) return pattern === text;
			return mightMatch(places(), passageOf({symbols: Array.from(text), starts: new Set([0])}));
		},
		mightMatch: (passage, onStep) => mightMatch(places(), passage, onStep),
	};
}

export function passageOf({symbols, starts, ends, skips}: Places): Passage {
	const codes = Int32Array.from(symbols, symbol => (symbol === unknown ? unknownCode : (symbol.codePointAt(0) ?? 0)));
	const marks = new Uint8Array(codes.length + 1);
	const mark = (at: number, bit: number) => (marks[at] = (marks[at] ?? 0) | bit);
	for (const at of starts) mark(at, bits.start);
	for (const at of ends ?? []) mark(at, bits.end);
	for (const [at, skip] of skips ?? []) mark(at, bits[skip]);
	const next = new Int32Array(marks.length);
	for (let at = codes.length, found = marks.length; at >= 0; at--) {
		if (((marks[at] ?? 0) & (bits.start | bits.save | bits.resume)) !== 0) found = at;
		next[at] = found;
	}
	return {codes, marks, next};
}

const unknownCode = -1;
const bits = {start: 1, end: 2, save: 4, resume: 8} as const;

function tokensOf(pattern: string): readonly PlaceToken[] {
	const pieces = pattern.match(/\\[^]|\*+|[^]/gu) ?? [];
	return pieces.map((piece): PlaceToken => {
		if (piece.startsWith('*')) return {type: 'all'};
		if (piece === '?') return {type: 'mark'};
		return {type: 'literal', character: piece.length > 1 ? piece.replace(/^\\/, '') : piece};
	});
}

function mightMatch(places: GlobPlaces, {codes, marks, next}: Passage, onStep?: () => void): boolean {
	const walk = createWalk(places, onStep);
	// Without a `save` before it a `resume` goes back to the beginning.
	if (((marks[0] ?? 0) & bits.start) !== 0) walk.start();
	walk.save();
	for (let at = 0; at < marks.length; at++) {
		const mark = marks[at] ?? 0;
		if (mark !== 0) {
			if ((mark & bits.start) !== 0) walk.start();
			if ((mark & bits.resume) !== 0) walk.resume();
			if ((mark & bits.save) !== 0) walk.save();
			if ((mark & bits.end) !== 0 && walk.isAtEnd()) return true;
		}
		if (walk.isDead()) {
			at = (next[at + 1] ?? marks.length) - 1;
			continue;
		}
		const code = codes[at];
		if (code === unknownCode) walk.passUnknown();
		else if (code !== undefined) walk.pass(code);
	}
	return walk.isAtEnd();
}
