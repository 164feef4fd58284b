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

/** The same JSON value with some values replaced by others of any type. */
export function withOtherValues(value: unknown, random: () => number): unknown {
	if (random() < 0.04) return otherValues[Math.floor(random() * otherValues.length)];
	if (Array.isArray(value)) return value.map(element => withOtherValues(element, random));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).flatMap(([name, field]) =>
			random() < 0.04 ? [] : [[name, withOtherValues(field, random)]],
		),
	);
}

const otherValues = [
	null,
	0,
	-1,
	1.5,
	'',
	'text',
	'7',
	true,
	[],
	[null],
	{},
	{text: 'a'},
	{type: 'odd'},
	[{type: 'text'}],
];

const written: ReadonlySet<string> = new Set(['args', 'input', 'arguments', 'partial_json']);

const unknownFields = {
	x_object: {type: 'odd', text: null, index: 'one'},
	x_list: [null, {type: 7}, 'a'],
	x_text: 'unknown',
	x_null: null,
	x_number: -1.5e300,
	x_flag: true,
};
