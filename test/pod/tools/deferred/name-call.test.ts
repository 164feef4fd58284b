import {describe, expect, it} from 'vitest';
import {nameCall} from '../../../../src/pod/tools/deferred/name-call.ts';
import type {Tool, ToolCall} from '../../../../src/worker/index.ts';
import {manyDefinitions, toolOf} from '../../../helpers/many-tools.ts';

const own = [toolOf({name: 'read_file', description: '', parameters: {}})];
const many = manyDefinitions().map(toolOf);

const call = (name: string, args: unknown = {}): ToolCall => ({
	type: 'tool_call',
	id: 'i',
	at: '',
	callId: 'c',
	name,
	arguments: JSON.stringify(args),
});

const sentenceOf = (
	given: ToolCall,
	ofServers: readonly Tool[] = many,
	isDenied: (name: string) => boolean = () => false,
) => {
	const named = nameCall(given, {own, ofServers, isDenied, window: undefined});
	return named.ok ? named.call.name : named.sentence;
};

const withSchema = (parameters: Readonly<Record<string, unknown>>) => [
	toolOf({name: 'mcp__s__t', description: '', parameters}),
];

const inner = (name: string, args?: unknown) => call('call_tool', {name, arguments: args});

describe('a direct call', () => {
	it('of any tool stays as it is', () => {
		for (const name of ['read_file', 'find_tools', 'mcp__hub__get_label_of_user']) {
			const given = call(name);
			expect(nameCall(given, {own, ofServers: many, isDenied: () => false, window: undefined})).toEqual({
				ok: true,
				call: given,
			});
		}
	});

	it('of an unknown tool gets the nearest names if there are many tools', () => {
		expect(sentenceOf(call('read_fil'))).toBe('There is no tool read_fil. Did you mean read_file?');
		expect(sentenceOf(call('mcp__hub__get_lable_of_user'))).toMatch(/Did you mean mcp__hub__get_label_of_user or/);
		expect(sentenceOf(call('read_fil'), many.slice(0, 5))).toBe('read_fil');
	});

	it('is never renamed in a session without servers', () => {
		expect(sentenceOf(inner('mcp__s__t'), [])).toBe('call_tool');
	});
});

describe('the arguments of a deferred tool', () => {
	it('need what its schema requires, and the sentence names all arguments', () => {
		const schema = {type: 'object', properties: {id: {}, title: {}}, required: ['id', 'title']};
		expect(sentenceOf(inner('mcp__s__t', {id: 1}), withSchema(schema))).toBe(
			'The arguments of mcp__s__t do not fit: the argument title is missing. The tool has these arguments: id, title.',
		);
		expect(sentenceOf(inner('mcp__s__t', {id: 1, title: 2, more: 3}), withSchema(schema))).toBe('mcp__s__t');
	});

	it('have no others if its schema is closed', () => {
		const schema = {type: 'object', properties: {id: {}}, additionalProperties: false};
		expect(sentenceOf(inner('mcp__s__t', {ids: 1}), withSchema(schema))).toBe(
			'The arguments of mcp__s__t do not fit: it has no argument ids. The tool has these arguments: id.',
		);
		const open = {...schema, patternProperties: {'^x': {}}};
		expect(sentenceOf(inner('mcp__s__t', {x1: 1}), withSchema(open))).toBe('mcp__s__t');
		expect(sentenceOf(inner('mcp__s__t', {a: 1}), withSchema({...schema, properties: {}}))).toContain(
			'The tool has no arguments.',
		);
	});

	it('are bounded in the sentence, whatever a server or a model writes', () => {
		const names = Array.from({length: 5000}, (_, index) => `argument_${index}`);
		const schema = {
			properties: Object.fromEntries(names.map(name => [name, {}])),
			required: ['\u001b[31m'.repeat(9000)],
			additionalProperties: false,
		};
		const sentence = sentenceOf(inner('mcp__s__t', {['\n'.repeat(9000)]: 1}), withSchema(schema));
		expect(sentence.length).toBeLessThan(1500);
		expect(sentence).not.toMatch(/[\n\u001b]/);
	});

	it('are not checked if a rule denies the tool, so the sentence says nothing about it', () => {
		const [first] = many;
		const {name} = first!.definition;
		expect(sentenceOf(inner(name), many, denied => denied === name)).toBe(name);
		expect(sentenceOf(inner(`${name}s`), many, denied => denied === name)).not.toContain(`${name} `);
	});
});
