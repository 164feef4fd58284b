import {describe, expect, it} from 'vitest';
import {loadModel, type ModelSpec} from '../../../src/worker/wires/load.ts';
import {ask} from '../../helpers/collect.ts';

const tools = [{name: 'f', description: 'F.', parameters: {type: 'object'}}];

/** The address and the headers of a request with a tool. */
async function sent(options: Partial<ModelSpec>) {
	let seen: {readonly url: string; readonly headers: Headers} | undefined;
	const fetch: typeof globalThis.fetch = async (input, init) => {
		const {url, headers} = new Request(input, init);
		seen = {url, headers};
		return new Response('');
	};
	const spec = {provider: 'anthropic', model: 'claude-opus-5', apiKey: 'k', ...options};
	const model = await loadModel({...spec, options: {...spec.options, fetch}});
	for await (const _ of model.stream(ask([{role: 'user', text: 'Hi'}], {tools}), new AbortController().signal));
	return seen;
}

describe('a request to the Messages API', () => {
	it('goes to the path of messages with the key, the version and the beta features', async () => {
		const request = await sent({baseURL: 'https://a.example'});
		expect(request?.url).toBe('https://a.example/v1/messages');
		expect(Object.fromEntries(request?.headers ?? [])).toMatchObject({
			'anthropic-beta': 'structured-outputs-2025-11-13',
			'anthropic-version': '2023-06-01',
			'content-type': 'application/json',
			'x-api-key': 'k',
		});
	});

	it('may have a token instead of a key', async () => {
		const request = await sent({isBearer: true});
		expect(request?.headers.get('authorization')).toBe('Bearer k');
		expect(request?.headers.has('x-api-key')).toBe(false);
	});

	it('keeps the beta features of the user, whose other headers replace its own', async () => {
		const headers = {'Anthropic-Beta': 'Mine-1', 'anthropic-version': '2030-01-01'};
		const request = await sent({options: {headers}});
		expect(request?.headers.get('anthropic-beta')).toBe('structured-outputs-2025-11-13,mine-1');
		expect(request?.headers.get('anthropic-version')).toBe('2030-01-01');
	});
});
