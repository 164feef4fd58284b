import type {Model} from '../model.ts';
import {providers, type CompatibleProvider, type ProviderFacts, type WireProvider} from './providers.ts';
import type {WireOptions} from './wire.ts';

/** Which model, and how it is reached. */
export type ModelSpec = {
	readonly provider: ProviderName;
	/** The provider's name of the model; for `scripted` the name of its file, which is only a name here. */
	readonly model: string;
	readonly apiKey?: string;
	readonly baseURL?: string;
	/** For `scripted`: the text of the script. */
	readonly script?: string;
	readonly options?: Pick<WireOptions, 'headers' | 'fetch' | 'mergeUser' | 'stallTimeoutMs'> & {
		/** For `offline` and `scripted`: the pause between two pieces, in milliseconds. */
		readonly delayMs?: number;
	};
};

export type ProviderName = WireProvider | 'offline' | 'scripted';

/** What is known of each provider without loading it, in the order in which keys are looked for. */
export const listedProviders: ReadonlyArray<ProviderFacts & {readonly provider: ProviderName}> = [
	...Object.entries(providers).map(([provider, facts]) => ({provider: provider as WireProvider, ...facts})),
	{provider: 'offline', local: true},
	{provider: 'scripted', local: true},
];

/**
Loads the code of one wire, and no other. Rejects with an Error, whose message is a sentence, when a script cannot be
read.
*/
export async function loadModel(spec: ModelSpec): Promise<Model> {
	return loaders[spec.provider](spec);
}

type Loader = (spec: ModelSpec) => Promise<Model>;

const compatible =
	(provider: CompatibleProvider): Loader =>
	async spec =>
		(await import('./openai-compatible.ts')).openaiCompatible(provider, wireOptions(spec));

const loaders: Readonly<Record<ProviderName, Loader>> = {
	anthropic: async spec => (await import('./anthropic.ts')).anthropic(wireOptions(spec)),
	openai: async spec => (await import('./openai.ts')).openai(wireOptions(spec)),
	google: async spec => (await import('./google.ts')).google(wireOptions(spec)),
	openrouter: compatible('openrouter'),
	ollama: compatible('ollama'),
	lmstudio: compatible('lmstudio'),
	'llama.cpp': compatible('llama.cpp'),
	'openai-compatible': compatible('openai-compatible'),
	offline: async ({options}) =>
		(await import('./offline/offline-model.ts')).offlineModel(
			options?.delayMs === undefined ? {} : {delayMs: options.delayMs},
		),
	async scripted({model, script = '', options}) {
		const {parseScript} = await import('./script.ts');
		const parsed = parseScript(script);
		if (!parsed.ok) throw new Error(`${model}: ${parsed.sentence}`);
		const {scriptedModel} = await import('./scripted.ts');
		return scriptedModel(parsed.script, {
			name: `scripted:${model}`,
			...(options?.delayMs === undefined ? {} : {delayMs: options.delayMs}),
		});
	},
};

function wireOptions({model, apiKey, baseURL, options}: ModelSpec): WireOptions {
	const {delayMs: _, ...rest} = options ?? {};
	return {...rest, model, ...(apiKey === undefined ? {} : {apiKey}), ...(baseURL === undefined ? {} : {baseURL})};
}
