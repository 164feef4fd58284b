import {editDistance} from '../../protocol/edit-distance.ts';

/**
Returns the name that the user probably meant with a misspelt name. Such a name contains the misspelt name, is contained
in it, or differs from it in one or two letters. Only letters and digits count. Returns `undefined` if no name is
similar enough.
*/
export function nearestName(written: string, names: readonly string[]): string | undefined {
	const plain = plainName(written);
	if (plain.length < minLength || plain.length > maxLength) return undefined;
	const near = names
		.map(name => ({name, distance: distanceOf(plain, plainName(name))}))
		.filter(({distance}) => distance < Infinity)
		.toSorted((a, b) => a.distance - b.distance);
	return near[0]?.name;
}

/**
Splits a text into words. Spaces inside quotes do not separate words, and a backslash keeps the next character as it is.
*/
export function splitWords(text: string): readonly string[] {
	const words: string[] = [];
	for (const [found] of text.matchAll(/(?:"(?:\\.|[^"\\])*"?|'[^']*'?|\\.|[^\s"'\\])+/gs))
		words.push(found.replaceAll(/"((?:\\.|[^"\\])*)"?|'([^']*)'?|\\(.)/gs, unquoted));
	return words;
}

const minLength = 3;

const maxLength = 40;

const maxEdits = 2;

function plainName(name: string): string {
	return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** The result is below 1 if one name contains the other. */
function distanceOf(written: string, name: string): number {
	if (name.includes(written) || written.includes(name)) return Math.abs(name.length - written.length) / maxLength;
	const edits = editDistance(written, name);
	return edits <= maxEdits && edits < name.length / 2 ? edits : Infinity;
}

function unquoted(
	_: string,
	double: string | undefined,
	single: string | undefined,
	escaped: string | undefined,
): string {
	return double?.replaceAll(/\\(.)/gs, '$1') ?? single ?? escaped ?? '';
}
