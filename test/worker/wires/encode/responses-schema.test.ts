import {describe, expect, it} from 'vitest';
import {acceptedSchema} from '../../../../src/worker/wires/encode/responses-schema.ts';

const text = {type: 'string'};

describe('the schema of a tool for the Responses API', () => {
	it('stays as it is if OpenAI accepts it, with the order of its fields', () => {
		const schema = {
			$schema: 'http://json-schema.org/draft-07/schema#',
			type: 'object',
			properties: {b: {anyOf: [text, {type: 'null'}], default: null}, a: {$ref: '#/$defs/t'}, 10: true},
			required: ['b'],
			additionalProperties: false,
			$defs: {t: {enum: ['p', 1]}},
		};
		expect(JSON.stringify(acceptedSchema(schema))).toBe(JSON.stringify(schema));
	});

	it.each([
		['properties', {a: {propertyNames: text, type: 'object'}}, {a: {type: 'object'}}],
		['patternProperties', {a: {propertyNames: text}}, {a: {}}],
		['dependencies', {a: ['b'], b: {propertyNames: text}}, {a: ['b'], b: {}}],
		['items', {propertyNames: text}, {}],
		['items', [{propertyNames: text}, true], [{}, true]],
		['anyOf', [{propertyNames: text}, text], [{}, text]],
		['not', {propertyNames: text}, {}],
		['additionalProperties', {propertyNames: text}, {}],
		['default', {propertyNames: text}, {propertyNames: text}],
		['properties', null, null],
	])('has no constraints for names of properties, at any depth: %s of %j', (field, value, accepted) => {
		expect(acceptedSchema({type: 'object', propertyNames: text, [field]: value})).toEqual({
			type: 'object',
			[field]: accepted,
		});
	});

	it.each([
		['^(?=a)', false],
		['(?!a)', false],
		['a(?<=b)', false],
		['a(?<!b)', false],
		['(?<name>a)', true],
		['(?:a)', true],
		['\\(?=a', true],
		['[(?=a]', true],
		['[\\](?=a]', true],
		['(\\d?=)', true],
		['[a](?=b)', false],
	])('has no pattern that looks around: %s', (pattern, isKept) => {
		const {properties} = acceptedSchema({properties: {a: {type: 'string', pattern}}});
		expect(properties).toEqual({a: isKept ? {type: 'string', pattern} : text});
	});

	it('has a reference in place of a list with nothing else', () => {
		const reference = {allOf: [{$ref: '#/$defs/a~1b'}], description: 'd'};
		const schema = {properties: {x: reference, y: {allOf: [text, text]}}, $defs: {'a/b': text}};
		expect(acceptedSchema(schema)).toEqual({
			...schema,
			properties: {x: {description: 'd', $ref: '#/$defs/a~1b'}, y: {allOf: [text, text]}},
		});
		expect(acceptedSchema({...schema, allOf: reference.allOf, title: 't'})).toEqual({
			...acceptedSchema(schema),
			...text,
			title: 't',
		});
		expect(acceptedSchema({allOf: [{$ref: '#/$defs/none'}]})).toEqual({allOf: [{$ref: '#/$defs/none'}]});
	});
});
