/**
Returns a JSON value in which U+FFFD replaces each lone high surrogate (half a character). JSON allows lone surrogates,
but other programs refuse a file that contains one, and inkpod never sends one to a provider. A value without lone high
surrogates is returned unchanged.
*/
export function withWholeCharacters<Value>(value: Value): Value {
	return hasHalves(value) ? (JSON.parse(JSON.stringify(value), replaceHalves) as Value) : value;
}

/** Tells whether a JSON value contains a lone high surrogate. */
export function hasHalves(value: unknown): boolean {
	if (typeof value === 'string') return !value.isWellFormed() && half.test(value);
	if (typeof value !== 'object' || value === null) return false;
	for (const [key, inner] of Object.entries(value)) if (hasHalves(inner) || hasHalves(key)) return true;
	return false;
}

function replaceHalves(_key: string, value: unknown): unknown {
	if (typeof value === 'string') return value.replaceAll(halves, '\ufffd');
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.replaceAll(halves, '\ufffd'), inner]));
}

/** With the flag `u`, the pattern does not match a surrogate that is part of a pair. */
const half = /[\ud800-\udbff]/u;
const halves = /[\ud800-\udbff]/gu;
