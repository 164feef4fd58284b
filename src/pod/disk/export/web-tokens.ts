import type {Finding} from './finding.ts';

/**
Returns the JSON web tokens in a text, of any length: those with a signature or without one (three parts, of which the
first two begin with `eyJ`), and those that are encrypted (five parts).
*/
export function findWebTokens(text: string): readonly Finding[] {
	const found: Finding[] = [];
	for (let start = text.indexOf('eyJ'), next = 0; start >= 0; start = text.indexOf('eyJ', next)) {
		next = start + 3;
		if (start > 0 && /\w/.test(text[start - 1] ?? '')) continue;
		const parts = partsAt(text, start);
		const value = parts.slice(0, partsOfToken(parts)).join('.');
		// A later start in the same part has the same further parts.
		next = start + (value.length || (parts[0]?.length ?? 0));
		if (value !== '') found.push({name: 'JSON web token', start, end: next, value});
	}
	return found;
}

/** Returns the parts from a position on, which are separated by dots: at most five. */
function partsAt(text: string, start: number): readonly string[] {
	const parts: string[] = [];
	let from = start;
	while (parts.length < 5) {
		let end = from;
		while (isTokenPart(text.charCodeAt(end))) end++;
		parts.push(text.slice(from, end));
		if (text[end] !== '.') break;
		from = end + 1;
	}
	return parts;
}

function isTokenPart(code: number): boolean {
	return (
		(code >= 0x61 && code <= 0x7a) ||
		(code >= 0x41 && code <= 0x5a) ||
		(code >= 0x30 && code <= 0x39) ||
		code === 0x5f ||
		code === 0x2d
	);
}

/** Returns how many of these parts are a token, or 0. */
function partsOfToken(parts: readonly string[]): number {
	const [header = '', payload = '', ...others] = parts;
	if (header.length < 13 || others.length === 0) return 0;
	if (payload.startsWith('eyJ') && payload.length >= 7)
		return Math.max(3, parts.findLastIndex(part => part !== '') + 1);
	return others.length === 3 && others.every(part => part.length >= 10) ? 5 : 0;
}
