import {describe, expect, it} from 'vitest';
import type {AnswerEvent} from '../../../../../src/worker/wires/reading/answer-event.ts';
import {createParallelCalls} from '../../../../../src/worker/wires/reading/responses/responses-parallel.ts';

const tool = (name: string) => ({name, description: '', parameters: {}});
const tools = [tool('read'), tool('write')];
const use = (name: string, parameters: unknown) => ({recipient_name: `functions.${name}`, parameters});

const start: AnswerEvent = {type: 'call_start', id: 'c', name: 'parallel'};
const delta = (text: string, id = 'c'): AnswerEvent => ({type: 'delta', kind: 'tool_call', id, text});
const endOf = (text: string): AnswerEvent => ({
	type: 'call_end',
	id: 'c',
	name: 'parallel',
	text,
	data: {openai: {itemId: 'f'}},
});

describe('a call that contains calls', () => {
	it('becomes the calls that it contains', () => {
		const calls = createParallelCalls(tools, 'openai');
		const text = JSON.stringify({tool_uses: [use('read', {path: 'a'}), use('write', {path: 'b'})]});
		expect(calls.pass([start, delta(text.slice(0, 9))])).toEqual([]);
		const origin = {itemId: 'f', toolCallId: 'c', toolName: 'parallel'};
		expect(calls.pass([delta(text.slice(9)), endOf(text)])).toEqual([
			{type: 'call_start', id: 'c_0', name: 'read'},
			delta('{"path":"a"}', 'c_0'),
			{
				type: 'call_end',
				id: 'c_0',
				name: 'read',
				text: '{"path":"a"}',
				data: {openai: {parallelToolCall: {...origin, input: text, index: 0, count: 2}}},
			},
			{type: 'call_start', id: 'c_1', name: 'write'},
			delta('{"path":"b"}', 'c_1'),
			{
				type: 'call_end',
				id: 'c_1',
				name: 'write',
				text: '{"path":"b"}',
				data: {openai: {parallelToolCall: {...origin, index: 1, count: 2}}},
			},
		]);
		expect(calls.rest()).toEqual([]);
	});

	it.each([
		['', {}],
		['a tool that nobody declared', {tool_uses: [use('read', {}), use('fly', {})]}],
		['a name without its prefix', {tool_uses: [{recipient_name: 'read', parameters: {}}]}],
		['no arguments', {tool_uses: [use('read', undefined)]}],
		['no calls', {tool_uses: []}],
	])('stays one call if it contains %s', (_, args) => {
		const text = JSON.stringify(args);
		const whole = createParallelCalls(tools, 'openai');
		expect(whole.pass([start, endOf(text)])).toEqual([start, delta(text), endOf(text)]);
		const pieces = createParallelCalls(tools, 'openai');
		expect(pieces.pass([start, delta(text), endOf(text)])).toEqual([start, delta(text), endOf(text)]);
	});

	it('is passed on when the answer breaks off', () => {
		const calls = createParallelCalls(tools, 'openai');
		calls.pass([start, delta('{"tool')]);
		expect(calls.rest()).toEqual([start, delta('{"tool')]);
	});

	it('is an ordinary call if the tool was declared, and so are all others', () => {
		const text = JSON.stringify({tool_uses: [use('read', {})]});
		const declared = [start, endOf(text)];
		expect(createParallelCalls([...tools, tool('parallel')], 'openai').pass(declared)).toBe(declared);
		const others: readonly AnswerEvent[] = [{type: 'call_start', id: 'c', name: 'read'}, delta('{}')];
		expect(createParallelCalls(tools, 'openai').pass(others)).toEqual(others);
	});
});
