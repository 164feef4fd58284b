/** This file contains functions that read values of any type. */

/** Returns a field of an object, or `undefined` for any other value. */
export function fieldOf(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** Returns the elements of an array, or none for any other value. */
export function elementsOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

/** Returns the value of a JSON text, or `undefined` if the text is invalid. */
export function parseJson(text: string, reviver?: (key: string, value: unknown) => unknown): unknown {
	try {
		return JSON.parse(text, reviver);
	} catch {
		return undefined;
	}
}
