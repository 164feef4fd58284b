import {describe, expect, it} from 'vitest';
import {answeredInHeaders, createAnsweredBy} from '../../../../src/worker/wires/reading/answered-by.ts';
import {loadModel, type ModelSpec} from '../../../../src/worker/wires/load.ts';
import {ask, collect} from '../../../helpers/collect.ts';
import {startServer} from '../../../helpers/proxy-server.ts';
import {answersOf, wireForms} from '../../../helpers/answered-wires.ts';
import {testKey} from '../wire-model.ts';

const hello = ask([{role: 'user', text: 'Hello.'}]);

/** Asks a server for one answer, and returns what it said about the answer. */
async function saidBy(spec: ModelSpec, body: string | Uint8Array, headers: Readonly<Record<string, string>>) {
	const {url} = await startServer((request, response) => {
		request.resume();
		response.writeHead(200, {'content-type': 'text/event-stream', ...headers}).end(body);
	});
	const {events, stop, error} = await collect(await loadModel({...spec, baseURL: url}), hello);
	expect([stop, error]).toEqual(['end', undefined]);
	return events.findLast(event => event.type === 'answered')?.by;
}

describe('what a server says about its answer', () => {
	it.each(wireForms)('is read from $name', async ({name, spec, region}) => {
		const said = await saidBy(spec, answersOf[name]('another-model'), {
			'x-request-id': 'req_1',
			...(region === 'header' && {'x-ms-region': 'East US'}),
		});
		expect(said).toMatchObject({model: 'another-model', id: expect.stringMatching(/./)});
	});

	it('includes the fingerprint and the region', async () => {
		const chat = wireForms.find(({name}) => name === 'chat completions')!;
		const answer = answersOf['chat completions']('m');
		expect(await saidBy(chat.spec, answer, {'x-groq-region': 'us-east-1'})).toEqual({
			model: 'm',
			fingerprint: 'fp_1',
			region: 'us-east-1',
			id: 'chatcmpl-1',
		});
	});

	it('never contains a key', async () => {
		const chat = wireForms.find(({name}) => name === 'chat completions')!;
		const said = await saidBy(chat.spec, answersOf['chat completions'](`model-${testKey}`), {});
		expect(said?.model).toBe('model-[key]');
	});

	it('is the first other name, because many servers first repeat the name in the request', () => {
		const by = createAnsweredBy('gpt-5');
		by.note({model: 'gpt-5'});
		expect(by.take()).toEqual({model: 'gpt-5'});
		by.note({model: 'gpt-5', id: 1});
		expect(by.take()).toBeUndefined();
		by.note({model: 'gpt-4.1', id: 'a'});
		by.note({model: 'gpt-5', id: 'b'});
		expect(by.take()).toEqual({model: 'gpt-4.1', id: 'b'});
	});

	it('is nothing without a name', () => {
		const by = createAnsweredBy('gpt-5');
		for (const model of ['', null, 5, {}, ['m'], undefined]) by.note({model, id: 'a'});
		expect(by.take()).toBeUndefined();
	});

	it('can be in headers', () => {
		expect(answeredInHeaders({'openai-model': 'gpt-5.2', 'apim-request-id': 'a', 'x-request-id': 'x'})).toEqual({
			model: 'gpt-5.2',
			region: undefined,
			id: 'a',
		});
	});
});
