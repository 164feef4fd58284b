/** A value of a setting: a text, a number, a switch, or a list of texts. */
export type SettingValue = string | number | boolean | readonly string[];

/** Returns a value as TOML. */
export function tomlValue(value: SettingValue): string {
	if (typeof value === 'string') return quotedText(value);
	return typeof value === 'object' ? `[${value.map(quotedText).join(', ')}]` : String(value);
}

/** Returns a dotted key. A part is quoted only if it must be. */
export function tomlKey(path: readonly string[]): string {
	return path.map(part => (/^[\w-]+$/.test(part) ? part : quotedText(part))).join('.');
}

/** Returns a text of TOML. Invisible characters, which names of servers may contain, are written as escapes. */
export function quotedText(text: string): string {
	const escaped = (character: string) => {
		const code = character.codePointAt(0)!.toString(16);
		return character.length === 1 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`;
	};
	return JSON.stringify(text).replaceAll(/(?! )[\p{C}\p{Z}]/gu, escaped);
}
