import {isRecord} from '../values.ts';

/**
Returns a copy of a JSON value that came from a server. Objects deeper than `maxDepth` become null, and names that would
change an object's prototype are left out.
*/
export function plainCopy(value: unknown, depth = 0): unknown {
	if (!isRecord(value)) return value;
	if (depth === maxDepth) return null;
	if (Array.isArray(value)) return value.map(element => plainCopy(element, depth + 1));
	return plainRecord(value, depth);
}

/** Does the same as `plainCopy` for an object. */
export function plainRecord(value: Readonly<Record<string, unknown>>, depth = 0): Record<string, unknown> {
	const copy: Record<string, unknown> = {};
	for (const [name, field] of Object.entries(value)) if (!unsafe.has(name)) copy[name] = plainCopy(field, depth + 1);
	return copy;
}

/**
Returns the content of a part that inkpod cannot read, as JSON with shortened texts. Returns `undefined` if the JSON is
larger than 64 KB.
*/
export function unreadData(value: unknown): string | undefined {
	const text = JSON.stringify(shortened(plainCopy(value)));
	return text === undefined || Buffer.byteLength(text) > maxBytes ? undefined : text;
}

function shortened(value: unknown): unknown {
	if (typeof value === 'string')
		return value.length <= maxText ? value : `${value.slice(0, keptText)}… (${value.length} characters)`;
	if (Array.isArray(value)) return value.map(shortened);
	if (!isRecord(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shortened(field)]));
}

const maxDepth = 32;
const maxBytes = 64 * 1024;
const maxText = 4096;
const keptText = 64;
const unsafe: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
