import {describe, expect, it} from 'vitest';
import {z} from 'zod';
import {defineTool} from '../../../src/worker/loop/tool.ts';

const input = z.strictObject({
	path: z.string(),
	limit: z.int().optional(),
	mode: z.enum(['a', 'b']).optional(),
	edits: z.array(z.object({old: z.string()})).optional(),
});
const tool = defineTool({
	name: 'test',
	description: 'test',
	effect: 'read',
	input,
	execute: async () => ({content: '', isError: false, summary: ''}),
});

describe('a call with arguments that do not fit', () => {
	it.each<[unknown, string]>([
		[{}, '"path" is missing. It must be a string.'],
		[{path: 3}, '"path" must be a string, not a number.'],
		[{path: null}, '"path" must be a string, not null.'],
		[{path: 'a', limit: '3'}, '"limit" must be a number, not a string.'],
		[{path: 'a', mode: 'c'}, '"mode" must be "a" or "b".'],
		[{path: 'a', edits: [{old: []}]}, '"edits[0].old" must be a string, not an array.'],
		[{path: 'a', offset: 1}, 'The tool has no argument "offset".'],
		[[], 'The arguments must be an object, not an array.'],
		[{path: 1, offset: 1}, '"path" must be a string, not a number.\nThe tool has no argument "offset".'],
	])('is answered in plain sentences: %o', (args, message) => {
		expect(tool.check(args)).toEqual({ok: false, message});
	});
});

describe('the definition of a tool', () => {
	it('has the JSON schema of the input, which is made when it is first read', () => {
		expect(Object.getOwnPropertyDescriptor(tool.definition, 'parameters')).toHaveProperty('get');
		const {parameters} = tool.definition;
		expect(parameters).toMatchObject({type: 'object', required: ['path'], additionalProperties: false});
		expect(tool.definition.parameters).toBe(parameters);
		expect(JSON.parse(JSON.stringify(tool.definition))).toEqual({name: 'test', description: 'test', parameters});
	});
});
