import type {Model} from '../history/model.ts';
import type {Settings} from '../history/item.ts';
import type {KeyCheck} from './check-key.ts';
import {currentRules, type DialectName} from './dialects.ts';
import {
	isKnownProvider,
	isWireName,
	knownProviders,
	providers,
	type ProviderFacts,
	type WireName,
} from './providers.ts';
import type {Server, Wire, WireOptions} from './wire.ts';

/** A model and how to reach it. */
export type ModelSpec = {
	/** A provider that inkpod knows, a provider that the user configured, `offline` or `scripted`. */
	readonly provider: string;
	/** The provider's name for the model. For `scripted` it is the name of the script file, which is not read here. */
	readonly model: string;
	/** The user's configuration of the server. It must name the wire of a provider that inkpod does not know. */
	readonly server?: ServerSettings;
	readonly apiKey?: string;
	/** Whether the key is a token that is sent as `Authorization: Bearer`. */
	readonly isBearer?: boolean;
	readonly baseURL?: string;
	/** For `scripted`: the text of the script file. */
	readonly script?: string;
	/**
	The settings that determine every request. The setup stores them, so that the same request can be composed again.
	*/
	readonly settings?: Settings;
	readonly options?: Pick<
		WireOptions,
		'headers' | 'fetch' | 'network' | 'cloud' | 'firstTokenTimeoutMs' | 'stallTimeoutMs'
	> & {
		/** For `offline` and `scripted`: the number of milliseconds between two pieces. */
		readonly delayMs?: number;
	};
};

/** The user's configuration of a server. */
export type ServerSettings = {
	readonly wire?: WireName;
	readonly dialect?: DialectName;
	readonly keyVariable?: string;
};

/**
The facts of each provider, in the order in which keys are looked up. Reading these facts loads no provider's code.
*/
export const listedProviders: ReadonlyArray<ProviderFacts & {readonly provider: string}> = knownProviders.map(
	provider => ({provider, ...providers[provider]}),
);

/**
Returns the facts about a provider, including what the user configured about it. Returns `undefined` if inkpod does not
know the provider and the user configured no wire for it.
*/
export function providerFacts(provider: string, server: ServerSettings = {}): ProviderFacts | undefined {
	const {wire, dialect, keyVariable} = server;
	const configured = {
		...(dialect !== undefined && {dialect}),
		...(keyVariable !== undefined && {keyVariable}),
	};
	if (isKnownProvider(provider)) {
		const known: ProviderFacts = providers[provider];
		const facts = keyVariable === undefined ? known : withoutVariables(known);
		return {...facts, ...(wire !== undefined && {wire}), ...configured};
	}
	if (wire === undefined) return undefined;
	return {
		wire,
		local: false,
		dataKey: wire === 'openai-compatible' ? provider : providers[wire].dataKey,
		...configured,
	};
}

/**
Returns the facts without the other variables for the key, because a variable that the user names replaces all of them.
*/
function withoutVariables(facts: ProviderFacts): ProviderFacts {
	const {otherKeyVariables: _, bearerVariable: __, ...rest} = facts;
	return rest;
}

/**
Returns the settings that determine the requests to a model: the version of the rules, the dialect of the server (for
chat completions), and the merging of results and user messages into one turn (for Gemini). For a provider that inkpod
does not know, the settings also contain its wire. The setting `server` is the scheme, host and port of a server that is
not the vendor's own. No request contains this setting.
*/
export function requestSettings({provider, server, baseURL, settings = {}}: ModelSpec): Settings {
	const facts = providerFacts(provider, server);
	if (facts === undefined) return settings;
	const own = ownServer(baseURL, facts);
	const isNamedByUser = !isKnownProvider(provider) || server?.wire !== undefined;
	return {
		rules: currentRules,
		...(isNamedByUser && {wire: facts.wire}),
		...(facts.wire === 'openai-compatible' && {dialect: facts.dialect ?? 'safe'}),
		...((facts.wire === 'google' || facts.wire === 'vertex') && {mergeResults: true}),
		...(own !== undefined && {server: own}),
		...settings,
	};
}

/** Returns the origin of a server that the user configured, unless the provider's own server has the same origin. */
function ownServer(baseURL: string | undefined, facts: ProviderFacts): string | undefined {
	const origin = originOf(baseURL);
	return origin === originOf(facts.baseURL) ? undefined : origin;
}

function originOf(address: string | undefined): string | undefined {
	return address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined;
}

/**
Returns the wire of a model. `model` is the name in a setup item. Returns `undefined` if the model has no wire, or if
its wire is unknown.
*/
export function wireOf(model: string, {wire}: Settings): WireName | undefined {
	return providerFacts(model.slice(0, model.indexOf('/')), isWireName(wire) ? {wire} : {})?.wire;
}

/**
Loads a model. Loads the code of no other provider. For the provider `scripted`: if the text of the script is invalid,
rejects with an Error whose message is a sentence.
*/
export async function loadModel(spec: ModelSpec): Promise<Model> {
	if (spec.provider === 'offline') return loadOffline(spec);
	if (spec.provider === 'scripted') return loadScripted(spec);
	const {wireModel} = await import('./model.ts');
	return wireModel(await loadWire(spec));
}

/** Loads the wire of a provider. The provider must have a wire. */
export async function loadWire(spec: ModelSpec): Promise<Wire> {
	const facts = providerFacts(spec.provider, spec.server);
	if (facts === undefined) throw new Error(`unknown provider ${spec.provider}`);
	return loaders[facts.wire]({provider: spec.provider, facts}, wireOptions(spec));
}

/** Asks a provider whether it accepts the key of `spec`. Never rejects. */
export async function checkKey(spec: ModelSpec): Promise<KeyCheck> {
	const facts = providerFacts(spec.provider, spec.server);
	if (facts === undefined) throw new Error(`unknown provider ${spec.provider}`);
	const {askAboutKey} = await import('./check-key.ts');
	return askAboutKey({provider: spec.provider, facts}, wireOptions(spec));
}

type Loader = (server: Server, options: WireOptions) => Promise<Wire>;

const loaders: Readonly<Record<WireName, Loader>> = {
	anthropic: async (server, options) => (await import('./messages.ts')).anthropic(server, options),
	openai: async (server, options) => (await import('./responses.ts')).openai(server, options),
	google: async (server, options) => (await import('./gemini.ts')).google(server, options),
	'openai-compatible': async (server, options) =>
		(await import('./completions.ts')).openaiCompatible(server, options),
	azure: async (server, options) => (await import('./responses.ts')).azure(server, options),
	bedrock: async (server, options) => (await import('./converse.ts')).bedrock(server, options),
	vertex: async (server, options) => (await import('./gemini.ts')).vertex(server, options),
};

async function loadOffline({options}: ModelSpec): Promise<Model> {
	const {offlineModel} = await import('./offline/offline-model.ts');
	return offlineModel(options?.delayMs === undefined ? {} : {delayMs: options.delayMs});
}

async function loadScripted({model, script = '', options}: ModelSpec): Promise<Model> {
	const {parseScript} = await import('./script.ts');
	const parsed = parseScript(script);
	if (!parsed.ok) throw new Error(`${model}: ${parsed.sentence}`);
	const {scriptedModel} = await import('./scripted.ts');
	return scriptedModel(parsed.script, {
		name: `scripted:${model}`,
		...(options?.delayMs === undefined ? {} : {delayMs: options.delayMs}),
	});
}

function wireOptions({model, apiKey, isBearer, baseURL, options}: ModelSpec): WireOptions {
	const {delayMs: _, ...rest} = options ?? {};
	return {
		...rest,
		model,
		...(apiKey === undefined ? {} : {apiKey}),
		...(isBearer === undefined ? {} : {isBearer}),
		...(baseURL === undefined ? {} : {baseURL}),
	};
}
