import type {Model} from '../model.ts';
import type {GuideTool} from './offline/guide-tools.ts';
import {providers, wireProviders, type CompatibleProvider, type ProviderFacts, type WireProvider} from './providers.ts';
import type {WireOptions} from './wire.ts';

/** A model and how to reach it. */
export type ModelSpec = {
	readonly provider: ProviderName;
	/** The provider's name of the model; for `scripted` the name of its file, which is not read here. */
	readonly model: string;
	readonly apiKey?: string;
	readonly baseURL?: string;
	/** For `scripted`: the text of the script. */
	readonly script?: string;
	/** For `offline`: the tools that it uses when they are offered. */
	readonly guideTools?: readonly GuideTool[];
	readonly options?: Pick<WireOptions, 'headers' | 'fetch' | 'mergeUser' | 'stallTimeoutMs'> & {
		/** For `offline` and `scripted`: milliseconds between two pieces. */
		readonly delayMs?: number;
	};
};

export type ProviderName = WireProvider | 'offline' | 'scripted';

/** The facts of each provider, in the order in which keys are looked up. No provider's code is loaded. */
export const listedProviders: ReadonlyArray<ProviderFacts & {readonly provider: ProviderName}> = [
	...wireProviders.map(provider => ({provider, ...providers[provider]})),
	{provider: 'offline', local: true},
	{provider: 'scripted', local: true},
];

/**
Loads the code of one provider only. Rejects with an Error, whose message is a sentence, if a script cannot be read.
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
	async offline({options, guideTools = []}) {
		const {offlineModel} = await import('./offline/offline-model.ts');
		return offlineModel({tools: guideTools, ...(options?.delayMs !== undefined && {delayMs: options.delayMs})});
	},
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
