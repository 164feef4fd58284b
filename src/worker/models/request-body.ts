import type {ModelRequest} from '../model.ts';
import {canonicalJson} from './canonical-json.ts';
import {loadModel} from './load.ts';
import {providers, type WireProvider} from './providers.ts';

export type RequestBody = {readonly ok: true; readonly body: string} | {readonly ok: false; readonly sentence: string};

/**
The exact body that a model, by its name as a setup has it, is sent for a request. It takes the way of every request up
to the point where it would leave this machine: no second serializer, no key, no connection. A model without a wire has
its request as canonical JSON.
*/
export async function requestBody(model: string, request: ModelRequest): Promise<RequestBody> {
	if (model === 'offline' || /^scripted(:|$)/.test(model)) return {ok: true, body: canonicalJson(request)};
	const slash = model.indexOf('/');
	const named = model.slice(0, slash);
	const provider = Object.keys(providers).find((name): name is WireProvider => name === named);
	if (provider === undefined || slash === model.length - 1)
		return {ok: false, sentence: `The model ${model} is on no wire that this version knows.`};
	return captured(provider, model.slice(slash + 1), request);
}

async function captured(provider: WireProvider, model: string, request: ModelRequest): Promise<RequestBody> {
	let body: string | undefined;
	const fetch: typeof globalThis.fetch = async (_input, init) => {
		if (typeof init?.body === 'string') body = init.body;
		throw new Error('The body is made, and not sent.');
	};
	// Neither key nor address is part of a body.
	const wire = await loadModel({provider, model, apiKey: 'none', baseURL: 'http://127.0.0.1', options: {fetch}});
	let failure = '';
	for await (const event of wire.stream(request, new AbortController().signal))
		if (event.type === 'error') failure = event.error.message;
	return body === undefined ? {ok: false, sentence: failure} : {ok: true, body};
}
