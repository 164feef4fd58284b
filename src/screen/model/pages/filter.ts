import {fieldText, type Field} from '../field-state.ts';

/** Sets the query of the open page, which then shows only the entries that match it. */
export type FilterAction = {readonly type: 'filter page'; readonly query: Field};

/**
Returns the entries whose text has each word of the query, in their order. `textOf` returns the text of an entry, and
must not change for the same entry, because the comparable form of the text is cached.
*/
export function matchesOf<Entry extends object>(
	entries: readonly Entry[],
	query: Field,
	textOf: (entry: Entry) => string,
): readonly Entry[] {
	const words = wordsOf(query);
	if (words.length === 0) return entries;
	return entries.filter(entry => {
		const text = folded.get(entry) ?? fold(textOf(entry));
		folded.set(entry, text);
		return words.every(word => text.includes(word));
	});
}

/** Returns the entries that `isBest` selects, followed by the other entries. */
export function bestFirst<Entry>(entries: readonly Entry[], isBest: (entry: Entry) => boolean): readonly Entry[] {
	return [...entries.filter(isBest), ...entries.filter(entry => !isBest(entry))];
}

/** Tells whether `text` contains each word of the query. */
export function isMatch(text: string, query: Field): boolean {
	const plain = fold(text);
	return wordsOf(query).every(word => plain.includes(word));
}

/** Returns the first line of `text` with a word of the query that `shown` lacks, or `undefined` if there is none. */
export function lineBeyond(shown: string, text: string, query: Field): string | undefined {
	const words = wordsOf(query).filter(word => !fold(shown).includes(word));
	if (words.length === 0) return undefined;
	const lines = text.slice(0, maxText).split('\n');
	return lines.find(line => words.some(word => fold(line).includes(word)));
}

function wordsOf(query: Field): readonly string[] {
	return fold(fieldText(query)).split(/\s+/u).filter(Boolean);
}

/** Returns `text` in the form for comparisons: in lower case and one Unicode normalization. */
function fold(text: string): string {
	return text.slice(0, maxText).toLowerCase().normalize();
}

/** The comparable texts of the entries. A page reads these texts again after each key press. */
const folded = new WeakMap<object, string>();

/** A match after this number of UTF-16 code units of an entry is not found, so that a key takes little time. */
const maxText = 20_000;
