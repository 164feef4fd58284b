import {listedProviders, providerFacts, type ModelSpec, type ServerSettings} from '../../worker/index.ts';
import type {Env} from '../env/env.ts';
import {networkOf} from '../env/network.ts';
import {cloudOf} from './cloud.ts';
import {quoteUntrusted} from '../text/quote-untrusted.ts';
import * as texts from './texts.ts';

/** A server as the user configured it. The values of its headers may be keys. */
export type ServerConfig = ServerSettings & {
	readonly baseURL?: string;
	readonly headers?: Readonly<Record<string, string>>;
};
/** Servers by the names of their providers. */
export type ServerConfigs = Readonly<Partial<Record<string, ServerConfig>>>;

/** The variables of the keys that the user's configuration names. */
export function configuredKeys(servers: ServerConfigs): readonly string[] {
	return Object.values(servers).flatMap(server => server?.keyVariable ?? []);
}

export type ModelSettings = NonNullable<ModelSpec['settings']>;

/** A model by name, and the settings that it has whenever it is chosen. */
export type ModelWish = {readonly model?: string; readonly modelSettings?: ModelSettings};

/** The table `[model]` in inkpod's own names. */
export function modelWish(
	written:
		| {
				readonly name?: string | undefined;
				readonly options?:
					| {readonly merge_user?: boolean | undefined; readonly max_output_tokens?: number | undefined}
					| undefined;
		  }
		| undefined,
): ModelWish {
	const {merge_user: mergeUser, max_output_tokens: maxOutputTokens} = written?.options ?? {};
	const settings = {
		...(mergeUser !== undefined && {mergeUser}),
		...(maxOutputTokens !== undefined && {maxOutputTokens}),
	};
	return {
		...(written?.name === undefined ? {} : {model: written.name}),
		...(Object.keys(settings).length === 0 ? {} : {modelSettings: settings}),
	};
}

/** The source of the name, for a user who asks why inkpod uses this model. `key`: the first key found. */
export type ModelSource = 'flag' | 'environment' | 'manifest' | 'config' | 'key' | 'default';

export type ModelChoice =
	/** For `scripted`, `spec.model` is the file: the caller reads it into `spec.script`. */
	| {readonly ok: true; readonly spec: ModelSpec; readonly name: string; readonly source: ModelSource}
	/** One sentence. The caller exits with 2. */
	| {readonly ok: false; readonly sentence: string};

export type ModelWishes = {
	/** `--model`. */
	readonly flag?: string | undefined;
	readonly env: Env;
	/** The model of a manifest, if the user trusts it. */
	readonly manifest?: ModelWish;
	readonly config?: ModelWish & {readonly servers?: ServerConfigs};
};

type Facts = NonNullable<ReturnType<typeof providerFacts>>;

/** The model of a provider if only the provider is named, or only its key is found. */
const usualModels: Readonly<Partial<Record<string, string>>> = {
	anthropic: 'claude-sonnet-5-5',
	openai: 'gpt-6-astra',
	google: 'gemini-4-argon',
	openrouter: 'openrouter/auto',
};

/**
Returns the first model that is named in this order: `--model`, INKPOD_MODEL, the manifest, the configuration, the first
key found, else `offline`. It uses neither the disk nor the network.
*/
export function chooseModel(wishes: ModelWishes): ModelChoice {
	const {env, flag, manifest, config} = wishes;
	const wanted = [
		{source: 'flag', name: flag},
		{source: 'environment', name: env['INKPOD_MODEL']},
		{source: 'manifest', name: manifest?.model},
		{source: 'config', name: config?.model},
		{source: 'key', name: providerOfFirstKey(env)},
	] satisfies readonly Wish[];
	const {source, name = ''} = wanted.find(wish => present(wish.name)) ?? fallback;
	const full = fullName(name.trim());
	const settings = {...settingsFor(full, config), ...settingsFor(full, manifest)};
	return specOf({name: full, source, settings, env, servers: config?.servers ?? {}});
}

type Wish = {readonly source: ModelSource; readonly name: string | undefined};

/** The options of a model apply however it was chosen. */
function settingsFor(name: string, wish: ModelWish = {}): ModelSettings {
	return wish.model !== undefined && fullName(wish.model.trim()) === name ? (wish.modelSettings ?? {}) : {};
}

/** Returns `provider/name` if only the provider is written and its usual model is known. */
function fullName(name: string): string {
	const usual = Object.hasOwn(usualModels, name) ? usualModels[name] : undefined;
	return usual === undefined ? name : `${name}/${usual}`;
}

const fallback: Wish = {source: 'default', name: 'offline'};

function providerOfFirstKey(env: Env): string | undefined {
	const hasKey = (variable: string | undefined) => variable !== undefined && present(env[variable]);
	return listedProviders.find(
		facts => usualModels[facts.provider] !== undefined && needsKey(facts) && hasKey(facts.keyVariable),
	)?.provider;
}

/** A server whose address the user configured may need no key. */
function needsKey({keyVariable, baseURL}: Facts): boolean {
	return keyVariable !== undefined && baseURL !== undefined;
}

function present(text: string | undefined): text is string {
	return text !== undefined && text.trim() !== '';
}

function specOf({name, source, settings, env, servers}: SpecParts): ModelChoice {
	if (name === 'offline') return {ok: true, spec: {provider: 'offline', model: ''}, name, source};
	const script = /^scripted[:/](?<file>.+)$/s.exec(name)?.groups?.['file'];
	if (script !== undefined)
		return {ok: true, spec: {provider: 'scripted', model: script}, name: `scripted:${script}`, source};
	const slash = name.indexOf('/');
	const written = slash < 0 ? name : name.slice(0, slash);
	const configured = Object.hasOwn(servers, written) ? servers[written] : undefined;
	const {baseURL, headers, ...server} = configured ?? {};
	const facts = providerFacts(written, server);
	if (facts === undefined) return refused(name, texts.unknownProvider(quoteUntrusted(written), namesOf(servers)));
	const model = slash < 0 ? '' : name.slice(slash + 1);
	if (model === '') return refused(name, texts.noModelName(written));
	const {keyVariable, baseURLVariable} = facts;
	const key = keyVariable === undefined ? undefined : env[keyVariable]?.trim();
	if (!present(key) && keyVariable !== undefined && (needsKey(facts) || server.keyVariable !== undefined))
		return refused(name, texts.needsKey(keyVariable));
	const address = (baseURLVariable === undefined ? undefined : env[baseURLVariable]?.trim()) || baseURL;
	if (address !== undefined && !isWebUrl(address)) return refused(name, texts.badAddress);
	const access = cloudOf(facts.wire, {env, key: present(key) ? key : undefined, baseURL: address});
	if (access?.ok === false) return refused(name, access.why);
	const url = access?.baseURL ?? address;
	if (url === undefined && facts.baseURL === undefined)
		return refused(name, texts.needsAddress(written, baseURLVariable));
	const network = networkOf(env);
	const options = {
		...(headers !== undefined && {headers}),
		...(network !== undefined && {network}),
		...(access?.cloud !== undefined && {cloud: access.cloud}),
	};
	const spec: ModelSpec = {
		provider: written,
		model,
		...(Object.keys(server).length > 0 && {server}),
		...(present(key) && {apiKey: key}),
		...(url !== undefined && {baseURL: url}),
		...(Object.keys(settings).length > 0 && {settings}),
		...(Object.keys(options).length > 0 && {options}),
	};
	return {ok: true, spec, name: `${written}/${model}`, source};
}

type SpecParts = {
	readonly name: string;
	readonly source: ModelSource;
	readonly settings: ModelSettings;
	readonly env: Env;
	readonly servers: ServerConfigs;
};

/** The providers that a model can be chosen from. */
function namesOf(servers: ServerConfigs): readonly string[] {
	return [...new Set([...listedProviders.map(({provider}) => provider), ...Object.keys(servers)])];
}

function refused(name: string, why: string): ModelChoice {
	return {ok: false, sentence: `The model ${quoteUntrusted(name)} cannot be used: ${why}.`};
}

function isWebUrl(text: string): boolean {
	return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}
