import {listedProviders, type ModelSpec, type ProviderName} from '../../worker/index.ts';
import type {Env} from '../env/env.ts';
import {quoteUntrusted} from '../text/quote-untrusted.ts';

/** Addresses of servers by provider, as the user set them. */
export type BaseUrls = Readonly<Partial<Record<string, string>>>;
export type ModelOptions = NonNullable<ModelSpec['options']>;

/** What `[model]` says, in our own words. */
export function modelWish(
	written:
		| {
				readonly name?: string | undefined;
				readonly options?: {readonly merge_user?: boolean | undefined} | undefined;
		  }
		| undefined,
): {readonly model?: string; readonly modelOptions?: ModelOptions} {
	const mergeUser = written?.options?.merge_user;
	return {
		...(written?.name === undefined ? {} : {model: written.name}),
		...(mergeUser === undefined ? {} : {modelOptions: {mergeUser}}),
	};
}

/** Where the name came from, for a user who asks why this model. `key`: the first key found. */
export type ModelSource = 'flag' | 'environment' | 'manifest' | 'config' | 'key' | 'default';

export type ModelChoice =
	/** For `scripted`, `spec.model` is the file: the caller reads it into `spec.script`. */
	| {readonly ok: true; readonly spec: ModelSpec; readonly name: string; readonly source: ModelSource}
	/** One sentence; the caller exits with 2. */
	| {readonly ok: false; readonly sentence: string};

export type ModelWishes = {
	/** `--model`. */
	readonly flag?: string | undefined;
	readonly env: Env;
	/** Of a trusted manifest only. */
	readonly manifest?: {readonly model?: string | undefined; readonly modelOptions?: ModelOptions | undefined};
	readonly config?: {
		readonly model?: string | undefined;
		readonly modelOptions?: ModelOptions | undefined;
		readonly baseUrls?: BaseUrls;
	};
};

type Facts = (typeof listedProviders)[number];

const factsOf: ReadonlyMap<string, Facts> = new Map(
	listedProviders
		.filter(({provider}) => provider !== 'offline' && provider !== 'scripted')
		.map(facts => [facts.provider, facts]),
);

/** The model where only the provider is named, or only its key is found. */
const usualModels: Readonly<Partial<Record<ProviderName, string>>> = {
	anthropic: 'claude-sonnet-5-5',
	openai: 'gpt-6-astra',
	google: 'gemini-4-argon',
	openrouter: 'openrouter/auto',
};

/** The providers whose base URL can be set in `config.toml`. */
export const configurableProviders: readonly string[] = [...factsOf.keys()];

/**
The first wish that is given: `--model`, INKPOD_MODEL, the manifest, the configuration, the first key found, else
`offline`. Touches no disk and no network.
*/
export function chooseModel(wishes: ModelWishes): ModelChoice {
	const {env, flag, manifest, config} = wishes;
	const wanted = [
		{source: 'flag', name: flag},
		{source: 'environment', name: env['INKPOD_MODEL']},
		{source: 'manifest', name: manifest?.model, options: manifest?.modelOptions},
		{source: 'config', name: config?.model, options: config?.modelOptions},
		{source: 'key', name: providerOfFirstKey(env)},
	] satisfies readonly Wish[];
	const {source, name = '', options} = wanted.find(wish => present(wish.name)) ?? fallback;
	return specOf({name: name.trim(), source, options, env, urls: config?.baseUrls ?? {}});
}

type Wish = {
	readonly source: ModelSource;
	readonly name: string | undefined;
	readonly options?: ModelSpec['options'];
};

const fallback: Wish = {source: 'default', name: 'offline'};

function providerOfFirstKey(env: Env): string | undefined {
	const hasKey = (variable: string | undefined) => variable !== undefined && present(env[variable]);
	return listedProviders.find(facts => needsKey(facts) && hasKey(facts.keyVariable))?.provider;
}

/** A server that the user named by its address may need no key. */
function needsKey({keyVariable, baseURL}: Facts): boolean {
	return keyVariable !== undefined && baseURL !== undefined;
}

function present(text: string | undefined): text is string {
	return text !== undefined && text.trim() !== '';
}

function specOf({
	name,
	source,
	options,
	env,
	urls,
}: {
	readonly name: string;
	readonly source: ModelSource;
	readonly options: ModelSpec['options'];
	readonly env: Env;
	readonly urls: BaseUrls;
}): ModelChoice {
	if (name === 'offline') return {ok: true, spec: {provider: 'offline', model: ''}, name, source};
	const script = /^scripted[:/](?<file>.+)$/s.exec(name)?.groups?.['file'];
	if (script !== undefined)
		return {ok: true, spec: {provider: 'scripted', model: script}, name: `scripted:${script}`, source};
	const slash = name.indexOf('/');
	const written = slash < 0 ? name : name.slice(0, slash);
	const facts = factsOf.get(written);
	if (facts === undefined)
		return refused(
			name,
			`no provider is called ${quoteUntrusted(written)}: a model is written provider/name, with one of ` +
				`${configurableProviders.join(', ')}, or it is offline or scripted:<file>`,
		);
	const {provider, keyVariable, baseURLVariable} = facts;
	const model = slash < 0 ? (usualModels[provider] ?? '') : name.slice(slash + 1);
	if (model === '') return refused(name, `it names no model: write ${provider}/<model>`);
	const key = keyVariable === undefined ? undefined : env[keyVariable]?.trim();
	if (!present(key) && needsKey(facts)) return refused(name, `it needs a key: set ${keyVariable} in the environment`);
	const url = (baseURLVariable === undefined ? undefined : env[baseURLVariable]?.trim()) || urls[provider];
	if (url === undefined && facts.baseURL === undefined)
		return refused(
			name,
			`it needs the server's address: set ${baseURLVariable}, or base_url under [providers.${provider}] ` +
				'in your config.toml',
		);
	if (url !== undefined && !isWebUrl(url)) return refused(name, 'its base URL is not an http or https address');
	return {
		ok: true,
		spec: {
			provider,
			model,
			...(present(key) ? {apiKey: key} : {}),
			...(url === undefined ? {} : {baseURL: url}),
			...(options === undefined ? {} : {options}),
		},
		name: `${provider}/${model}`,
		source,
	};
}

function refused(name: string, why: string): ModelChoice {
	return {ok: false, sentence: `The model ${quoteUntrusted(name)} cannot be used: ${why}.`};
}

function isWebUrl(text: string): boolean {
	return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}
