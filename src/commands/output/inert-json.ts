/**
Returns JSON that is safe to print and parses to the same value. It escapes characters that a terminal may act on or
does not draw. `indent` sets the spaces per level; without it the JSON is one line.
*/
export function inertJson(value: unknown, indent?: number): string {
	return JSON.stringify(value, undefined, indent).replaceAll(special, escaped);
}

const undrawn = String.raw`\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\u{1d159}\u{16fe4}`;
const special = new RegExp(String.raw`[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}${undrawn}]`, 'gu');

function escaped(character: string): string {
	return Array.from(
		{length: character.length},
		(_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
	).join('');
}
