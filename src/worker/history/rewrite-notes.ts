import type {RewriteNotes, RewritePlace, RewriteRule} from './rewrites.ts';

/** Joins the notes of several parts of a request in their order. */
export function joinNotes(parts: readonly RewriteNotes[]): RewriteNotes {
	const joined = new Map<RewriteRule, Places>();
	for (const part of parts)
		for (const [rule, places] of part) joined.set(rule, [...(joined.get(rule) ?? []), ...places]);
	return joined;
}

/** Returns the notes of `all` that follow `first`. Returns `undefined` if `all` does not begin with `first`. */
export function notesAfter(first: RewriteNotes, all: RewriteNotes): RewriteNotes | undefined {
	return difference(first, all, (part, whole) => (startsWith(whole, part) ? whole.slice(part.length) : undefined));
}

/** Returns the notes of `all` that precede `last`. Returns `undefined` if `all` does not end with `last`. */
export function notesBefore(all: RewriteNotes, last: RewriteNotes): RewriteNotes | undefined {
	return difference(last, all, (part, whole) => (endsWith(whole, part) ? whole.slice(0, -part.length) : undefined));
}

type Places = readonly RewritePlace[];

function difference(
	part: RewriteNotes,
	all: RewriteNotes,
	without: (part: Places, whole: Places) => Places | undefined,
): RewriteNotes | undefined {
	const rest = new Map(all);
	for (const [rule, places] of part) {
		const left = places.length === 0 ? all.get(rule) : without(places, all.get(rule) ?? []);
		if (left === undefined) return undefined;
		if (left.length === 0) rest.delete(rule);
		else rest.set(rule, left);
	}
	return rest;
}

function startsWith(whole: Places, part: Places): boolean {
	return part.every((place, index) => whole[index] === place);
}

function endsWith(whole: Places, part: Places): boolean {
	const start = whole.length - part.length;
	return start >= 0 && part.every((place, index) => whole[start + index] === place);
}
