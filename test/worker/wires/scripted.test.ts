import {describe, expect, it} from 'vitest';
import type {ModelEvent} from '../../../src/worker/history/model.ts';
import {parseScript, splitText, type Answer} from '../../../src/worker/wires/script.ts';
import {requestHash, scriptedModel} from '../../../src/worker/wires/scripted.ts';
import {ask, assemble, collect} from '../../helpers/collect.ts';

const hello = ask([{role: 'user', text: 'Hello.'}]);

describe('a scripted model', () => {
	it('plays parts, usage and provider data', async () => {
		const model = scriptedModel([
			[
				{type: 'reasoning', text: 'thinking', provider: {x: {signature: 's'}}},
				{type: 'text', text: 'a👍c', chunk: 1},
				{type: 'tool_call', name: 'f', arguments: {a: 1}},
				{type: 'tool_call', name: 'g', arguments: '{broken', callId: 'mine'},
				{type: 'usage', input: 3, output: 4},
			],
		]);
		const answer = await collect(model, hello);
		expect(answer.parts).toEqual([
			{type: 'reasoning', text: 'thinking', provider: {x: {signature: 's'}}},
			{type: 'text', text: 'a👍c'},
			{type: 'tool_call', callId: 'call_1_3', name: 'f', arguments: '{"a":1}'},
			{type: 'tool_call', callId: 'mine', name: 'g', arguments: '{broken'},
		]);
		expect(answer).toMatchObject({stop: 'tool_calls', usage: {input: 3, output: 4}});
		expect(answer.events[0]).toEqual({type: 'sending', hash: requestHash(hello)});
		expect(
			answer.events.flatMap(event => (event.type === 'delta' && event.key === 'p2' ? [event.text] : [])),
		).toEqual(['a', '👍', 'c']);
	});

	it('plays unread parts, and a stop with its explanation', async () => {
		const model = scriptedModel([
			[
				{type: 'unread', kind: 'image_generation_call', data: '{}'},
				{type: 'stop', stop: 'blocked', explanation: 'SAFETY'},
			],
		]);
		const {events} = await collect(model, hello);
		expect(events.slice(1)).toEqual([
			{type: 'start', key: 'p1', part: {type: 'unread', kind: 'image_generation_call', data: '{}'}},
			{type: 'end', key: 'p1'},
			{type: 'finish', stop: 'blocked', explanation: 'SAFETY', usage: {}},
		]);
	});

	it('fails with a sentence after its last answer', async () => {
		const model = scriptedModel([[{type: 'text', text: 'only'}]]);
		expect((await collect(model, hello)).stop).toBe('end');
		expect((await collect(model, hello)).error).toMatchObject({
			reason: 'other',
			retryable: false,
			message: 'The script has 1 answer, and this is request 2.',
		});
	});

	it('ends with an error, a cut or a stop', async () => {
		const answers: Answer[] = [
			[{type: 'error', reason: 'overloaded', message: 'Later.', retryable: true, retryAfterMs: 5}],
			[{type: 'text', text: 'Half'}, {type: 'cut'}, {type: 'text', text: 'never'}],
			[
				{type: 'text', text: 'Half'},
				{type: 'stop', stop: 'length'},
			],
		];
		const model = scriptedModel(answers);
		expect((await collect(model, hello)).error).toEqual({
			reason: 'overloaded',
			message: 'Later.',
			retryable: true,
			retryAfterMs: 5,
		});
		expect(await collect(model, hello)).toMatchObject({error: {reason: 'cut'}, parts: [{text: 'Half'}]});
		expect((await collect(model, hello)).stop).toBe('length');
	});

	it('passes the request and its number to a function', async () => {
		const model = scriptedModel((request, n) => [{type: 'text', text: `${n}: ${request.messages.length}`}]);
		await collect(model, hello);
		expect((await collect(model, hello)).parts).toEqual([{type: 'text', text: '1: 1'}]);
	});

	it('fails without throwing when its function throws', async () => {
		const model = scriptedModel(() => {
			throw new Error('oops');
		});
		expect((await collect(model, hello)).error).toMatchObject({
			reason: 'other',
			message: 'The script failed: oops',
		});
	});

	it.each([
		['before it begins', undefined],
		['in a long pause', [{type: 'text', text: 'ab', chunk: 1, delayMs: 60_000}]],
		['in a stall', [{type: 'text', text: 'a'}, {type: 'stall'}]],
	] as const)('ends at once when it is aborted %s', async (_when, answer) => {
		const controller = new AbortController();
		if (answer === undefined) controller.abort();
		const events: ModelEvent[] = [];
		for await (const event of scriptedModel([answer ?? []]).stream(hello, controller.signal)) {
			events.push(event);
			if (event.type === 'start') controller.abort();
		}
		expect(assemble(events).error).toMatchObject({reason: 'aborted', retryable: false});
	});

	it('computes the same hash when keys have another order', () => {
		const other = {
			messages: [{text: 'Hello.', role: 'user' as const}],
			settings: {},
			tools: [],
			prompt: 'Be brief.',
		};
		expect(requestHash(other)).toBe(requestHash(hello));
		expect(requestHash({...other, prompt: 'Be long.'})).not.toBe(requestHash(hello));
	});
});

describe('a script file', () => {
	it.each([['[[{"type":"text","text":"hi"}]]'], ['{"answers":[[{"type":"text","text":"hi"}]]}']])(
		'is parsed: %s',
		text => {
			expect(parseScript(text)).toEqual({ok: true, script: [[{type: 'text', text: 'hi'}]]});
		},
	);

	it.each([
		['{', /^The script is not valid JSON: /],
		['{}', /^The script is invalid at answers: /],
		['[[{"type":"text"}]]', /^The script is invalid at answers\.0\.0\.text: /],
		['[[{"type":"dance"}]]', /^The script is invalid at answers\.0\.0\.type: /],
		['[[{"type":"text","text":"x","chunck":3}]]', /^The script is invalid at answers\.0\.0: .*chunck/],
	])('is refused with a sentence: %s', (text, sentence) => {
		const parsed = parseScript(text);
		expect(parsed.ok ? '' : parsed.sentence).toMatch(sentence);
	});
});

describe('a text that is split into pieces', () => {
	it('has complete characters in each piece', () => {
		expect(splitText('ab👍🏽c', 2)).toEqual(['ab', '👍🏽', 'c']);
		expect(splitText('', 2)).toEqual([]);
		expect(splitText('abc', undefined)).toEqual(['abc']);
	});
});
