/** Splits a text into words. Quotes keep spaces together, and a backslash keeps the next character. */
export function splitWords(text: string): readonly string[] {
	const words: string[] = [];
	for (const [found] of text.matchAll(/(?:"(?:\\.|[^"\\])*"?|'[^']*'?|\\.|[^\s"'\\])+/gs))
		words.push(found.replaceAll(/"((?:\\.|[^"\\])*)"?|'([^']*)'?|\\(.)/gs, unquoted));
	return words;
}

function unquoted(
	_: string,
	double: string | undefined,
	single: string | undefined,
	escaped: string | undefined,
): string {
	return double?.replaceAll(/\\(.)/gs, '$1') ?? single ?? escaped ?? '';
}
