/** Matches one anchored alternative of a path glob, without regard for speed. */
export function slowMatches(pattern: string, path: string, isSegmentStart = true): boolean {
	const span = isSegmentStart ? /^\*\*(?:\/|$)/.exec(pattern)?.[0] : undefined;
	if (span === '**') return true;
	if (span !== undefined)
		return ['', ...foldersOf(path)].some(folder => slowMatches(pattern.slice(3), path.slice(folder.length)));
	if (pattern === '') return path === '';
	const [token = ''] = /^(?:\*+|\[[!^]?\]?[^\]]*\]|\\[^]|[^])/u.exec(pattern) ?? [];
	const rest = pattern.slice(token.length);
	if (token.startsWith('*')) {
		const [segment = ''] = path.split('/');
		const lengths = [
			0,
			...Array.from(
				segment,
				(_, at) =>
					Array.from(segment)
						.slice(0, at + 1)
						.join('').length,
			),
		];
		return lengths.some(length => slowMatches(rest, path.slice(length), false));
	}
	const [character] = path;
	if (character === undefined || !accepts(token, character)) return false;
	return slowMatches(rest, path.slice(character.length), character === '/');
}

/** The same, but it also matches if a folder above the path matches. */
export function slowCovers(pattern: string, path: string): boolean {
	return [path, ...foldersOf(path).map(folder => folder.slice(0, -1))].some(name => slowMatches(pattern, name));
}

/** Returns the folders above a path, each with its slash. */
function foldersOf(path: string): readonly string[] {
	return Array.from(path.matchAll(/\//g), ({index}) => path.slice(0, index + 1));
}

function accepts(token: string, character: string): boolean {
	if (token === '?') return character !== '/';
	if (token.length === 1 || !token.startsWith('[')) return token.replace(/^\\(?=[^])/u, '') === character;
	if (character === '/') return false;
	const isNegated = /^\[[!^]/.test(token);
	const members = token.slice(isNegated ? 2 : 1, -1);
	const ranges = members.match(/[^]-[^]|[^]/gu) ?? [];
	return isNegated !== ranges.some(range => character >= (range.at(0) ?? '') && character <= (range.at(-1) ?? ''));
}
