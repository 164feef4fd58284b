import {z} from 'zod';
import {createGuardedFetch, providerFacts, type ModelDescription, type ModelSpec} from '../../worker/index.ts';
import type {ServerConfigs} from '../config/model-choice.ts';
import type {Env} from '../ground/env/env.ts';
import type {ListedModel} from './server-lists.ts';

/**
Asks the servers of models on this machine for their models. A server that does not answer in time counts as having no
models. The promise never rejects. inkpod sends no key and no text, and uses no proxy.
*/
export async function findLocalModels(
	env: Env,
	servers: ServerConfigs,
	{signal, timeoutMs = usualTimeoutMs}: {readonly signal?: AbortSignal | undefined; readonly timeoutMs?: number} = {},
): Promise<readonly ListedModel[]> {
	const timeout = AbortSignal.timeout(timeoutMs);
	const limited = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
	return (await Promise.all(askLocalServers(env, servers, limited))).flat();
}

/** Asks like `findLocalModels`, with a promise for each server. The signal ends the requests. */
export function askLocalServers(
	env: Env,
	servers: ServerConfigs,
	signal: AbortSignal,
): ReadonlyArray<Promise<readonly ListedModel[]>> {
	return Object.keys(readers).map(async name => modelsOf(name, addressOf(name, env, servers), signal));
}

/** The fields of a `ModelSpec` that identify a model and its server. */
type AskedModel = Pick<ModelSpec, 'provider' | 'model' | 'server' | 'baseURL'>;

/**
Asks a model's server on this machine for the window with which the model is loaded. Returns `undefined` if the server
is of another kind, or does not report the window. Never rejects.
*/
export async function describeLocalModel(spec: AskedModel): Promise<ModelDescription | undefined> {
	const {provider, model, server, baseURL} = spec;
	const kind = server?.dialect ?? provider;
	const address = baseURL ?? providerFacts(provider, server)?.baseURL;
	const origin = address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined;
	const models = await modelsOf(kind, origin, AbortSignal.timeout(describeTimeoutMs), model);
	const found = models.find(({name: listed}) => isNamed(listed.slice(kind.length + 1), model));
	return found?.window === undefined ? undefined : {window: found.window};
}

/** A busy server may answer late, and nothing waits for its answer. */
const describeTimeoutMs = 5000;

/** Ollama lists `qwen3:latest` for `qwen3`. */
function isNamed(listed: string, model: string): boolean {
	return listed === model || listed === `${model}:latest`;
}

/**
Returns the origin of a server: from the environment, from the user's configuration, or with the server's usual port.
*/
function addressOf(provider: string, env: Env, servers: ServerConfigs): string | undefined {
	const {baseURL, baseURLVariable} = providerFacts(provider) ?? {};
	const configured = Object.hasOwn(servers, provider) ? servers[provider]?.baseURL : undefined;
	const address = (baseURLVariable === undefined ? undefined : env[baseURLVariable]) ?? configured ?? baseURL;
	return address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined;
}

async function modelsOf(
	provider: string,
	origin: string | undefined,
	signal: AbortSignal,
	only?: string,
): Promise<readonly ListedModel[]> {
	const read = Object.hasOwn(readers, provider) ? readers[provider] : undefined;
	if (origin === undefined || read === undefined) return [];
	try {
		const models = await read(createAsk(origin, signal), only);
		return models.slice(0, maxModels).map(model => ({...model, name: `${provider}/${model.name}`}));
	} catch {
		// The port may be closed or silent, or may belong to another program. In all these cases, there are no models.
		return [];
	}
}

/** A server on this machine answers within a few milliseconds, and the list of models waits for it. */
const usualTimeoutMs = 250;
const maxModels = 200;
const maxBytes = 1024 * 1024;

/** Asks a server for JSON. Rejects if the server does not answer with JSON. */
type Ask = (path: string, body?: unknown) => Promise<unknown>;

function createAsk(origin: string, signal: AbortSignal): Ask {
	const fetch = createGuardedFetch({maxBytes});
	return async (path, body) => {
		const post = {method: 'POST', body: JSON.stringify(body), headers: {'content-type': 'application/json'}};
		const response = await fetch(origin + path, {...(body !== undefined && post), signal});
		if (response.ok) return response.json();
		await response.body?.cancel();
		throw new Error(`${path} answered ${response.status}`);
	};
}

const readers: Readonly<Partial<Record<string, (ask: Ask, only?: string) => Promise<readonly ListedModel[]>>>> = {
	ollama: readOllama,
	lmstudio: readLmStudio,
	'llama.cpp': readLlamaCpp,
	vllm: readVllm,
};

const name = z.string().min(1).max(200);
const window = z.number().int().positive().optional().catch(undefined);

const tagsSchema = z.object({models: z.array(z.object({name, remote_host: z.unknown().optional()}))});
const loadedSchema = z.object({models: z.array(z.object({name, context_length: window}))});

/**
Ollama (docs.ollama.com/api): `/api/tags` lists the models, and `/api/ps` the active windows of the loaded ones. The
window of a model that is not loaded is known only if its file sets `num_ctx`. Loaded models come first, and models for
embeddings are left out. `only`: the one model to ask about.
*/
async function readOllama(ask: Ask, only?: string): Promise<readonly ListedModel[]> {
	const [tags, loaded] = await Promise.all([ask('/api/tags'), ask('/api/ps').catch(() => ({models: []}))]);
	const {models} = tagsSchema.parse(tags);
	const asked = only === undefined ? models : models.filter(model => isNamed(model.name, only));
	const active = new Map(loadedSchema.parse(loaded).models.map(model => [model.name, model.context_length]));
	const listed = asked
		.slice(0, maxShown)
		.toSorted((one, other) => Number(active.has(other.name)) - Number(active.has(one.name)));
	const found = await Promise.all(
		listed.map(async (model): Promise<ListedModel[]> => {
			const shown = showSchema.parse(await ask('/api/show', {model: model.name}).catch(() => ({})));
			const size = active.get(model.name) ?? numCtxOf(shown.parameters);
			const {capabilities} = shown;
			if (capabilities?.includes('completion') === false) return [];
			const sees = capabilities?.includes('vision');
			return [
				{
					name: model.name,
					...(size !== undefined && {window: size}),
					...(sees !== undefined && {readsImages: sees}),
					...(model.remote_host !== undefined && {isRemote: true}),
				},
			];
		}),
	);
	return found.flat();
}

const maxShown = 64;
const showSchema = z.object({
	parameters: z.string().optional().catch(undefined),
	capabilities: z.array(z.string()).optional().catch(undefined),
});

/** The parameters of a model file are lines such as `num_ctx                        8192`. */
function numCtxOf(parameters = ''): number | undefined {
	const written = /^num_ctx[ \t]+(?<size>\d{1,9})[ \t]*$/m.exec(parameters)?.groups?.['size'];
	return written === undefined ? undefined : Number(written);
}

const lmStudioSchema = z.object({
	data: z.array(
		z.object({id: name, type: z.string().optional(), loaded_context_length: window, max_context_length: window}),
	),
});

/** LM Studio (lmstudio.ai/docs/api/rest-api): `/api/v0/models` has the window of each model, loaded or not. */
async function readLmStudio(ask: Ask): Promise<readonly ListedModel[]> {
	const {data} = lmStudioSchema.parse(await ask('/api/v0/models'));
	return data
		.filter(({type}) => type !== 'embeddings')
		.map(({id, type, loaded_context_length: loaded, max_context_length: longest}) => {
			const size = loaded ?? longest;
			return {name: id, ...(size !== undefined && {window: size}), readsImages: type === 'vlm'};
		});
}

const listSchema = z.object({data: z.array(z.object({id: name, max_model_len: window}))});
const propsSchema = z.object({
	default_generation_settings: z.object({n_ctx: window}).optional().catch(undefined),
	modalities: z.object({vision: z.boolean().optional()}).optional().catch(undefined),
});

/** llama.cpp (tools/server/README.md): `/props` has the window of the one model that it serves. */
async function readLlamaCpp(ask: Ask): Promise<readonly ListedModel[]> {
	const [list, props] = await Promise.all([ask('/v1/models'), ask('/props').catch(() => ({}))]);
	const {default_generation_settings: settings, modalities} = propsSchema.parse(props);
	const size = settings?.n_ctx;
	return listSchema.parse(list).data.map(({id}) => ({
		name: id,
		...(size !== undefined && {window: size}),
		...(modalities?.vision !== undefined && {readsImages: modalities.vision}),
	}));
}

/** vLLM (docs.vllm.ai, OpenAI-compatible server): each model of the list has its `max_model_len`. */
async function readVllm(ask: Ask): Promise<readonly ListedModel[]> {
	const {data} = listSchema.parse(await ask('/v1/models'));
	return data.map(({id, max_model_len: size}) => ({name: id, ...(size !== undefined && {window: size})}));
}
