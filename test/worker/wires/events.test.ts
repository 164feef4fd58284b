import type {LanguageModelV4StreamPart} from '@ai-sdk/provider';
import {describe, expect, it} from 'vitest';
import {createAnswerNotes} from '../../../src/worker/wires/reading/answer-notes.ts';
import {createTranslator} from '../../../src/worker/wires/events.ts';
import type {ModelEvent, ModelRequest} from '../../../src/worker/history/model.ts';
import {ask, assemble, type Collected} from '../../helpers/collect.ts';

function translate(
	parts: readonly LanguageModelV4StreamPart[],
	options: {late?: boolean; request?: ModelRequest; close?: boolean} = {},
): Collected & {before: number} {
	const translator = createTranslator(options.request ?? ask([]), options.late === true, createAnswerNotes('test'));
	const events: ModelEvent[] = parts.flatMap(part => translator.translate(part));
	const before = events.length;
	if (options.close !== false) events.push(...translator.close());
	return {...assemble([...events, {type: 'finish', stop: 'end', usage: {}}]), before};
}

const call = (toolCallId: string, input = '{}'): LanguageModelV4StreamPart => ({
	type: 'tool-call',
	toolCallId,
	toolName: 'f',
	input,
});

describe('provider metadata', () => {
	it('is merged by provider from start, deltas and end', () => {
		const {parts} = translate([
			{type: 'reasoning-start', id: '0', providerMetadata: {a: {itemId: 'r', encrypted: null}}},
			{type: 'reasoning-delta', id: '0', delta: 'hm', providerMetadata: {a: {more: 1}, b: {x: [1]}}},
			{type: 'reasoning-delta', id: '0', delta: '', providerMetadata: {a: {signature: 'sig'}}},
			{type: 'reasoning-end', id: '0', providerMetadata: {a: {encrypted: 'data'}}},
		]);
		expect(parts).toEqual([
			{
				type: 'reasoning',
				text: 'hm',
				provider: {a: {itemId: 'r', encrypted: 'data', more: 1, signature: 'sig'}, b: {x: [1]}},
			},
		]);
	});

	it('loses values that JSON cannot express', () => {
		const {parts} = translate([
			{type: 'text-start', id: '0', providerMetadata: {a: {gone: undefined, kept: 1}}},
			{type: 'text-end', id: '0'},
		]);
		expect(parts).toStrictEqual([{type: 'text', text: '', provider: {a: {kept: 1}}}]);
	});
});

describe('tool calls', () => {
	it('start and end at once when they arrive complete', () => {
		expect(translate([call('c', '{"a":1}')]).parts).toEqual([
			{type: 'tool_call', callId: 'c', name: 'f', arguments: '{"a":1}'},
		]);
	});

	it('have the final text when it differs from the deltas', () => {
		const {parts} = translate([
			{type: 'tool-input-start', id: 'c', toolName: 'f'},
			{type: 'tool-input-delta', id: 'c', delta: '{"a"'},
			call('c', '{"a":2}'),
		]);
		expect(parts).toMatchObject([{arguments: '{"a":2}'}]);
	});

	it('stay separate when two have the same id at once', () => {
		const {parts} = translate([
			{type: 'tool-input-start', id: 'c', toolName: 'f'},
			{type: 'tool-input-start', id: 'c', toolName: 'f'},
			{type: 'tool-input-delta', id: 'c', delta: 'x'},
			call('c', '{"n":1}'),
			call('c', '{"n":2}'),
			call('c', '{"n":3}'),
		]);
		expect(parts.map(part => part.type === 'tool_call' && [part.callId, part.arguments])).toEqual([
			['c', '{"n":1}'],
			['c_2', '{"n":2}'],
			['c_3', '{"n":3}'],
		]);
	});

	it('get a new id when the conversation already uses theirs', () => {
		const request = ask([
			{role: 'assistant', parts: [{type: 'tool_call', callId: 'call_0', name: 'f', arguments: '{}'}]},
		]);
		expect(translate([call('call_0')], {request}).parts).toMatchObject([{callId: 'call_0_2'}]);
	});

	it.each([[''], [' '], [undefined]])('get a new id when theirs is %j', id => {
		expect(translate([call(id as string), call(id as string)]).parts).toMatchObject([
			{callId: 'call_1'},
			{callId: 'call_2'},
		]);
	});

	it('are left out when the provider ran them itself', () => {
		expect(
			translate([
				{type: 'tool-input-start', id: 'c', toolName: 'search', providerExecuted: true},
				{type: 'tool-input-delta', id: 'c', delta: '{}'},
				{type: 'tool-call', toolCallId: 'c', toolName: 'search', input: '{}', providerExecuted: true},
			]).events,
		).toHaveLength(1);
	});

	it('end only at the end of the stream when the package ends them late', () => {
		const late = [{type: 'tool-input-start', id: 'c', toolName: 'f'}, call('c')] as const;
		expect(translate(late, {late: true}).before).toBe(1);
		expect(translate(late, {late: true}).parts).toHaveLength(1);
		expect(translate(late, {late: true, close: false}).parts).toHaveLength(0);
	});
});

describe('an unusual stream of events', () => {
	it('gets a part when a delta has no start', () => {
		expect(
			translate([
				{type: 'text-delta', id: '0', delta: 'a'},
				{type: 'text-delta', id: '0', delta: 'b'},
			]).parts,
		).toEqual([{type: 'text', text: 'ab'}]);
	});

	it('ignores an end without a start and a delta of an unknown call', () => {
		expect(
			translate([
				{type: 'text-end', id: '9'},
				{type: 'tool-input-delta', id: 'c', delta: 'x'},
			]).events,
		).toHaveLength(1);
	});

	it('gets another part when an id is used again', () => {
		const text = (delta: string): LanguageModelV4StreamPart[] => [
			{type: 'text-start', id: 't'},
			{type: 'text-delta', id: 't', delta},
			{type: 'text-end', id: 't'},
		];
		expect(translate([...text('a'), ...text('b')]).parts).toEqual([
			{type: 'text', text: 'a'},
			{type: 'text', text: 'b'},
		]);
	});

	it('ignores files, sources and pings', () => {
		const events = translate([
			{type: 'stream-start', warnings: []},
			{type: 'ping'},
			{type: 'source', sourceType: 'url', id: 's', url: 'https://example.org'},
		]).events;
		expect(events).toHaveLength(1);
	});
});
