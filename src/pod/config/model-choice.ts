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

/** A server as the user configured it. The values of its headers may be keys. */
export type ServerConfig = ServerSettings & {
	readonly baseURL?: string;
	readonly headers?: Readonly<Record<string, string>>;
	/** The paths of the files with a client certificate and its key. */
	readonly certificate?: {readonly cert: string; readonly key: string};
};

/** Servers by the names of their providers. */
export type ServerConfigs = Readonly<Partial<Record<string, ServerConfig>>>;

/** The variables of the keys that the user's configuration names. */
export function configuredKeys(servers: ServerConfigs): readonly string[] {
	return Object.values(servers).flatMap(server => server?.keyVariable ?? []);
}

export type ModelSettings = NonNullable<ModelSpec['settings']>;

/** A model by name, with the settings that apply whenever it is chosen. */
export type ModelWish = {readonly model?: string; readonly modelSettings?: ModelSettings};

/** The settings of several models, by their names. */
export type SettingsByModel = Readonly<Partial<Record<string, ModelSettings>>>;

/** The table `[model]` under inkpod's own names. */
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
The source of a model's name, for a user who asks why inkpod uses this model. `key`: the model belongs to the first key
found. `session`: the session has it already.
*/
export type ModelSource = 'flag' | 'session' | 'environment' | 'manifest' | 'config' | 'key' | 'default';

export type ModelChoice =
	/** For `scripted`, `spec.model` is the path of the file, which the caller reads into `spec.script`. */
	| {
			readonly ok: true;
			readonly spec: ModelSpec;
			readonly name: string;
			readonly source: ModelSource;
			/** Where the key is from. A stored key is not in `spec` yet. */
			readonly keySource?: KeySource;
	  }
	/**
	The sentence explains why there is no model. The caller exits with 2. `recorded` is the same in English, for a
	model that chose it. `incomplete` is the name as written, if it lacks a known provider or a model.
	*/
	| {readonly ok: false; readonly sentence: string; readonly recorded: string; readonly incomplete?: string};

export type ModelWishes = {
	/** The value of `--model`. */
	readonly flag?: string | undefined;
	/** The model that the session has already. */
	readonly recorded?: RecordedModel | undefined;
	readonly env: Env;
	/** The model of a manifest, if the user trusts it. */
	readonly manifest?: ModelWish;
	readonly config?: ModelWish & {
		readonly servers?: ServerConfigs;
		readonly prices?: PriceList;
		readonly settingsByModel?: SettingsByModel;
	};
	/** The options of the command line, for this model or, without a name, for the chosen one. */
	readonly options?: FlaggedOptions | undefined;
	/** The providers whose keys are stored. */
	readonly stored?: StoredKeys | undefined;
};

/** The options of the command line. */
export type FlaggedOptions = {readonly model?: string; readonly settings: ModelSettings};

type Facts = NonNullable<ReturnType<typeof providerFacts>>;

/** The model that is used if only the provider is named, or only its key is found. */
export const usualModels: Readonly<Partial<Record<string, string>>> = {
	anthropic: 'claude-sonnet-5',
	openai: 'gpt-6-astra',
	google: 'gemini-3.8-flash',
	openrouter: 'openrouter/auto',
};

/**
Returns the first model that is named in this order: `--model`, the session's record, INKPOD_MODEL, the manifest, the
configuration, the first key found, and otherwise `offline`. The function uses neither the disk nor the network.
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

/** Returns what the files of the user and of the project set for a model. */
function configuredSettings(name: string, {config, manifest}: ModelWishes): ModelSettings {
	const byModel = config?.settingsByModel ?? {};
	return {
		...(Object.hasOwn(byModel, name) ? byModel[name] : {}),
		...settingsFor(name, config),
		...settingsFor(name, manifest),
	};
}

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

function providerOfFirstKey(env: Env, stored?: StoredKeys): string | undefined {
	return listedProviders.find(
		facts =>
			usualModels[facts.provider] !== undefined &&
			needsKey(facts) &&
			findKey(facts.provider, facts, {env, stored}) !== undefined,
	)?.provider;
}

/** Tells whether a server needs a key. A server whose address the user configured may need none. */
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

/** Only the provider gets the client certificate that the user set for it. */
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

/** The providers that a model can be chosen from. */
function namesOf(servers: ServerConfigs): readonly string[] {
	return [...new Set([...listedProviders.map(({provider}) => provider), ...Object.keys(servers)])];
}

function incomplete(name: string, why: Told): ModelChoice {
	return {...refused(name, why), incomplete: name};
}

/** Refuses a model. `why` is the end of the sentence. */
export function refused(name: string, why: Told): Extract<ModelChoice, {readonly ok: false}> {
	return {ok: false, ...told(t => t`The model ${quoteUntrusted(name)} cannot be used: ${why(t)}.`)};
}

/** Returns the options under the names of the setup. `tools` is a setting only if no tools are offered. */
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

/** Tells whether a key can be in a header. No provider gives one that cannot. */
function isHeaderText(key: string): boolean {
	return /^[\x21-\x7e]*$/.test(key);
}

/** Returns an address without its secrets. It may lack its scheme. */
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
