import {told, type Told} from '../../language/index.ts';
import {
	listedProviders,
	providerFacts,
	type ModelSpec,
	type ServerSettings,
	type Settings,
	shownUrl,
} from '../../worker/index.ts';
import type {Env} from '../ground/env/env.ts';
import {findKey, type KeySource, type StoredKeys} from '../ground/env/found-key.ts';
import {networkOf, writtenPath} from '../ground/env/env.ts';
import {cloudOf} from './cloud.ts';
import {quoteUntrusted} from '../ground/text/one-line.ts';
import type {Effort} from '../protocol.ts';
import type {PriceList} from '../protocol/cost.ts';
import type {RecordedModel} from '../ground/history/recorded.ts';
import type {WrittenOptions} from './config-schema.ts';
import * as texts from './texts.ts';

/** A server as the user configured it. The values of the headers may be API keys. */
export type ServerConfig = ServerSettings & {
	readonly baseURL?: string;
	readonly headers?: Readonly<Record<string, string>>;
	/** The paths of the files with a client certificate and its key. */
	readonly certificate?: {readonly cert: string; readonly key: string};
};

/** Servers by provider name. */
export type ServerConfigs = Readonly<Partial<Record<string, ServerConfig>>>;

/** Returns the environment variables that the user's configuration names for API keys. */
export function configuredKeys(servers: ServerConfigs): readonly string[] {
	return Object.values(servers).flatMap(server => server?.keyVariable ?? []);
}

export type ModelSettings = NonNullable<ModelSpec['settings']>;

/** A model's name, with the settings that apply whenever this model is chosen. */
export type ModelWish = {readonly model?: string; readonly modelSettings?: ModelSettings};

/** The settings of several models, by their names. */
export type SettingsByModel = Readonly<Partial<Record<string, ModelSettings>>>;

/** Returns the values of the table `[model]` under the names that the code uses. */
export function modelWish(
	written:
		| {
				readonly name?: string | undefined;
				readonly effort?: Effort | undefined;
				readonly options?: WrittenOptions | undefined;
		  }
		| undefined,
): ModelWish {
	const effort = written?.effort;
	const settings = {...(effort !== undefined && {reasoning: effort}), ...optionSettings(written?.options ?? {})};
	return {
		...(written?.name === undefined ? {} : {model: written.name}),
		...(Object.keys(settings).length === 0 ? {} : {modelSettings: settings}),
	};
}

/**
The source of a model's name, for a user who asks why inkpod uses this model. `key`: the model belongs to the first API
key that inkpod found. `session`: the session already uses the model.
*/
export type ModelSource = 'flag' | 'session' | 'environment' | 'manifest' | 'config' | 'key' | 'default';

export type ModelChoice =
	/**
	For the provider `scripted`, `spec.model` is the path of a file. The caller reads the file into `spec.script`.
	*/
	| {
			readonly ok: true;
			readonly spec: ModelSpec;
			readonly name: string;
			readonly source: ModelSource;
			/** The place where inkpod found the key. A stored key is not in `spec` yet. */
			readonly keySource?: KeySource;
	  }
	/**
	`sentence` explains why the model cannot be used. The caller exits with code 2. `recorded` is the same sentence in
	English. It is for a model that made the choice. `incomplete` is the name as the user wrote it, if it has no known
	provider or no model.
	*/
	| {readonly ok: false; readonly sentence: string; readonly recorded: string; readonly incomplete?: string};

export type ModelWishes = {
	/** The value of `--model`. */
	readonly flag?: string | undefined;
	/** The model that the session already uses. */
	readonly recorded?: RecordedModel | undefined;
	readonly env: Env;
	/** The model of a manifest, if the user trusts it. */
	readonly manifest?: ModelWish;
	readonly config?: ModelWish & {
		readonly servers?: ServerConfigs;
		readonly prices?: PriceList;
		readonly settingsByModel?: SettingsByModel;
	};
	/** The command-line options. They apply to the model that they name, or else to the chosen model. */
	readonly options?: FlaggedOptions | undefined;
	/** The providers whose keys are stored. */
	readonly stored?: StoredKeys | undefined;
};

/** The command-line options. */
export type FlaggedOptions = {readonly model?: string; readonly settings: ModelSettings};

type Facts = NonNullable<ReturnType<typeof providerFacts>>;

/**
The default model of each provider. inkpod uses it if the user names only the provider, or if inkpod finds only an API
key.
*/
export const usualModels: Readonly<Partial<Record<string, string>>> = {
	anthropic: 'claude-sonnet-5',
	openai: 'gpt-6-astra',
	google: 'gemini-3.8-flash',
	openrouter: 'openrouter/auto',
};

/**
Returns the first model that one of these sources names, in this order: `--model`, the session's record, INKPOD_MODEL,
the manifest, the configuration, and the first API key found. If no source names a model, the model is `offline`. The
function uses neither the disk nor the network.
*/
export function chooseModel(wishes: ModelWishes): ModelChoice {
	const {env, flag, recorded, manifest, config, options, stored} = wishes;
	const wanted = [
		{source: 'flag', name: flag},
		{source: 'session', name: recorded?.name},
		{source: 'environment', name: env['INKPOD_MODEL']},
		{source: 'manifest', name: manifest?.model},
		{source: 'config', name: config?.model},
		{source: 'key', name: providerOfFirstKey(env) ?? providerOfFirstKey(env, stored)},
	] satisfies readonly Wish[];
	const {source, name = ''} = wanted.find(wish => present(wish.name)) ?? fallback;
	const full = fullName(name.trim());
	const settings = {
		...(recorded?.name === full ? recordedOptions(recorded.settings) : configuredSettings(full, wishes)),
		...((options?.model ?? full) === full && options?.settings),
	};
	return specOf({name: full, source, settings, env, servers: config?.servers ?? {}, stored});
}

type Wish = {readonly source: ModelSource; readonly name: string | undefined};

/** Returns the settings of a model from the user's and the project's configuration files. */
function configuredSettings(name: string, {config, manifest}: ModelWishes): ModelSettings {
	const byModel = config?.settingsByModel ?? {};
	return {
		...(Object.hasOwn(byModel, name) ? byModel[name] : {}),
		...settingsFor(name, config),
		...settingsFor(name, manifest),
	};
}

/**
Returns the settings of a configuration file if they belong to this model. They apply no matter which source chose the
model.
*/
function settingsFor(name: string, wish: ModelWish = {}): ModelSettings {
	return wish.model !== undefined && fullName(wish.model.trim()) === name ? (wish.modelSettings ?? {}) : {};
}

/** Adds the provider's usual model to a name that consists of only a provider, if the usual model is known. */
function fullName(name: string): string {
	const usual = Object.hasOwn(usualModels, name) ? usualModels[name] : undefined;
	return usual === undefined ? name : `${name}/${usual}`;
}

const fallback: Wish = {source: 'default', name: 'offline'};

function providerOfFirstKey(env: Env, stored?: StoredKeys): string | undefined {
	return listedProviders.find(
		facts =>
			usualModels[facts.provider] !== undefined &&
			needsKey(facts) &&
			findKey(facts.provider, facts, {env, stored}) !== undefined,
	)?.provider;
}

/** Tells whether a provider needs a key. A provider without a default address may need none. */
function needsKey({keyVariable, baseURL}: Facts): boolean {
	return keyVariable !== undefined && baseURL !== undefined;
}

function present(text: string | undefined): text is string {
	return text !== undefined && text.trim() !== '';
}

function specOf({name, source, settings, env, servers, stored}: SpecParts): ModelChoice {
	if (name === 'offline') return {ok: true, spec: {provider: 'offline', model: ''}, name, source};
	const script = /^scripted[:/](?<file>.+)$/s.exec(name)?.groups?.['file'];
	if (script !== undefined)
		return {ok: true, spec: {provider: 'scripted', model: script}, name: `scripted:${script}`, source};
	const slash = name.indexOf('/');
	const written = slash < 0 ? name : name.slice(0, slash);
	const configured = Object.hasOwn(servers, written) ? servers[written] : undefined;
	const {baseURL, headers, certificate, ...server} = configured ?? {};
	const facts = providerFacts(written, server);
	if (facts === undefined) return incomplete(name, texts.unknownProvider(quoteUntrusted(written), namesOf(servers)));
	const model = slash < 0 ? '' : name.slice(slash + 1);
	if (model === '') return incomplete(name, texts.noModelName(written));
	const {keyVariable, baseURLVariable} = facts;
	const key = findKey(written, facts, {env, stored});
	if (key === undefined && keyVariable !== undefined && (needsKey(facts) || server.keyVariable !== undefined))
		return refused(name, texts.needsKey(keyVariable, written));
	if (key?.value !== undefined && key.source.kind === 'environment' && !isHeaderText(key.value))
		return refused(name, texts.unusableKey(key.source.variable));
	const inVariable = baseURLVariable === undefined ? '' : (env[baseURLVariable]?.trim() ?? '');
	const address = inVariable || baseURL;
	if (address !== undefined && !isWebUrl(address)) {
		const place = inVariable !== '' && baseURLVariable !== undefined ? baseURLVariable : 'base_url';
		return refused(name, texts.badAddress(place, quoteUntrusted(shownAddress(address))));
	}
	const access = cloudOf(facts.wire, {env, hasKey: key !== undefined, baseURL: address});
	if (access?.ok === false) return refused(name, access.why);
	const url = access?.baseURL ?? address;
	if (url === undefined && facts.baseURL === undefined)
		return refused(name, texts.needsAddress(written, baseURLVariable));
	const network = networkTo(written, {env, certificate});
	const options = {
		...(headers !== undefined && {headers}),
		...(network !== undefined && {network}),
		...(access?.cloud !== undefined && {cloud: access.cloud}),
	};
	const spec: ModelSpec = {
		provider: written,
		model,
		...(Object.keys(server).length > 0 && {server}),
		...(key?.value !== undefined && {apiKey: key.value}),
		...(key?.isBearer === true && {isBearer: true}),
		...(url !== undefined && {baseURL: url}),
		...(Object.keys(settings).length > 0 && {settings}),
		...(Object.keys(options).length > 0 && {options}),
	};
	return {ok: true, spec, name: `${written}/${model}`, source, ...(key !== undefined && {keySource: key.source})};
}

type Access = {readonly env: Env; readonly certificate: ServerConfig['certificate']};

/** Returns the network settings. Only this provider's servers get the client certificate that the user set. */
function networkTo(provider: string, {env, certificate}: Access): ReturnType<typeof networkOf> {
	const network = networkOf(env);
	if (certificate === undefined) return network;
	const [cert, key] = [writtenPath(env, certificate.cert), writtenPath(env, certificate.key)];
	return {...network, clientCertificate: {provider, cert, key}};
}

type SpecParts = {
	readonly name: string;
	readonly source: ModelSource;
	readonly settings: ModelSettings;
	readonly env: Env;
	readonly servers: ServerConfigs;
	readonly stored: StoredKeys | undefined;
};

/** Returns the names of all known and configured providers. */
function namesOf(servers: ServerConfigs): readonly string[] {
	return [...new Set([...listedProviders.map(({provider}) => provider), ...Object.keys(servers)])];
}

function incomplete(name: string, why: Told): ModelChoice {
	return {...refused(name, why), incomplete: name};
}

/** Returns the refusal of a model. `why` is the end of the sentence. */
export function refused(name: string, why: Told): Extract<ModelChoice, {readonly ok: false}> {
	return {ok: false, ...told(t => t`The model ${quoteUntrusted(name)} cannot be used: ${why(t)}.`)};
}

/** Returns the options under their names in a setup item. `tools` is included only if it is `false`. */
export function optionSettings(written: WrittenOptions): Settings {
	const {max_output_tokens: maxOutputTokens, temperature, top_p: topP, stop, tools, merge_user: mergeUser} = written;
	return {
		...(mergeUser !== undefined && {mergeUser}),
		...(maxOutputTokens !== undefined && {maxOutputTokens}),
		...(temperature !== undefined && {temperature}),
		...(topP !== undefined && {topP}),
		...(stop !== undefined && {stop: [stop].flat()}),
		...(tools === false && {tools}),
	};
}

/** Returns the options and the effort among the settings of a setup item. */
export function recordedOptions(settings: Settings): Settings {
	return Object.fromEntries(Object.entries(settings).filter(([key]) => optionNames.has(key)));
}

/** Tells whether an HTTP header can contain a key. The keys of all providers can be in a header. */
function isHeaderText(key: string): boolean {
	return /^[\x21-\x7e]*$/.test(key);
}

/** Returns an address without its secrets. The address may have no scheme. */
function shownAddress(text: string): string {
	return /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? shownUrl(text) : shownUrl(`http://${text}`).replace('http://', '');
}

function isWebUrl(text: string): boolean {
	return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

const optionNames: ReadonlySet<string> = new Set([
	'reasoning',
	'mergeUser',
	'maxOutputTokens',
	'temperature',
	'topP',
	'stop',
	'tools',
]);
