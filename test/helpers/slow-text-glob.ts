import {unknown, type Places, type TextSymbol} from '../../src/pod/permissions/approval/text-glob.ts';

/** Implements `mightMatch` with sets of positions, and without regard for speed. */
export function slowMightMatch(pattern: string, {symbols, starts, ends, skips}: Places): boolean {
	const tokens = pattern.match(/\\[^]|[^]/gu) ?? [];
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

function next(tokens: readonly string[], places: ReadonlySet<number>, symbol: TextSymbol): Set<number> {
	const reached = new Set<number>();
	for (const place of places) {
		const token = tokens[place];
		if (symbol === unknown) for (let each = place; each <= tokens.length; each++) reached.add(each);
		else if (token === '*') enter(tokens, place, reached);
		else if (token === '?' || token?.replace(/^\\(?=[^])/u, '') === symbol) enter(tokens, place + 1, reached);
	}
	return reached;
}

/** Adds a position, and the positions that it reaches without a character. */
function enter(tokens: readonly string[], place: number, places: Set<number>): void {
	places.add(place);
	if (tokens[place] === '*') enter(tokens, place + 1, places);
}
