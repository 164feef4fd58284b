/**
The form of a text that the search compares. This form ignores Unicode normalization, case, and the accents of Latin
letters. `at[n]` is the index in the text of the code unit that became the n-th code unit of the key. `at` is absent if
key and text are equal.
*/
type CaseFolded = {readonly key: string; readonly at?: readonly number[]};

export function caseFold(text: string): CaseFolded {
	if (!nonAscii.test(text)) return {key: text.toLowerCase()};
	const units: string[] = [];
	const at: number[] = [];
	let from = 0;
	for (const character of text) {
		const plain = foldCharacter(character);
		units.push(plain);
		for (let unit = 0; unit < plain.length; unit += 1) at.push(from);
		from += character.length;
	}
	return {key: units.join(''), at};
}

/**
Returns the indexes of the code units of the text for positions in its key, in ascending order. Both halves of a
surrogate pair are included.
*/
export function sourceUnits(text: string, {at}: CaseFolded, places: readonly number[]): number[] {
	if (at === undefined) return [...places];
	const units = new Set<number>();
	for (const place of places) {
		const unit = at[place];
		if (unit === undefined) continue;
		units.add(unit);
		if ((text.codePointAt(unit) ?? 0) > 0xffff) units.add(unit + 1);
	}
	return [...units].toSorted((a, b) => a - b);
}

const nonAscii = /[^\x00-\x7F]/;
const accents = /[\u0300-\u036F]/g;

function foldCharacter(character: string): string {
	return nonAscii.test(character)
		? character.normalize('NFKD').replaceAll(accents, '').toLowerCase()
		: character.toLowerCase();
}
