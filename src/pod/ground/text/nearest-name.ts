/**
Returns the name that a misspelt one probably means. Such a name contains the misspelt name, is contained in it, or
differs from it in one or two letters. Only letters and digits count. Returns `undefined` if no name is similar enough.
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

/** Counts the letters that are added, removed, replaced or swapped with the next one (optimal string alignment). */
function editDistance(from: string, to: string): number {
	const rows = [Array.from({length: to.length + 1}, (_, at) => at)];
	const cell = (row: number, column: number) => rows[row]?.[column] ?? Infinity;
	for (let row = 1; row <= from.length; row++) {
		rows.push([row]);
		for (let column = 1; column <= to.length; column++) {
			const isSame = from[row - 1] === to[column - 1];
			const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
			const edited = Math.min(cell(row - 1, column), cell(row, column - 1)) + 1;
			const replaced = cell(row - 1, column - 1) + Number(!isSame);
			rows[row]?.push(Math.min(edited, replaced, isSwapped ? cell(row - 2, column - 2) + 1 : Infinity));
		}
	}
	return cell(from.length, to.length);
}

function unquoted(
	_: string,
	double: string | undefined,
	single: string | undefined,
	escaped: string | undefined,
): string {
	return double?.replaceAll(/\\(.)/gs, '$1') ?? single ?? escaped ?? '';
}
