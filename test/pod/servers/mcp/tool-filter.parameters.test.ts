import {expect, it} from 'vitest';
import {parametersOf} from '../../../../src/pod/servers/mcp/tool-filter.ts';

const object = (more: Readonly<Record<string, unknown>>) => ({type: 'object', ...more});
const deep = (depth: number): unknown => (depth === 0 ? {} : {items: deep(depth - 1)});

it('an object schema loses its dialect, and a schema without a type becomes an object schema', () => {
	const schema = object({
		properties: {a: {$ref: '#/$defs/a~1b'}},
		required: ['a'],
		$defs: {'a/b': {type: 'string'}},
		additionalProperties: false,
	});
	expect(parametersOf({$schema: 'x', ...schema})).toEqual({ok: true, parameters: schema});
	expect(parametersOf({})).toEqual({ok: true, parameters: {type: 'object'}});
});

it('the descriptions in a schema lose invisible characters at any depth', () => {
	const hidden = 'List\u200b files\u{e0041}\ufe01';
	const schema = object({
		description: hidden,
		properties: {title: {title: hidden, enum: ['❤️', '\n'], items: {description: hidden}}},
	});
	const shown = 'List  files';
	expect(parametersOf(schema)).toEqual({
		ok: true,
		parameters: object({
			description: shown,
			properties: {title: {title: shown, enum: ['❤️', '\n'], items: {description: shown}}},
		}),
	});
});

it.each<[string, unknown, string]>([
	['a value that is not an object', 'x', 'is not an object'],
	['another type', {type: 'string'}, 'not of type object'],
	['properties in a list', object({properties: []}), 'properties of its input schema are not an object'],
	['a text as its required list', object({required: 'a'}), 'not a list of names'],
	[
		'a property that models do not accept',
		object({properties: {'a b': {}}}),
		'property name that models do not accept',
	],
	['a choice at the top', object({anyOf: [{}]}), 'begins with oneOf, anyOf or allOf'],
	['a reference to itself', object({properties: {a: {$ref: '#'}}}), 'refers to itself'],
	[
		'circular references',
		object({$defs: {a: {$ref: '#/$defs/b'}, b: {items: {$ref: '#/$defs/a'}}}}),
		'refers to itself',
	],
	['a reference to nothing', object({properties: {a: {$ref: '#/$defs/none'}}}), 'something that it does not contain'],
	[
		'a reference to another host',
		object({properties: {a: {$ref: 'https://evil.example/x'}}}),
		'something that it does not contain',
	],
	[
		'a reference through the prototype',
		object({properties: {a: {$ref: '#/constructor'}}}),
		'something that it does not contain',
	],
	['a prototype', JSON.parse('{"type": "object", "properties": {"a": {"__proto__": {}}}}'), '__proto__'],
	['too great a depth', object({properties: {a: deep(50)}}), 'too deep'],
	[
		'endless depth',
		object({properties: {a: JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown}}),
		'too deep',
	],
	['too many parts', object({enum: Array.from({length: 10_000}, () => ({}))}), 'too large'],
	['a hidden text in a value', object({properties: {a: {enum: ['x\u{e0041}']}}}), 'invisible characters'],
	['a hidden text in a default', object({properties: {a: {default: 'x\u200b'}}}), 'invisible characters'],
	['a hidden text in a name', object({$defs: {'x\ufe01': {}}}), 'invisible characters'],
	['too many bytes', object({description: 'é'.repeat(20_000)}), 'more than 32768 bytes'],
])('a schema with %s is refused with the reason', (_, schema, problem) => {
	expect(parametersOf(schema)).toEqual({ok: false, problem: expect.stringContaining(problem) as unknown});
});
