import type {LanguageModelV4StreamPart} from '@ai-sdk/provider';
import {describe, expect, test} from 'vitest';
import {createTranslator} from '../../../src/worker/models/events.ts';
import type {ModelEvent, ModelRequest} from '../../../src/worker/model.ts';
import {ask, assemble, type Collected} from '../../helpers/collect.ts';

function translate(
	parts: readonly LanguageModelV4StreamPart[],
	options: {late?: boolean; request?: ModelRequest; close?: boolean} = {},
): Collected & {before: number} {
	const translator = createTranslator(options.request ?? ask([]), options.late === true);
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
	test('of start, deltas and end, merged by provider', () => {
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

	test('with keys that JSON cannot say, without them', () => {
		const {parts} = translate([
			{type: 'text-start', id: '0', providerMetadata: {a: {gone: undefined, kept: 1}}},
			{type: 'text-end', id: '0'},
		]);
		expect(parts).toStrictEqual([{type: 'text', text: '', provider: {a: {kept: 1}}}]);
	});
});

describe('tool calls', () => {
	test('that come whole, started and ended', () => {
		expect(translate([call('c', '{"a":1}')]).parts).toEqual([
			{type: 'tool_call', callId: 'c', name: 'f', arguments: '{"a":1}'},
		]);
	});

	test('whose final text differs from the deltas, with the final text', () => {
		const {parts} = translate([
			{type: 'tool-input-start', id: 'c', toolName: 'f'},
			{type: 'tool-input-delta', id: 'c', delta: '{"a"'},
			call('c', '{"a":2}'),
		]);
		expect(parts).toMatchObject([{arguments: '{"a":2}'}]);
	});

	test('with the same id twice at once, two calls', () => {
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

	test('with an id that the conversation used before, a new id', () => {
		const request = ask([
			{role: 'assistant', parts: [{type: 'tool_call', callId: 'call_0', name: 'f', arguments: '{}'}]},
		]);
		expect(translate([call('call_0')], {request}).parts).toMatchObject([{callId: 'call_0_2'}]);
	});

	test.each([[''], [' '], [undefined]])('with the id %j, an id of ours', id => {
		expect(translate([call(id as string), call(id as string)]).parts).toMatchObject([
			{callId: 'call_1'},
			{callId: 'call_2'},
		]);
	});

	test('that the provider ran itself, left out', () => {
		expect(
			translate([
				{type: 'tool-input-start', id: 'c', toolName: 'search', providerExecuted: true},
				{type: 'tool-input-delta', id: 'c', delta: '{}'},
				{type: 'tool-call', toolCallId: 'c', toolName: 'search', input: '{}', providerExecuted: true},
			]).events,
		).toHaveLength(1);
	});

	test('on a wire that settles them late, ended only at the close', () => {
		const late = [{type: 'tool-input-start', id: 'c', toolName: 'f'}, call('c')] as const;
		expect(translate(late, {late: true}).before).toBe(1);
		expect(translate(late, {late: true}).parts).toHaveLength(1);
		expect(translate(late, {late: true, close: false}).parts).toHaveLength(0);
	});
});

describe('odd streams', () => {
	test('a delta without a start, a part all the same', () => {
		expect(
			translate([
				{type: 'text-delta', id: '0', delta: 'a'},
				{type: 'text-delta', id: '0', delta: 'b'},
			]).parts,
		).toEqual([{type: 'text', text: 'ab'}]);
	});

	test('an end without a start, and a delta of an unknown call, nothing', () => {
		expect(
			translate([
				{type: 'text-end', id: '9'},
				{type: 'tool-input-delta', id: 'c', delta: 'x'},
			]).events,
		).toHaveLength(1);
	});

	test('an id that is used again after its end, another part', () => {
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

	test('files, sources and pings, nothing', () => {
		const events = translate([
			{type: 'stream-start', warnings: []},
			{type: 'ping'},
			{type: 'source', sourceType: 'url', id: 's', url: 'https://example.org'},
		]).events;
		expect(events).toHaveLength(1);
	});
});
