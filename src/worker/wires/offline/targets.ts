/** A path as the user wrote it, and the lines that the user asked for. */
export type Target = {readonly path: string; readonly first?: number; readonly last?: number};

/** Removes one pair of quotes, or the punctuation after a bare word. */
export function unquoted(text: string): string {
	const match = /^["“'`「]([^]+)["”'`」]$/.exec(text.trim());
	return match?.[1] ?? text.trim().replace(/[.,;:!?)\]]+$/, '');
}

/** Returns a path without its @ and quotes. */
export function pathOf(word: string): string {
	return unquoted(word.replace(/^@/, ''));
}

/**
Returns the paths of a sentence in order, each once: attached files, quoted names, and words with a slash or an
extension.
*/
export function targetsIn(text: string): readonly Target[] {
	const asked = linesIn(text);
	const found = new Map<string, Target>();
	for (const [whole] of text.matchAll(/@?"[^"\n]+"|`[^`\n]+`|[^\s"`,;!?()「」]+/gu)) {
		const target = targetOf(whole, /^[@"`]/.test(whole));
		if (target !== undefined && !found.has(target.path)) found.set(target.path, {...asked, ...target});
	}
	return [...found.values()];
}

/** Tells whether a bare word is the name of a file or folder. */
export function looksLikePath(word: string): boolean {
	// A word with an @ inside is taken as an email address.
	if (/[^@]@/.test(word)) return false;
	if (
		/^(?:and\/or|either\/or|yes\/no|n\/a|i\/o|e\.g|i\.e)$/i.test(word) ||
		/^v?\d+(?:\.\d+)*$/.test(word) ||
		/^\/[\w-]*$/.test(word) ||
		word.includes('://')
	)
		return false;
	return (
		/^(?:[\p{L}\p{N}_.@+~*-]*\/)+[\p{L}\p{N}_.@+*[\]-]*$/u.test(word) ||
		/^[\p{L}\p{N}_@+.-]*\.[\p{L}][\p{L}\p{N}]{0,9}$/u.test(word) ||
		/^(?:README|LICENSE|LICENCE|CHANGELOG|Makefile|Dockerfile|AGENTS|CLAUDE)$/.test(word)
	);
}

/** Returns a pattern for grep that matches this text literally. */
export function escaped(text: string): string {
	return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Returns a pattern for grep that matches this text literally, or any of several listed words. */
export function patternOf(what: string): string {
	const source = /^\/(?<source>.+)\/$/.exec(what)?.groups?.['source'];
	if (source !== undefined) return source;
	const words = what.split(/\s*(?:,|\bor\b|\band\b)\s*/).filter(word => word !== '');
	return words.length > 1 && words.every(word => !/\s/.test(word)) ? words.map(escaped).join('|') : escaped(what);
}

function targetOf(word: string, marked: boolean): Target | undefined {
	const bare = word
		.replace(/^@/, '')
		.replace(/^["`]([^]*)["`]$/, '$1')
		.replace(/[.:]+$/, '');
	const match = /^(?<path>.+?)(?::(?<first>\d+)(?<dash>-(?<last>\d+)?)?|#L(?<from>\d+)(?:-L?(?<to>\d+))?)?$/.exec(
		bare,
	);
	if (match === null) return undefined;
	const {path, first, dash, last, from, to} = match.groups ?? {};
	if (path === undefined || !(looksLikePath(path) || (marked && word.startsWith('@')))) return undefined;
	const begin = first ?? from;
	if (begin === undefined) return {path};
	const end = last ?? to ?? (dash === undefined ? begin : undefined);
	return {path, first: Number(begin), ...(end === undefined ? {} : {last: Number(end)})};
}

function linesIn(text: string): {readonly first?: number; readonly last?: number} {
	const range = /\blines?\s+(?<first>\d+)(?:\s*(?:-|–|to|through|until|and)\s*(?<last>\d+))?/i.exec(text)?.groups;
	if (range !== undefined) return {first: Number(range['first']), last: Number(range['last'] ?? range['first'])};
	const head = /\b(?:first|top)\s+(?<last>\d+)\s+lines\b/i.exec(text)?.groups;
	return head === undefined ? {} : {first: 1, last: Number(head['last'])};
}
