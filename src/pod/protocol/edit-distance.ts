/** Counts the letters that are added, removed, replaced or swapped with the next letter (optimal string alignment). */
export function editDistance(from: string, to: string): number {
	return distancesTo(from, to).at(-1) ?? 0;
}

/**
Tells whether a word is a name, or the beginning of a name, with at most one typing error: a wrong, missing or extra
letter, or two swapped letters. A word of three letters must be the whole name, because too many names are similar to
it.
*/
export function isSlipOf(word: string, name: string): boolean {
	if (word.length < minLength || word.length > maxLength) return false;
	const distances = distancesTo(word, name.slice(0, maxLength));
	return (word.length === minLength ? distances.slice(-1) : distances).some(distance => distance <= 1);
}

const minLength = 3;
const maxLength = 40;

/** Returns the distances from a word to every beginning of a name, the shortest beginning first. */
function distancesTo(from: string, to: string): readonly number[] {
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
	return rows[from.length] ?? [];
}
