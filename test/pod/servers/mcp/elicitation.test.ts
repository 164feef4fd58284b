import {describe, expect, it} from 'vitest';
import {fieldsOf, valueOf} from '../../../../src/pod/servers/mcp/elicitation.ts';

const field = (schema: object, isRequired = false) =>
	fieldsOf({properties: {f: schema}, required: isRequired ? ['f'] : []})![0]!;

describe('a field of a form', () => {
	it('is a question with its title, description, kind and default, all inert', () => {
		const {question} = field({
			type: 'integer',
			title: 'Age\u001b[31m',
			description: 'Yours',
			minimum: 1,
			default: 3,
		});
		expect(question.title).toMatch(/^Age[^\u001b]* · Yours · integer 1…, optional, default 3$/);
		expect(question.options).toBeUndefined();
	});

	it.each([
		[{type: 'string'}, {text: ' a '}, 'a'],
		[{type: 'string', default: 'd'}, {}, 'd'],
		[{type: 'string'}, undefined, undefined],
		[{type: 'number'}, {text: '1.5'}, 1.5],
		[{type: 'boolean'}, {options: [1]}, false],
		[{type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B']}, {options: [1]}, 'b'],
		[{type: 'string', oneOf: [{const: 'x', title: 'X'}]}, {options: [0]}, 'x'],
		[{type: 'array', items: {enum: ['a', 'b']}}, {options: [0, 1]}, ['a', 'b']],
		[{type: 'string', enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']}, {text: 'h'}, 'h'],
		[{type: 'array', items: {enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']}}, {text: 'h, a'}, ['h', 'a']],
		[{type: 'string', format: 'date'}, {text: '2026-11-23'}, '2026-11-23'],
	])('%j with the answer %j is %j', (schema, answer, value) => {
		expect(valueOf(field(schema), answer)).toEqual({ok: true, value});
	});

	it.each([
		[{type: 'integer'}, {text: '1.5'}, 'write a whole number'],
		[{type: 'number', maximum: 3}, {text: '4'}, 'at most 3'],
		[{type: 'number'}, {text: 'many'}, 'write a number'],
		[{type: 'string', minLength: 3}, {text: 'ab'}, 'write at least 3 characters'],
		[{type: 'string', maxLength: 3}, {text: '😀😀😀😀'}, 'write 0 to 3 characters'],
		[{type: 'string', format: 'uri'}, {text: 'no'}, 'this is not a valid uri'],
		[
			{type: 'string', enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']},
			{text: 'z'},
			'this is not one of the options',
		],
		[{type: 'array', items: {enum: ['a', 'b']}, minItems: 2}, {options: [0]}, 'at least 2'],
		[{type: 'boolean'}, {text: 'yes'}, 'choose one option'],
	])('%j refuses the answer %j: %s', (schema, answer, problem) => {
		expect(valueOf(field(schema), answer)).toEqual({ok: false, problem});
	});

	it('must be answered if the form requires it', () => {
		expect(valueOf(field({type: 'string'}, true), {})).toEqual({ok: false, problem: 'an answer is required'});
	});

	it.each([{properties: {a: {type: 'object'}}}, {properties: 'x'}, {required: 1}])(
		'is not in the form %j',
		schema => {
			expect(fieldsOf(schema)).toBeUndefined();
		},
	);
});
