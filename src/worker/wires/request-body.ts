import type {ModelRequest} from '../history/model.ts';
import {canonicalJson} from './canonical-json.ts';
import {loadModel, providerFacts, type ModelSpec} from './load.ts';
import {isWireName} from './providers.ts';
import type {RewriteNotes} from '../history/rewrites.ts';
import {unknownModel} from './texts.ts';

/** `headers` are those that inkpod itself sets; the value of a key is `none`. */
export type RequestBody =
	| {
			readonly ok: true;
			readonly body: string;
			readonly headers: ReadonlyArray<readonly [string, string]>;
			readonly rewrites?: RewriteNotes;
	  }
	| {readonly ok: false; readonly sentence: string};

/**
Returns the exact body of a request to a model, which is named as in a setup item. The body is made in the same way as
for every request, up to the point where it would be sent: without a second serializer, a key or a connection. For a
model without a wire, the body is the request as canonical JSON.
*/
export async function requestBody(model: string, request: ModelRequest): Promise<RequestBody> {
	if (model === 'offline' || /^scripted(:|$)/.test(model))
		return {ok: true, body: canonicalJson(request), headers: []};
	const slash = model.indexOf('/');
	const provider = model.slice(0, slash);
	const {wire} = request.settings;
	const server = isWireName(wire) ? {wire} : {};
	if (providerFacts(provider, server) === undefined || slash === model.length - 1)
		return {ok: false, sentence: unknownModel(model)};
	return captured({provider, server, model: model.slice(slash + 1)}, request);
}

async function captured(spec: ModelSpec, request: ModelRequest): Promise<RequestBody> {
	let body: string | undefined;
	let headers: ReadonlyArray<readonly [string, string]> = [];
	let rewrites: RewriteNotes | undefined;
	const fetch: typeof globalThis.fetch = async (_input, init) => {
		if (typeof init?.body === 'string') body = init.body;
		headers = [...new Headers(init?.headers)];
		throw new Error('The body is captured and not sent.');
	};
	// The key and the address are not part of a body.
	const wire = await loadModel({...spec, apiKey: 'none', baseURL: 'http://127.0.0.1', options: {fetch}});
	let failure = '';
	for await (const event of wire.stream(request, new AbortController().signal))
		if (event.type === 'sending') rewrites = event.rewrites;
		else if (event.type === 'error') failure = event.error.message;
	return body === undefined
		? {ok: false, sentence: failure}
		: {ok: true, body, headers, ...(rewrites !== undefined && {rewrites})};
}
