import {describe, expect, it} from 'vitest';
import {interruption} from '../../../src/pod/ground/history/reader.ts';
import type {ModelEvent, RequestEnd} from '../../../src/worker/index.ts';
import {answer, calls, says, sent, thinks, eventModel} from '../../helpers/event-model.ts';
import {setUp, texts, types} from '../worker-setup.ts';

type Stop = RequestEnd['stop'];

const ended = (stop: Stop, explanation?: string, output?: number): ModelEvent => ({
	type: 'finish',
	stop,
	usage: {input: 10, ...(output !== undefined && {output})},
	...(explanation !== undefined && {explanation}),
});

const opened = (text: string): ModelEvent[] => [
	{type: 'start', key: 'open', part: {type: 'tool_call', callId: 'open', name: 'echo'}},
	...(text === '' ? [] : [{type: 'delta', key: 'open', text} as const]),
];

const unread: ModelEvent[] = [
	{type: 'start', key: 'u', part: {type: 'unread', kind: 'image_generation_call', data: '{"a":1}'}},
	{type: 'end', key: 'u'},
];

async function run(...answers: ModelEvent[][]) {
	const parts = setUp();
	const model = eventModel(...answers);
	const result = await parts.worker.run(parts.user('go'), parts.options(model));
	return {...parts, model, result, items: parts.history.items};
}

describe('the end of a run', () => {
	it.each<readonly [Stop, string | undefined, string]>([
		['length', undefined, 'The answer reached the output limit.'],
		['refused', undefined, 'The model refused.'],
		['refused', 'It could do\nharm.', 'The model refused: It could do harm.'],
		['blocked', undefined, 'The provider’s filter blocked the answer.'],
		['blocked', 'SAFETY', 'The provider’s filter blocked the answer: SAFETY.'],
		['paused', undefined, 'The provider paused the answer.'],
		['other', undefined, 'The provider ended the answer for an unknown reason.'],
		['other', 'mystery', 'The provider ended the answer for an unknown reason: mystery.'],
	])('has one sentence for an answer that ended as %s (%s)', async (stop, explanation, cause) => {
		const {result, items} = await run([sent, ...says('Well'), ended(stop, explanation)]);
		expect(result).toEqual({type: 'ended', outcome: 'finished', cause});
		expect(items.at(-2)).toMatchObject({stop, ...(explanation !== undefined && {explanation})});
		expect(items.at(-1)).toMatchObject({type: 'run_end', outcome: 'finished', cause});
		expect(interruption(items)).toBeUndefined();
	});

	it.each<readonly [Stop, string]>([
		['cut', 'The connection was lost before the answer was complete.'],
		['error', 'The provider ended the answer with an error.'],
		['aborted', 'The answer was interrupted.'],
	])('is an error that can be resumed when the scripted model reports %s', async (stop, cause) => {
		const {result, items} = await run([sent, ...says('Well'), ended(stop)]);
		expect(result).toEqual({type: 'ended', outcome: 'error', cause});
		expect(interruption(items)).toBe('error');
	});

	it.each<readonly [string, Stop, ModelEvent[]]>([
		['nothing', 'end', []],
		['nothing', 'other', []],
		['nothing', 'tool_calls', []],
		['thoughts', 'end', thinks('hm')],
		['blank text', 'end', says(' \n')],
		['an unread part', 'end', unread],
		['an incomplete call', 'end', opened('{"te')],
	])('is empty for an answer with only %s that ended as %s', async (_what, stop, parts) => {
		const {result, items} = await run([sent, ...parts, ended(stop)]);
		const cause = 'The model sent neither text nor a tool call.';
		expect(result).toEqual({type: 'ended', outcome: 'finished', cause});
		expect(items.at(-2)).toMatchObject({type: 'request_end', stop: 'empty'});
	});

	it.each<Stop>(['refused', 'blocked', 'length', 'paused'])(
		'keeps the stop %s of an answer without text',
		async stop => {
			const {items} = await run([sent, ended(stop)]);
			expect(items.at(-2)).toMatchObject({stop});
		},
	);

	it('has no cause after a whole answer', async () => {
		expect((await run(answer(says('ok')))).result).toEqual({type: 'ended', outcome: 'finished'});
	});

	it('shortens an explanation of any length, and keeps its first 4 KB in the request', async () => {
		const {result, items} = await run([sent, ...says('Well'), ended('refused', 'é'.repeat(100_000))]);
		expect(result).toMatchObject({cause: `The model refused: ${'é'.repeat(300)}…`});
		const {explanation = ''} = items.at(-2) as RequestEnd;
		expect(Buffer.byteLength(explanation)).toBe(4096);
	});
});

describe('a call that was cut by the output limit', () => {
	it.each<readonly [string, ModelEvent[], string]>([
		['open', opened('{"text":"hal'), '{"text":"hal'],
		['open, without arguments', opened(''), ''],
		['ended by the wire', calls('open', 'echo', '{"text":"hal'), '{"text":"hal'],
		['ended by the wire, without arguments', [...opened(''), {type: 'end', key: 'open', text: '{}'}], '{}'],
		['followed by an unread part', [...calls('open', 'echo', '{"te'), ...unread], '{"te'],
	])('is committed and answered, not run: %s', async (_how, call, args) => {
		const {result, items, model} = await run(
			[sent, ...says('So:'), ...call, ended('length', undefined, 77)],
			answer(says('ok')),
		);
		expect(result).toEqual({type: 'ended', outcome: 'finished'});
		expect(items.find(item => item.type === 'tool_call')).toMatchObject({arguments: args});
		const [cut] = items.filter(item => item.type === 'tool_result');
		expect(cut).toMatchObject({
			callId: 'open',
			isError: true,
			summary: 'not run: the answer was cut at 77 output tokens',
			content: expect.stringMatching(
				/^The answer was cut at 77 output tokens before this call was complete\. /,
			) as unknown,
		});
		expect(items.some(item => item.type === 'message' && item.stop !== undefined)).toBe(false);
		expect(model.requests[1]!.messages.slice(1)).toMatchObject([
			{role: 'assistant', parts: [{type: 'text'}, {type: 'tool_call', arguments: args}]},
			{role: 'tool', results: [{isError: true}]},
		]);
	});

	it('is reported without a number when the provider did not count', async () => {
		const {items} = await run([sent, ...opened('{'), ended('length')], answer(says('ok')));
		expect(items.find(item => item.type === 'tool_result')).toMatchObject({
			summary: 'not run: the answer was cut at the output limit',
			content: expect.stringMatching(/^The answer was cut before this call was complete\. /) as unknown,
		});
	});

	it('does not stop the complete calls before it', async () => {
		const {items} = await run(
			[sent, ...calls('a', 'echo', {text: 'one'}), ...opened('{"te'), ended('length')],
			answer(says('ok')),
		);
		const results = items.filter(item => item.type === 'tool_result');
		expect(results.map(({callId, isError}) => [callId, isError])).toEqual([
			['open', true],
			['a', false],
		]);
	});

	it('is not assumed when the call is complete at the limit', async () => {
		const {items} = await run(
			[sent, ...calls('a', 'echo', {text: 'one'}), ended('length')],
			[sent, ...calls('b', 'echo', {text: 'two'}), ended('length')],
			answer(says('ok')),
		);
		const results = items.filter(item => item.type === 'tool_result');
		expect(results.map(({content}) => content)).toEqual(['one', 'two']);
	});

	it('ends the run as a limit when it happens twice in a row, after the complete calls have run', async () => {
		const whole = calls('a', 'echo', {text: 'one'});
		const {result, items, model} = await run(
			[sent, ...opened('{"te'), ended('length', undefined, 60)],
			[sent, ...whole, ...opened('{"tex'), ended('length', undefined, 77)],
		);
		expect(result).toEqual({
			type: 'ended',
			outcome: 'limit',
			cause: 'Two answers in a row were cut at the output limit (77 tokens) before their tool call was complete.',
		});
		expect(model.requests).toHaveLength(2);
		expect(items.filter(item => item.type === 'tool_result')).toHaveLength(3);
		expect(interruption(items)).toBeUndefined();
	});

	it('is counted from the start again after another answer', async () => {
		const cut = (): ModelEvent[] => [sent, ...opened('{"te'), ended('length')];
		const {result} = await run(cut(), answer(calls('b', 'echo', {text: 'x'})), cut(), answer(says('ok')));
		expect(result).toEqual({type: 'ended', outcome: 'finished'});
	});
});

describe('a call that the provider could not read', () => {
	it('leads to one more request with the same contents', async () => {
		const {result, items, model} = await run([sent, ...thinks('hm'), ended('unread_call')], answer(says('ok')));
		expect(result).toEqual({type: 'ended', outcome: 'finished'});
		expect(model.requests[1]).toEqual(model.requests[0]);
		expect(types(items)).toEqual([
			'setup',
			'message',
			'request',
			'reasoning',
			'request_end',
			'request',
			'message',
			'request_end',
			'run_end',
		]);
	});

	it('ends the run the second time', async () => {
		const {result, model} = await run([sent, ended('unread_call')], [sent, ended('unread_call', 'bad JSON')]);
		const cause = 'The provider could not read the model’s tool call: bad JSON.';
		expect(result).toEqual({type: 'ended', outcome: 'finished', cause});
		expect(model.requests).toHaveLength(2);
	});

	it('is left out, and the next request continues after the received text', async () => {
		const {model} = await run([sent, ...says('Let me look.'), ended('unread_call')], answer(says('ok')));
		expect(model.requests[1]!.messages).toMatchObject([
			{role: 'user', text: 'go'},
			{role: 'assistant', parts: [{text: 'Let me look.'}]},
			{role: 'user', text: expect.stringMatching(/cut off/) as unknown},
		]);
	});
});

describe('a failure after thoughts', () => {
	const failed = (reason: 'overloaded' | 'cut' | 'stalled'): ModelEvent => ({
		type: 'error',
		error: {reason, message: 'Sorry.', retryable: true},
	});

	it.each(['overloaded', 'cut', 'stalled'] as const)('leads to a retry with the reason %s', async reason => {
		const {result, model, items, steps} = await run([sent, ...thinks('hm'), failed(reason)], answer(says('ok')));
		expect(result).toEqual({type: 'ended', outcome: 'finished'});
		expect(model.requests[1]).toEqual(model.requests[0]);
		const stop = reason === 'overloaded' ? 'error' : 'cut';
		expect(items.slice(2, 5)).toMatchObject([
			{type: 'request'},
			{type: 'reasoning', text: 'hm', stop},
			{type: 'request_end', stop},
		]);
		expect(texts(items)).toEqual(['go', 'ok']);
		expect(steps.filter(step => step.retryAt !== undefined)).toHaveLength(1);
	});

	it('leads to a retry after only the beginning of a blank text', async () => {
		const blank: ModelEvent[] = [
			{type: 'start', key: 't', part: {type: 'text'}},
			{type: 'delta', key: 't', text: '\n'},
		];
		expect((await run([sent, ...blank, failed('cut')], answer(says('ok')))).model.requests).toHaveLength(2);
	});

	it.each<readonly [string, ModelEvent[]]>([
		[
			'text',
			[
				{type: 'start', key: 't', part: {type: 'text'}},
				{type: 'delta', key: 't', text: 'a'},
			],
		],
		[
			'a text that came whole',
			[
				{type: 'start', key: 't', part: {type: 'text'}},
				{type: 'end', key: 't', text: 'a'},
			],
		],
		['a call', opened('')],
		['an unread part', unread],
	])('leads to no second charge when %s came', async (_what, parts) => {
		const {model, result} = await run([sent, ...thinks('hm'), ...parts, failed('cut')], answer(says('ok')));
		expect(model.requests).toHaveLength(1);
		expect(result).toEqual({type: 'ended', outcome: 'error', cause: 'Sorry.'});
	});
});

describe('an unread part', () => {
	it('is an item with its data, and is never sent', async () => {
		const {items, worker, user, options} = await run([sent, ...unread, ...says('Here.'), ended('end')]);
		expect(items[3]).toMatchObject({
			type: 'message',
			role: 'assistant',
			text: '',
			unread: {type: 'image_generation_call', data: '{"a":1}'},
		});
		const next = eventModel(answer(says('ok')));
		await worker.run(user('more'), options(next));
		expect(next.requests[0]!.messages).toEqual([
			{role: 'user', text: 'go'},
			{role: 'assistant', parts: [{type: 'text', text: 'Here.'}]},
			{role: 'user', text: 'more'},
		]);
	});

	it('is not sent even if it has data of its provider', async () => {
		const withData: ModelEvent[] = [unread[0]!, {type: 'end', key: 'u', provider: {openai: {itemId: 'ig_1'}}}];
		const {worker, user, options} = await run([sent, ...withData, ...says('Here.'), ended('end')]);
		const next = eventModel(answer(says('ok')));
		await worker.run(user('more'), options(next));
		expect(next.requests[0]!.messages[1]).toEqual({role: 'assistant', parts: [{type: 'text', text: 'Here.'}]});
	});
});
