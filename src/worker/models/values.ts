/** These functions read values of any type. */

/** A field of an object; `undefined` for any other value. */
export function fieldOf(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** The elements of an array; none for any other value. */
export function elementsOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

/** The value of a JSON text; `undefined` if it is invalid. */
export function parseJson(text: string, reviver?: (key: string, value: unknown) => unknown): unknown {
	try {
		return JSON.parse(text, reviver);
	} catch {
		return undefined;
	}
}
