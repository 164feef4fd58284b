import {setTimeout as sleep} from 'node:timers/promises';
import {describe, expect, it} from 'vitest';
import {loadModel} from '../../../src/worker/wires/load.ts';
import {ask, collect} from '../../helpers/collect.ts';
import {head, startRawServer} from '../../helpers/wire-servers/raw.ts';
import {wires, type WireName} from '../../helpers/wire-servers/index.ts';
import {frame} from './converse-frames.ts';
import {modelAt, testKey} from './wire-model.ts';

const hello = ask([{role: 'user', text: 'Hello.'}]);
const data = (event: object) => `data: ${JSON.stringify(event)}\n\n`;

type Name = WireName | 'bedrock';
type Piece = string | Uint8Array;

/** A text, its counts (7 in, 3 out) and an error, as each server sends them. */
const events: Readonly<Record<Name, {readonly text: Piece; readonly counts: Piece; readonly error: Piece}>> = {
	anthropic: {
		text: data({type: 'message_start', message: {id: 'm', role: 'assistant', content: []}}),
		counts: data({type: 'message_delta', delta: {}, usage: {input_tokens: 7, output_tokens: 3}}),
		error: data({type: 'error', error: {type: 'invalid_request_error', message: 'No.'}}),
	},
	openai: {
		text: data({type: 'response.output_text.delta', item_id: 'm1', output_index: 0, delta: 'Hel'}),
		counts: data({
			type: 'response.failed',
			response: {error: {code: 'invalid_prompt', message: 'No.'}, usage: {input_tokens: 7, output_tokens: 3}},
		}),
		error: data({type: 'error', code: 'invalid_prompt', message: 'No.'}),
	},
	google: {
		text: data({candidates: [{content: {role: 'model', parts: [{text: 'Hel'}]}}]}),
		counts: data({usageMetadata: {promptTokenCount: 7, candidatesTokenCount: 3}}),
		error: data({error: {code: 400, message: 'No.', status: 'INVALID_ARGUMENT'}}),
	},
	'openai-compatible': {
		text: data({choices: [{index: 0, delta: {content: 'Hel'}}]}),
		counts: data({choices: [], usage: {prompt_tokens: 7, completion_tokens: 3}}),
		error: data({error: {code: 400, message: 'No.'}}),
	},
	bedrock: {
		text: frame('contentBlockDelta', {contentBlockIndex: 0, delta: {text: 'Hel'}}),
		counts: frame('metadata', {usage: {inputTokens: 7, outputTokens: 3}}),
		error: frame('validationException', {message: 'No.'}, 'exception'),
	},
};

/** Plays these pieces, with a pause after each. */
async function answered(name: Name, pieces: readonly Piece[], isLeftOpen = false) {
	await using server = await startRawServer(async socket => {
		socket.write(
			head({'content-type': name === 'bedrock' ? 'application/vnd.amazon.eventstream' : 'text/event-stream'}),
		);
		for (const piece of pieces) {
			socket.write(piece);
			await sleep(60);
		}
		if (!isLeftOpen) socket.end();
	});
	const model =
		name === 'bedrock'
			? await loadModel({provider: name, model: 'm', apiKey: testKey, baseURL: server.url})
			: await modelAt(name, server);
	const began = performance.now();
	const {error, usage} = await collect(model, hello);
	await server.allClosed();
	return {reason: error?.reason, usage, ms: performance.now() - began};
}

const names: readonly Name[] = [...wires, 'bedrock'];
const known = {reason: 'bad_request', usage: {input: 7, output: 3}};

describe.concurrent('the counts of an answer that ends with an error', () => {
	it.each(names)('are kept when they follow the error (%s)', async name => {
		const {text, counts, error} = events[name];
		expect(await answered(name, [text, error, counts])).toMatchObject(known);
	});

	it.each(names)('are kept when they follow the error and the connection stays open (%s)', async name => {
		const {text, counts, error} = events[name];
		const {ms, ...rest} = await answered(name, [text, error, counts], true);
		expect(rest).toMatchObject(known);
		expect(ms).toBeLessThan(3000);
	});

	it.each(names.filter(name => name !== 'openai'))('are kept when they precede the error (%s)', async name => {
		const {text, counts, error} = events[name];
		expect(await answered(name, [text, counts, error])).toMatchObject(known);
	});

	it('are kept when they are in the event of the error (openai)', async () => {
		const {text, counts} = events.openai;
		expect(await answered('openai', [text, counts])).toMatchObject(known);
	});

	it('are kept beside an error finish (openai-compatible)', async () => {
		const finish = {choices: [{index: 0, delta: {}, finish_reason: 'network_error'}]};
		const {text, counts} = events['openai-compatible'];
		const expected = {reason: 'overloaded', usage: known.usage};
		const usage = {prompt_tokens: 7, completion_tokens: 3};
		expect(await answered('openai-compatible', [text, data({...finish, usage})])).toMatchObject(expected);
		expect(await answered('openai-compatible', [text, data(finish), counts])).toMatchObject(expected);
	});

	it.each(names)('are not waited for long (%s)', async name => {
		const {text, error} = events[name];
		const {reason, ms} = await answered(name, [text, error], true);
		expect([reason, ms < 3000]).toEqual(['bad_request', true]);
	});

	it.each(names.filter(name => name !== 'openai'))('are kept when the answer is cut off (%s)', async name => {
		const {text, counts} = events[name];
		expect(await answered(name, [text, counts])).toMatchObject({reason: 'cut', usage: known.usage});
	});
});
