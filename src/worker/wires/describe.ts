import {z} from 'zod';
import {providerFacts, type ModelSpec} from './load.ts';
import type {ProviderFacts} from './providers.ts';
import {versionedURL} from './wire.ts';
import {openGuarded} from './http/guarded-fetch.ts';
import type {Network} from './http/network.ts';
import {authorizationOf} from './http/shown-url.ts';
import {textOf} from './http/source.ts';

/** A server's description of one of its models. Prices are in USD per million tokens. */
export type ModelDescription = {
	readonly window?: number;
	readonly prices?: {
		readonly input: number;
		readonly output: number;
		readonly cacheRead?: number;
		readonly cacheWrite?: number;
	};
};

/**
Asks the model's own server, and no other server, for its list of models (`GET …/models`). Reads the list in the formats
of OpenRouter (openrouter.ai/docs/api/api-reference/models/get-models: `context_length`, `pricing` in USD per token) and
vLLM (`max_model_len`). Resolves with `undefined` if the provider has no such list, the list lacks this model, or no
valid answer arrived in time. Never rejects.
*/
export async function describeModel(spec: ModelSpec): Promise<ModelDescription | undefined> {
	const facts = providerFacts(spec.provider, spec.server);
	if (facts === undefined || !(spec.provider === 'openrouter' || isOwnServer(facts))) return undefined;
	const url = versionedURL(spec.baseURL ?? facts.baseURL ?? '', {add: 'v1', at: 'anywhere'});
	if (url === undefined) return undefined;
	try {
		const {fetch: base, network, headers: own = {}} = spec.options ?? {};
		const authorization = authorizationOf(url) ?? (spec.apiKey === undefined ? undefined : `Bearer ${spec.apiKey}`);
		const headers = {...(authorization === undefined ? {} : {authorization}), ...own};
		const outgoing = {headers, signal: AbortSignal.timeout(timeoutMs)};
		const list = await readList(url, outgoing, {bounds: {maxBytes}, base, network});
		const model = list.find(({id}) => id === spec.model);
		return model === undefined ? undefined : described(model);
	} catch {
		// The description is optional: the session works without it.
		return undefined;
	}
}

/** A model in the list of its server. */
export type ListedDescription = ModelDescription & {readonly id: string};

/**
Asks a server with a chat completions API for its list of models, without a key. A user name, password or query in the
address is left out, too. Resolves with an empty list if no valid answer arrives before the signal is aborted. Never
rejects.
*/
export async function listModelsAt(
	address: string,
	network: Network | undefined,
	signal: AbortSignal,
): Promise<readonly ListedDescription[]> {
	const url = versionedURL(address, {add: 'v1', at: 'anywhere'});
	if (url === undefined) return [];
	url.search = '';
	try {
		const list = await readList(url, {signal}, {bounds: {maxBytes}, network});
		return list.map(model => ({...described(model), id: model.id}));
	} catch {
		// The server may be off, refuse a request without a key, or have no list.
		return [];
	}
}

/** Tells whether this is a server with a chat completions API whose address the user configured. */
export function isOwnServer({wire, baseURL}: Pick<ProviderFacts, 'wire' | 'baseURL'>): boolean {
	return wire === 'openai-compatible' && baseURL === undefined;
}

type Listed = z.infer<typeof listSchema>['data'][number];

/**
Reads the list of models at a base URL. Returns an empty list if the server refuses. Rejects if the answer is not a
list.
*/
async function readList(
	base: URL,
	outgoing: Parameters<typeof openGuarded>[1],
	how: Parameters<typeof openGuarded>[2],
): Promise<readonly Listed[]> {
	const {status, source} = await openGuarded(`${base.origin}${base.pathname}/models${base.search}`, outgoing, how);
	if (source === undefined) return [];
	if (status < 300) return listSchema.parse(JSON.parse(await textOf(source))).data;
	await source.cancel();
	return [];
}

const timeoutMs = 10_000;
const maxBytes = 16 * 1024 * 1024;

const tokens = z.number().int().positive().optional().catch(undefined);
/** OpenRouter gives a negative price if the price varies. */
const price = z.coerce
	.number()
	.nonnegative()
	.transform(perToken => Number((perToken * 1_000_000).toPrecision(12)));
const some = price.optional().catch(undefined);
const listSchema = z.object({data: z.array(z.looseObject({id: z.string()}))});
const modelSchema = z.object({
	context_length: tokens,
	max_model_len: tokens,
	pricing: z
		.object({prompt: price, completion: price, input_cache_read: some, input_cache_write: some})
		.optional()
		.catch(undefined),
});

function described(listed: Listed): ModelDescription {
	const {context_length: length, max_model_len: maxLength, pricing} = modelSchema.parse(listed);
	const window = length ?? maxLength;
	const {
		prompt: input,
		completion: output,
		input_cache_read: cacheRead,
		input_cache_write: cacheWrite,
	} = pricing ?? {};
	const prices =
		input === undefined || output === undefined
			? undefined
			: {
					input,
					output,
					...(cacheRead !== undefined && {cacheRead}),
					...(cacheWrite !== undefined && {cacheWrite}),
				};
	return {...(window !== undefined && {window}), ...(prices !== undefined && {prices})};
}
