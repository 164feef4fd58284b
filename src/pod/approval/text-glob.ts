/** What a text is made of that is not wholly known: a character, or `unknown` for any text, an empty one too. */
export type TextSymbol = string | typeof unknown;
export const unknown = Symbol('unknown');

/** Whether a glob matches a whole text: `*` is any text, slashes and blanks too, `?` one character, `\` takes the next as it is. Takes time in proportion to pattern times text. */
export function matchesText(pattern: string, text: string): boolean {
	return mightMatch(pattern, {symbols: Array.from(text), starts: new Set([0])});
}

/** What a glob is held against: symbols, and the places in them that count. */
export type Places = {
	readonly symbols: readonly TextSymbol[];
	readonly starts: ReadonlySet<number>;
	/** Where a match may end. Always at the end of the text. */
	readonly ends?: ReadonlySet<number>;
	/** What lies between a `save` and a `resume` after it may be left out. */
	readonly skips?: ReadonlyMap<number, 'save' | 'resume'>;
};

/** Whether a glob could match from one of the starts of a text to an end, whatever its unknown parts turn out to be. */
export function mightMatch(pattern: string, {symbols, starts, ends, skips}: Places): boolean {
	const tokens = tokensOf(pattern);
	let places = new Set<number>();
	let saved: ReadonlySet<number> = places;
	for (let at = 0; at <= symbols.length; at++) {
		if (starts.has(at)) enter(tokens, 0, places);
		const skip = skips?.get(at);
		if (skip === 'resume') for (const place of saved) places.add(place);
		if (skip === 'save') saved = new Set(places);
		if (ends?.has(at) && places.has(tokens.length)) return true;
		if (at < symbols.length) places = next(tokens, places, symbols[at]!);
	}
	return places.has(tokens.length);
}

type Token = {readonly type: 'any' | 'one'; readonly character?: undefined} | {readonly type: 'literal'; readonly character: string};

function tokensOf(pattern: string): readonly Token[] {
	const tokens: Token[] = [];
	const characters = Array.from(pattern);
	for (let at = 0; at < characters.length; at++) {
		const character = characters[at]!;
		if (character === '*') tokens.push({type: 'any'});
		else if (character === '?') tokens.push({type: 'one'});
		else if (character === '\\' && at + 1 < characters.length) tokens.push({type: 'literal', character: characters[++at]!});
		else tokens.push({type: 'literal', character});
	}
	return tokens;
}

function next(tokens: readonly Token[], places: ReadonlySet<number>, symbol: TextSymbol): Set<number> {
	const reached = new Set<number>();
	if (symbol === unknown) {
		if (places.size > 0) for (let place = Math.min(...places); place <= tokens.length; place++) reached.add(place);
		return reached;
	}
	for (const place of places) {
		const token = tokens[place];
		if (token === undefined) continue;
		if (token.type === 'any') enter(tokens, place, reached);
		else if (token.type === 'one' || token.character === symbol) enter(tokens, place + 1, reached);
	}
	return reached;
}

/** Adds a place and those reached from it without a character. */
function enter(tokens: readonly Token[], place: number, places: Set<number>): void {
	for (let at = place; ; at++) {
		places.add(at);
		if (tokens[at]?.type !== 'any') return;
	}
}
