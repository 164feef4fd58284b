/**
Returns a JSON value in which U+FFFD replaces each lone high surrogate, half a character. JSON allows it, but other
programs refuse such a file, and inkpod never sends it to a provider. Most values are returned unchanged.
*/
export function withWholeCharacters<Value>(value: Value): Value {
	return hasHalves(value) ? (JSON.parse(JSON.stringify(value), replaceHalves) as Value) : value;
}

/** Tells whether a JSON value contains half a character. */
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

/** With the flag, the two halves of a character do not match. */
const half = /[\ud800-\udbff]/u;
const halves = /[\ud800-\udbff]/gu;
