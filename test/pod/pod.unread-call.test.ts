import {describe, expect, it} from 'vitest';
import {verifyRequests} from '../../src/pod/disk/check/verify-requests.ts';
import {requestSettings, type Answer, type Item} from '../../src/worker/index.ts';
import {loadModel} from '../../src/worker/wires/load.ts';
import {testPod} from '../helpers/pod.ts';
import {tempProject} from '../helpers/temp-project.ts';
import {startServer, type HttpAnswer, type ServerAnswer} from '../helpers/wire-servers/index.ts';
import {specAt} from '../worker/wires/wire-model.ts';

const groqError = {
	message: 'Failed to call a function. Please adjust your prompt. See "failed_generation" for more details.',
	type: 'invalid_request_error',
	code: 'tool_use_failed',
	failed_generation: '<function=glob{"pattern": }</function>',
};

function stream(...events: readonly object[]): HttpAnswer {
	const body = events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('');
	return {status: 200, headers: {'content-type': 'text/event-stream'}, body};
}

function chunk(delta: object, finish: string | null = null): object {
	return {object: 'chat.completion.chunk', choices: [{index: 0, delta, finish_reason: finish}]};
}

/** How servers say that they could not read the model's call. */
const said: Readonly<Record<string, HttpAnswer>> = {
	'Groq before the stream': {status: 400, body: JSON.stringify({error: groqError})},
	'Groq inside the stream': stream(chunk({role: 'assistant', content: ''}), {
		error: {...groqError, status_code: 400},
	}),
	'Groq, a format that it cannot parse': {
		status: 400,
		body: JSON.stringify({error: {message: 'Parsing failed.', code: 'output_parse_failed'}}),
	},
	'Gemini behind a gateway': stream(
		chunk({role: 'assistant', content: ''}),
		chunk({}, 'function_call_filter: MALFORMED_FUNCTION_CALL'),
	),
	'Gemini behind a gateway, as an error': stream({error: {message: 'MALFORMED_FUNCTION_CALL', code: 502}}),
	Ollama: {
		status: 500,
		body: JSON.stringify({error: {message: 'error parsing tool call: raw=\'{"pattern":\', err=unexpected end'}}),
	},
	'llama.cpp inside the stream': stream({
		error: {code: 500, message: 'The model produced output that does not match the expected peg-native format'},
	}),
};

const whole: readonly Answer[] = [
	[{type: 'tool_call', callId: 'call_1', name: 'glob', arguments: {pattern: '*.ts'}}],
	[{type: 'text', text: 'There is none.'}],
];

async function ran(answers: readonly ServerAnswer[]): Promise<{items: readonly Item[]; requests: number}> {
	await using server = await startServer('openai-compatible', answers);
	const spec = specAt('safe', server);
	const pod = await testPod(await tempProject(), {model: await loadModel(spec), settings: requestSettings(spec)});
	expect(await pod.run('What is here?')).toEqual({accepted: true});
	await pod.rest();
	const requests = server.requests.length;
	expect(await verifyRequests(pod.items())).toMatchObject({same: requests, different: 0, unmade: 0});
	return {items: pod.items(), requests};
}

describe.each(Object.entries(said))('a call that the server could not read (%s)', (_, answer) => {
	it('is asked for once more, at once, and the turn goes on', async () => {
		const {items, requests} = await ran([answer, ...whole]);
		expect(requests).toBe(3);
		const stops = items.flatMap(item => (item.type === 'request_end' ? [item.stop] : []));
		expect(stops).toEqual(['unread_call', 'tool_calls', 'end']);
		expect(items.at(-1)).toMatchObject({type: 'run_end', outcome: 'finished', cause: undefined});
	});

	it('ends the turn with the reason when it cannot be read again', async () => {
		const {items, requests} = await ran([answer, answer, ...whole]);
		expect(requests).toBe(2);
		expect(items.at(-1)).toMatchObject({
			type: 'run_end',
			cause: expect.stringContaining('could not read the model’s tool call'),
		});
	});
});

it.each([
	['thoughts', {reasoning: 'I should look.'}],
	['a text', {content: 'Let me look.'}],
	[
		'a whole call',
		{tool_calls: [{index: 0, id: 'call_0', function: {name: 'glob', arguments: '{"pattern":"*.md"}'}}]},
	],
])('keeps %s before a call that the server could not read inside the stream', async (_, delta) => {
	const {items, requests} = await ran([stream(chunk(delta), {error: {...groqError, status_code: 400}}), ...whole]);
	expect(requests).toBe(3);
	const stops = items.flatMap(item => (item.type === 'request_end' ? [item.stop] : []));
	expect(stops).toEqual(['unread_call', 'tool_calls', 'end']);
	const results = items.filter(item => item.type === 'tool_result');
	const calls = items.filter(item => item.type === 'tool_call');
	expect(results.map(({callId}) => callId)).toEqual(calls.map(({callId}) => callId));
	expect(items.at(-1)).toMatchObject({type: 'run_end', outcome: 'finished', cause: undefined});
});

it('keeps the words before a call that the server could not read inside the stream', async () => {
	const {items} = await ran([
		stream(chunk({role: 'assistant', content: 'Let me look.'}), {error: {...groqError, status_code: 400}}),
		...whole,
	]);
	const texts = items.flatMap(item => (item.type === 'message' && item.role === 'assistant' ? [item.text] : []));
	expect(texts).toEqual(['Let me look.', 'There is none.']);
});
