/** JSON whose text is unchanged when it is parsed, and in which every character that a terminal may act on is escaped. `indent`: spaces a level; without it one line. */
export function inertJson(value: unknown, indent?: number): string {
	return JSON.stringify(value, undefined, indent).replaceAll(/[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, escaped);
}

function escaped(character: string): string {
	return Array.from({length: character.length}, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
}
