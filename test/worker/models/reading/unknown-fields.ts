/** The same JSON value with unknown fields in every object. What a model wrote stays as it is. */
export function withUnknownFields(value: unknown, random: () => number): unknown {
	if (Array.isArray(value)) return value.map(element => withUnknownFields(element, random));
	if (typeof value !== 'object' || value === null) return value;
	const fields = Object.entries(value).map(([name, field]) => [
		name,
		written.has(name) ? field : withUnknownFields(field, random),
	]);
	const unknown = Object.entries(unknownFields).filter(() => random() < 0.6);
	const at = Math.floor(random() * (fields.length + 1));
	return Object.fromEntries([...fields.slice(0, at), ...unknown, ...fields.slice(at)]);
}

const written: ReadonlySet<string> = new Set(['args', 'input', 'arguments', 'partial_json']);

const unknownFields = {
	x_object: {type: 'odd', text: null, index: 'one'},
	x_list: [null, {type: 7}, 'a'],
	x_text: 'unknown',
	x_null: null,
	x_number: -1.5e300,
	x_flag: true,
};
