import {fieldOf} from '../values.ts';

/** Returns the first of these fields that is a string and not empty. */
export function textIn(value: unknown, ...names: readonly string[]): string | undefined {
	for (const name of names) {
		const text = fieldOf(value, name);
		if (typeof text === 'string' && text !== '') return text;
	}
	return undefined;
}

/** Returns a token count or an index. Some servers send numbers as strings. */
export function countOf(value: unknown): number | undefined {
	const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** Returns the value if it is an object and not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the arguments of a call as JSON text, because some servers send an object. */
export function argumentsText(value: unknown): string {
	if (typeof value === 'string') return value;
	return value === undefined || value === null ? '' : (jsonOf(value) ?? '(nested too deeply)');
}

/** Returns the value as JSON. Returns `undefined` if the value is nested too deeply. */
export function jsonOf(value: unknown): string | undefined {
	try {
		return JSON.stringify(value);
	} catch {
		return undefined;
	}
}
