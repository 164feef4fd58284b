import {describe, expect, it} from 'vitest';
import {loadModel} from '../../../src/worker/wires/load.ts';
import {requestBody} from '../../../src/worker/wires/request-body.ts';
import {ask, collect} from '../../helpers/collect.ts';
import {events, startCloud} from './cloud-server.ts';
import {testKey, throughJson} from './wire-model.ts';

const settings = {rules: 2, reasoning: 'low'};
const hello = ask([{role: 'user', text: 'Hello.'}], {settings});

const usage = {input_tokens: 5, output_tokens: 3, input_tokens_details: {cached_tokens: 1}};
const thought = {type: 'reasoning', id: 'rs_1', encrypted_content: 'sealed', summary: []};
const call = {type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{"a":1}'};
const answer = events([
	{type: 'response.created', response: {id: 'r', created_at: 0, model: 'gpt-5'}},
	{type: 'response.output_item.added', output_index: 0, item: {...thought, encrypted_content: null}},
	{type: 'response.output_item.done', output_index: 0, item: thought},
	{type: 'response.output_item.added', output_index: 1, item: {...call, arguments: ''}},
	{type: 'response.function_call_arguments.delta', output_index: 1, item_id: 'fc_1', delta: '{"a":1}'},
	{type: 'response.output_item.done', output_index: 1, item: {...call, status: 'completed'}},
	{type: 'response.completed', response: {id: 'r', usage}},
]);

async function azureAt(url: string, headers?: Readonly<Record<string, string>>) {
	return loadModel({
		provider: 'azure',
		model: 'gpt-5-prod',
		apiKey: testKey,
		baseURL: `${url}/openai/v1?api-version=preview`,
		...(headers !== undefined && {options: {headers}}),
	});
}

describe('Azure OpenAI', () => {
	it('gets the key in its own header, and gets its thoughts back', async () => {
		const server = await startCloud([{body: answer}, {body: answer}]);
		const model = await azureAt(server.url);
		const first = await collect(model, hello);
		expect([first.stop, first.usage?.input]).toEqual(['tool_calls', 5]);
		const again = ask(
			throughJson([
				{role: 'user' as const, text: 'Hello.'},
				{role: 'assistant' as const, parts: first.parts},
				{role: 'tool' as const, results: [{callId: 'call_1', name: 'f', content: 'ok', isError: false}]},
			]),
			{settings},
		);
		const {hash} = await collect(model, again);
		const [, second] = server.requests;
		expect(second?.url).toBe('/openai/v1/responses?api-version=preview');
		expect([second?.headers['api-key'], second?.headers.authorization]).toEqual([testKey, undefined]);
		const body = JSON.parse(second?.body ?? '');
		expect(body).toMatchObject({model: 'gpt-5-prod', store: false, include: ['reasoning.encrypted_content']});
		expect(body.input).toContainEqual(expect.objectContaining({type: 'reasoning', encrypted_content: 'sealed'}));
		expect(hash).toBeDefined();
		expect(await requestBody('azure/gpt-5-prod', again)).toMatchObject({ok: true, body: second?.body});
	});

	it('gets the user’s own token instead of the key', async () => {
		const server = await startCloud([{body: answer}]);
		await collect(await azureAt(server.url, {Authorization: 'Bearer entra'}), hello);
		expect(server.requests[0]?.headers.authorization).toBe('Bearer entra');
		expect(server.requests[0]?.headers['api-key']).toBeUndefined();
	});

	it('is named with the variable of its key in an error', async () => {
		const body = JSON.stringify({error: {code: '401', message: `Access denied for ${testKey}.`}});
		const server = await startCloud([{status: 401, type: 'application/json', body}]);
		const {error} = await collect(await azureAt(server.url), hello);
		expect(error?.reason).toBe('unauthorized');
		expect(error?.message).toMatch(/^Invalid API key \(401 from \S+\)\. Check AZURE_OPENAI_API_KEY\./);
		expect(error?.message).not.toContain(testKey);
	});
});
