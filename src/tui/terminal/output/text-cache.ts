/** Values by text, the least recently used of them dropped first. */
export type TextCache<Value> = {
	/** The value of a text, made when it is not there. */
	get(text: string, make: () => Value): Value;
	readonly size: number;
};

export type CacheLimits = {
	readonly maxEntries: number;
	/** In code units: values of longer texts are made each time, so that no giant is kept. */
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
