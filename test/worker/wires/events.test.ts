import {describe, expect, it} from 'vitest';
import type {AnswerEvent} from '../../../src/worker/wires/reading/answer-event.ts';
import {createAnswerNotes} from '../../../src/worker/wires/reading/answer-notes.ts';
import {createTranslator} from '../../../src/worker/wires/events.ts';
import type {ProviderData} from '../../../src/worker/history/item.ts';
import type {ModelEvent, ModelRequest} from '../../../src/worker/history/model.ts';
import {ask, assemble, type Collected} from '../../helpers/collect.ts';

type PartEvent = Exclude<AnswerEvent, {type: 'finish' | 'error'}>;

function translate(parts: readonly PartEvent[], options: {request?: ModelRequest} = {}): Collected {
	const translator = createTranslator(options.request ?? ask([]), createAnswerNotes('test'));
	const events: ModelEvent[] = parts.flatMap(part => translator.translate(part));
	return assemble([...events, ...translator.close(), {type: 'finish', stop: 'end', usage: {}}]);
}

const call = (id: unknown, text = '{}'): PartEvent => ({type: 'call_end', id, name: 'f', text});
const begun = (id: string): PartEvent => ({type: 'call_start', id, name: 'f'});
const argumentsOf = (id: string, text: string): PartEvent => ({type: 'delta', kind: 'tool_call', id, text});
const thought = (text: string, data: ProviderData): PartEvent => ({
	type: 'delta',
	kind: 'reasoning',
	id: '0',
	text,
	data,
});

describe('provider metadata', () => {
	it('is merged by provider from start, deltas and end', () => {
		const {parts} = translate([
			{type: 'start', kind: 'reasoning', id: '0', data: {a: {itemId: 'r', encrypted: null}}},
			thought('hm', {a: {more: 1}, b: {x: [1]}}),
			thought('', {a: {signature: 'sig'}}),
			{type: 'end', kind: 'reasoning', id: '0', data: {a: {encrypted: 'data'}}},
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
			{type: 'start', kind: 'text', id: '0', data: {a: {gone: undefined, kept: 1}}},
			{type: 'end', kind: 'text', id: '0'},
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
		const {parts} = translate([begun('c'), argumentsOf('c', '{"a"'), call('c', '{"a":2}')]);
		expect(parts).toMatchObject([{arguments: '{"a":2}'}]);
	});

	it('stay separate when two have the same id at once', () => {
		const {parts} = translate([
			begun('c'),
			begun('c'),
			argumentsOf('c', 'x'),
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
		expect(translate([call(id), call(id)]).parts).toMatchObject([{callId: 'call_1'}, {callId: 'call_2'}]);
	});
});

describe('an unusual stream of events', () => {
	it('gets a part when a delta has no start', () => {
		expect(
			translate([
				{type: 'delta', kind: 'text', id: '0', text: 'a'},
				{type: 'delta', kind: 'text', id: '0', text: 'b'},
			]).parts,
		).toEqual([{type: 'text', text: 'ab'}]);
	});

	it('ignores an end without a start and a delta of an unknown call', () => {
		expect(translate([{type: 'end', kind: 'text', id: '9'}, argumentsOf('c', 'x')]).events).toHaveLength(1);
	});

	it('gets another part when an id is used again', () => {
		const text = (words: string): PartEvent[] => [
			{type: 'start', kind: 'text', id: 't'},
			{type: 'delta', kind: 'text', id: 't', text: words},
			{type: 'end', kind: 'text', id: 't'},
		];
		expect(translate([...text('a'), ...text('b')]).parts).toEqual([
			{type: 'text', text: 'a'},
			{type: 'text', text: 'b'},
		]);
	});
});
