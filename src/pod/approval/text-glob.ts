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

/**
A glob: `*` is any text, slashes and blanks too, `?` one character, `\` takes the next as it is.
It is compiled once for many texts. A match is one pass over the text, whatever the pattern is: each symbol costs one
step for every 32 characters of the pattern.
*/
export type TextGlob = {
	/** Whether it matches a whole text. */
	matches(text: string): boolean;
	/** Whether it could match from one of the starts of a text to an end, whatever its unknown parts turn out to be. */
	mightMatch(places: Places): boolean;
};

/** Whether a glob matches a whole text. */
export function matchesText(pattern: string, text: string): boolean {
	return compileTextGlob(pattern).matches(text);
}

export function compileTextGlob(pattern: string): TextGlob {
	const steps = stepsOf(pattern);
	return {
		matches: text => mightMatch(steps, {symbols: Array.from(text), starts: new Set([0])}),
		mightMatch: places => mightMatch(steps, places),
	};
}

/**
Bit n of a row of words is the place in a glob after n characters (`?` is one, `*` is none).
A character that the glob does not name is accepted by `marks` alone.
*/
type Steps = {
	/** The place at the end. */
	readonly last: number;
	/** The places at a `*`, where any character may be passed. */
	readonly stars: Uint32Array;
	/** The places before a `?`. */
	readonly marks: Uint32Array;
	/** The places before a character, and those before a `?`. */
	readonly characters: ReadonlyMap<string, Uint32Array>;
};

function stepsOf(pattern: string): Steps {
	const tokens = tokensOf(pattern);
	const last = tokens.filter(token => token !== anyText).length;
	const stars = row(last);
	const marks = row(last);
	const characters = new Map<string, Uint32Array>();
	let place = 0;
	for (const token of tokens) {
		if (token === anyText) add(stars, place);
		else if (token === oneCharacter) add(marks, place++);
		else add(rowFor(token, characters, last), place++);
	}
	for (const places of characters.values()) addAll(places, marks);
	return {last, stars, marks, characters};
}

/** A character, or a sign for others. */
type Token = string | typeof anyText | typeof oneCharacter;
const anyText = Symbol('*');
const oneCharacter = Symbol('?');

function tokensOf(pattern: string): readonly Token[] {
	const tokens: Token[] = [];
	const characters = Array.from(pattern);
	for (let at = 0; at < characters.length; at++) {
		const character = characters[at]!;
		if (character === '*') tokens.push(anyText);
		else if (character === '?') tokens.push(oneCharacter);
		else tokens.push(character === '\\' && at + 1 < characters.length ? characters[++at]! : character);
	}
	return tokens;
}

function rowFor(character: string, rows: Map<string, Uint32Array>, last: number): Uint32Array {
	const known = rows.get(character) ?? row(last);
	rows.set(character, known);
	return known;
}

function mightMatch(steps: Steps, {symbols, starts, ends, skips}: Places): boolean {
	const places = row(steps.last);
	if (starts.has(0)) add(places, 0);
	// Without a `save` before it a `resume` goes back to the beginning.
	const saved = places.slice();
	let isAnywhere = false;
	for (let at = 0; at <= symbols.length; at++) {
		const isStart = starts.has(at);
		const skip = skips?.get(at);
		if (isStart) add(places, 0);
		if (skip === 'resume') addAll(places, saved);
		if (skip === 'save') saved.set(places);
		isAnywhere ||= isStart || skip === 'resume';
		if (!isAnywhere) continue;
		if (ends?.has(at) && has(places, steps.last)) return true;
		if (at < symbols.length) isAnywhere = pass(steps, places, symbols[at]!);
	}
	return has(places, steps.last);
}

/** Moves the places over one symbol. Whether there is one left. */
function pass({last, stars, marks, characters}: Steps, places: Uint32Array, symbol: TextSymbol): boolean {
	if (symbol === unknown) return addAllAfter(places, last);
	const accepting = characters.get(symbol) ?? marks;
	let carried = 0;
	let all = 0;
	for (let word = 0; word < places.length; word++) {
		const here = places[word]!;
		const moving = here & accepting[word]!;
		const there = (here & stars[word]!) | (moving << 1) | carried;
		carried = moving >>> 31;
		places[word] = there;
		all |= there;
	}
	return all !== 0;
}

/** Adds every place after the first one of a row. Whether there is one. */
function addAllAfter(places: Uint32Array, last: number): boolean {
	const first = places.findIndex(word => word !== 0);
	if (first === -1) return false;
	// All bits of a word from its lowest one up.
	places[first] = -(places[first]! & -places[first]!);
	places.fill(0xffff_ffff, first + 1);
	places[places.length - 1]! &= 0xffff_ffff >>> (31 - (last & 31));
	return true;
}

function row(last: number): Uint32Array {
	return new Uint32Array((last >>> 5) + 1);
}

function add(words: Uint32Array, place: number): void {
	words[place >>> 5]! |= 1 << (place & 31);
}

function addAll(words: Uint32Array, others: Uint32Array): void {
	for (let word = 0; word < words.length; word++) words[word]! |= others[word]!;
}

function has(words: Uint32Array, place: number): boolean {
	return (words[place >>> 5]! & (1 << (place & 31))) !== 0;
}
