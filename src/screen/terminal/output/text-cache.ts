/** Caches values by text, and drops the least recently used ones first. */
export type TextCache<Value> = {
	/** Returns the value of a text, and creates it if it is missing. */
	get(text: string, make: () => Value): Value;
	readonly size: number;
};

type CacheLimits = {
	readonly maxEntries: number;
	/** The maximum length of a cached text, in code units. */
	readonly maxTextLength: number;
};

export function createTextCache<Value extends {}>({maxEntries, maxTextLength}: CacheLimits): TextCache<Value> {
	const values = new Map<string, Value>();
	return {
		get size() {
			return values.size;
		},
		get(text, make) {
			if (text.length > maxTextLength) return make();
			let value = values.get(text);
			if (value === undefined) value = make();
			else values.delete(text);
			values.set(text, value);
			if (values.size > maxEntries) dropFirst(values);
			return value;
		},
	};
}

function dropFirst(values: Map<string, unknown>): void {
	const [first] = values.keys();
	if (first !== undefined) values.delete(first);
}
