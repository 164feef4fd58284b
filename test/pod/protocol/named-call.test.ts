import {describe, expect, it} from 'vitest';
import {namedCall} from '../../../src/pod/protocol/named-call.ts';
import type {ToolCall} from '../../../src/worker/index.ts';

const written = (text: string, name = 'call_tool'): ToolCall => ({
	type: 'tool_call',
	id: 'i',
	at: '',
	callId: 'c',
	name,
	arguments: text,
});

const named = (text: string, isOpen = false) => {
	const {name, arguments: args} = namedCall(written(text), isOpen);
	return [name, args];
};

describe('namedCall', () => {
	it('returns the call that call_tool names, with the ids of the written call', () => {
		expect(namedCall(written('{"arguments":{"id":"7"},"name":"mcp__s__get"}'))).toEqual({
			...written('{"id":"7"}', 'mcp__s__get'),
		});
	});

	it.each([
		['{"name":"mcp__s__get"}', '{}'],
		[String.raw`{"name":"mcp__s__get","arguments":"{\"id\":1}"}`, '{"id":1}'],
		['{"name":"other","name":"mcp__s__get","arguments":{"a":1},"arguments":{"b":2}}', '{"b":2}'],
		['{"name":"mcp__s__get","arguments":{"__proto__":{"x":1}}}', '{"__proto__":{"x":1}}'],
	])('reads %s', (text, args) => {
		expect(named(text)).toEqual(['mcp__s__get', args]);
	});

	it.each([
		'',
		'{',
		'[]',
		'null',
		'{"name":7}',
		'{"name":""}',
		'{"arguments":{}}',
		'{"name":"mcp__s__get","arguments":[1]}',
		`{"name":"mcp__s__get","arguments":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
		`{"name":"mcp__s__get","arguments":{"a":"${'x'.repeat(1024 * 1024)}"}}`,
	])('returns a call without a usable name or arguments unchanged (%#)', text => {
		const call = written(text);
		expect(namedCall(call)).toBe(call);
	});

	it('returns a call of another tool unchanged', () => {
		const call = written('{"name":"mcp__s__get","arguments":{}}', 'bash');
		expect(namedCall(call)).toBe(call);
	});

	it.each([
		['{"na', 'call_tool', '{"na'],
		['{"name":"mcp__s__g', 'call_tool', '{"name":"mcp__s__g'],
		['{"name": "mcp__s__get"', 'mcp__s__get', ''],
		['{"name":"mcp__s__get","arguments": {"id":"7', 'mcp__s__get', '{"id":"7'],
	])('reads the beginning of arguments that still arrive: %s', (text, name, args) => {
		expect(named(text, true)).toEqual([name, args]);
	});
});
