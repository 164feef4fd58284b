/** A text of unknown origin on one line, quoted, with every invisible character escaped. */
export function inert(text: string): string {
	return JSON.stringify(text).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, character => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}
