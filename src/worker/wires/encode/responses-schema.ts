import {isRecord} from '../values.ts';
import {isObject} from '../reading/fields.ts';

type Schema = Readonly<Record<string, unknown>>;

/**
Returns the schema of a tool without everything that OpenAI refuses: constraints for the names of properties, patterns
with lookahead or lookbehind, and `allOf` with a single reference. The result is the same as that of @ai-sdk/openai
4.0.118 (src/normalize-openai-json-schema.ts), because stored requests must never change.
*/
export function acceptedSchema(schema: Schema): Schema {
	const accepted = normalized(schema);
	const reference = singleReference(accepted);
	const known = reference === undefined ? undefined : localSchema(reference, accepted);
	// The root must be an object, so it gets the referenced schema itself instead of the reference.
	return known === undefined ? accepted : {...known, ...withoutAllOf(accepted)};
}

function acceptedDefinition(definition: unknown): unknown {
	if (!isObject(definition)) return definition;
	const accepted = normalized(definition);
	const reference = singleReference(accepted);
	return reference === undefined ? accepted : {...withoutAllOf(accepted), $ref: reference};
}

/** Returns a schema whose inner schemas OpenAI accepts. The order of the fields does not change. */
function normalized(schema: Schema): Schema {
	const fields = Object.entries(schema).flatMap(([name, value]): ReadonlyArray<readonly [string, unknown]> => {
		if (name === 'propertyNames' || (name === 'pattern' && looksAround(value))) return [];
		const inside = Object.hasOwn(schemasIn, name) ? schemasIn[name] : undefined;
		return [[name, inside === undefined || value === null ? value : inside(value)]];
	});
	return Object.fromEntries(fields);
}

/** For each field that contains schemas, the function that makes these schemas acceptable. */
const schemasIn: Readonly<Record<string, (value: unknown) => unknown>> = {
	properties: inRecord,
	patternProperties: inRecord,
	additionalProperties: acceptedDefinition,
	additionalItems: acceptedDefinition,
	items: value => (Array.isArray(value) ? inList(value) : acceptedDefinition(value)),
	contains: acceptedDefinition,
	not: acceptedDefinition,
	allOf: inList,
	anyOf: inList,
	oneOf: inList,
	definitions: inRecord,
	$defs: inRecord,
	dependencies: inRecord,
	if: acceptedDefinition,
	then: acceptedDefinition,
	else: acceptedDefinition,
};

function inRecord(value: unknown): unknown {
	if (!isObject(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, acceptedDefinition(schema)]));
}

function inList(value: unknown): unknown {
	return Array.isArray(value) ? value.map(acceptedDefinition) : value;
}

function withoutAllOf(schema: Schema): Schema {
	const {allOf: _, ...rest} = schema;
	return rest;
}

/**
Returns the reference if `allOf` contains nothing else. In this case, the reference means the same without `allOf`.
*/
function singleReference({allOf}: Schema): string | undefined {
	if (!Array.isArray(allOf) || allOf.length !== 1) return undefined;
	const only: unknown = allOf[0];
	if (!isObject(only) || Object.keys(only).length !== 1) return undefined;
	const {$ref} = only;
	return typeof $ref === 'string' ? $ref : undefined;
}

function localSchema(reference: string, schema: Schema): Schema | undefined {
	const [, keyword, encoded = ''] = /^#\/(definitions|\$defs)\/(.+)$/.exec(reference) ?? [];
	const definitions = keyword === undefined ? undefined : schema[keyword];
	const name = encoded.replaceAll('~1', '/').replaceAll('~0', '~');
	const definition = isRecord(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
	return isObject(definition) ? definition : undefined;
}

/** Tells whether a regular expression contains a lookahead or lookbehind. */
function looksAround(pattern: unknown): boolean {
	return typeof pattern === 'string' && /\(\?<?[=!]/.test(pattern.replaceAll(literals, 'x'));
}

/** Matches escaped characters and character classes. */
const literals = /\\[^]|\[(?:\\[^]|[^\]\\])*(?:\]|\\?$)/g;
