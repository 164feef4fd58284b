import type {ModelRequest} from '../history/model.ts';
import type {RewriteNotes} from '../history/rewrites.ts';
import type {Tree} from './encode/sourced.ts';
import {loadWire, providerFacts, type ModelSpec} from './load.ts';
import {isWireName} from './providers.ts';
import {unknownModel} from './texts.ts';

/**
`tree`: the values of the body with their sources. `headers`: the headers that inkpod itself sets, with `none` as the
key.
*/
export type RequestBody =
	| {
			readonly ok: true;
			readonly body: string;
			readonly tree: Tree;
			readonly headers: ReadonlyArray<readonly [string, string]>;
			readonly rewrites?: RewriteNotes;
	  }
	| {readonly ok: false; readonly sentence: string};

/**
Returns the exact body of a request. `model` is the name of the model, as in a setup item. The body is made in the same
way as for a real request, but needs no key or connection, because it is not sent. For a model without a wire, the body
is the request as JSON.
*/
export async function requestBody(model: string, request: ModelRequest): Promise<RequestBody> {
	if (model === 'offline' || /^scripted(:|$)/.test(model)) {
		const {plainTree} = await import('./encode/plain.ts');
		const tree = plainTree(request);
		return {ok: true, body: JSON.stringify(tree), tree, headers: []};
	}
	const slash = model.indexOf('/');
	const provider = model.slice(0, slash);
	const {wire} = request.settings;
	const server = isWireName(wire) ? {wire} : {};
	if (providerFacts(provider, server) === undefined || slash === model.length - 1)
		return {ok: false, sentence: unknownModel(model)};
	return bodyOf({provider, server, model: model.slice(slash + 1)}, request);
}

async function bodyOf(spec: ModelSpec, request: ModelRequest): Promise<RequestBody> {
	const {makeBody, readyRequest} = await import('./ready-request.ts');
	const {prepareWire} = await import('./prepare-wire.ts');
	// The key and the address are not part of a body.
	const wire = await loadWire({...spec, apiKey: 'none', baseURL: 'http://127.0.0.1'});
	const prepared = prepareWire(wire);
	if ('reason' in prepared) return {ok: false, sentence: prepared.message};
	const {body: tree, notes, ...form} = await makeBody(wire, request);
	const body = JSON.stringify(tree);
	const {signal} = new AbortController();
	const {headers} = await readyRequest(wire, prepared, {...form, body: [Buffer.from(body)], signal});
	return {ok: true, body, tree, headers: Object.entries(headers), rewrites: notes};
}
