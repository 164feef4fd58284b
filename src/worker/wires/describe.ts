import {z} from 'zod';
import {providerFacts, type ModelSpec} from './load.ts';
import type {ProviderFacts} from './providers.ts';
import {versionedURL} from './wire.ts';
import {openGuarded} from './http/guarded-fetch.ts';
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
Asks the model's own server, and no other server, for its list of models (`GET …/models`), as OpenRouter
(openrouter.ai/docs/api/api-reference/models/get-models: `context_length`, `pricing` in USD per token) and vLLM
(`max_model_len`) give it. Resolves with `undefined` if the provider has no such list, the list lacks this model, or no
valid answer arrived in time. Never rejects.
*/
export async function describeModel(spec: ModelSpec): Promise<ModelDescription | undefined> {
	const facts = providerFacts(spec.provider, spec.server);
	if (facts === undefined || !(spec.provider === 'openrouter' || isOwnServer(facts))) return undefined;
	const url = versionedURL(spec.baseURL ?? facts.baseURL ?? '', {add: 'v1', at: 'anywhere'});
	if (url === undefined) return undefined;
	try {
		const {fetch: base, network, headers: own = {}} = spec.options ?? {};
		url.pathname += '/models';
		const authorization = authorizationOf(url) ?? (spec.apiKey === undefined ? undefined : `Bearer ${spec.apiKey}`);
		const headers = {...(authorization === undefined ? {} : {authorization}), ...own};
		const init = {headers, signal: AbortSignal.timeout(timeoutMs)};
		const {status, source} = await openGuarded(url.origin + url.pathname + url.search, init, {
			bounds: {maxBytes},
			base,
			network,
		});
		if (source === undefined) return undefined;
		if (status < 300) return described(JSON.parse(await textOf(source)), spec.model);
		await source.cancel();
		return undefined;
	} catch {
		// The description is optional: without it the conversation works the same.
		return undefined;
	}
}

/** Tells whether this is a server of chat completions whose address the user configured. */
function isOwnServer({wire, baseURL}: ProviderFacts): boolean {
	return wire === 'openai-compatible' && baseURL === undefined;
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

function described(list: unknown, model: string): ModelDescription | undefined {
	const {
		context_length: length,
		max_model_len: maxLength,
		pricing,
	} = modelSchema.parse(listSchema.parse(list).data.find(({id}) => id === model));
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
