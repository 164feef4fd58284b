import {providerFacts, type listedProviders} from '../../worker/index.ts';
import type {ServerConfigs} from '../config/model-choice.ts';
import {lookUpModel, type ModelFacts} from '../ground/counts/catalogue.ts';
import type {Env} from '../ground/env/env.ts';
import {findKey, type StoredKeys} from '../ground/env/found-key.ts';
import type {ModelInfo} from '../protocol.ts';
import {knownModel, knownModels} from './known-models.ts';
import {modelTexts} from './texts.ts';

export type ModelListOptions = {
	/** It contains the keys. */
	readonly env: Env;
	readonly servers: ServerConfigs;
	/** The user's settings about models, by model name. */
	readonly facts: Readonly<Record<string, ModelFacts>>;
	/** The names of the models that were used last, the latest first. */
	readonly recent: readonly string[];
	/** The models that local servers have, in the order of the servers. It is absent until the servers have answered. */
	readonly local: readonly LocalModel[] | undefined;
	/** The providers whose keys are stored. */
	readonly stored?: StoredKeys;
};

/** A model that a server on this machine has. */
export type LocalModel = {
	readonly name: string;
	readonly window?: number;
	readonly readsImages?: boolean;
	/** Whether the server passes the messages on to another machine. */
	readonly isRemote?: true;
};

/**
Lists the models: those that were used last, those of local servers, those that the user configured or has a key for,
and then the others with what is missing. It uses neither the disk nor the network.
*/
export function listModels(options: ModelListOptions): readonly ModelInfo[] {
	const {recent, local, facts} = options;
	const localNames = new Map((local ?? []).map(model => [model.name, model]));
	const names = [...recent, ...localNames.keys(), ...Object.keys(facts), ...knownModels().map(({name}) => name)];
	const infos = [...new Set(names)].flatMap(name => infoOf(name, localNames.get(name), options) ?? []);
	return infos.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Recent models come first. The sort keeps the order of the others. */
function placeOf({recent, isLocal, missing}: ModelInfo): number {
	if (missing !== undefined) return notUsable;
	return recent ?? (isLocal === true ? beforeOthers : beforeOthers + 1);
}

const beforeOthers = 1000;
const notUsable = beforeOthers + 2;

function infoOf(name: string, local: LocalModel | undefined, options: ModelListOptions): ModelInfo | undefined {
	const {servers, facts, recent} = options;
	const absent = options.local === undefined ? modelTexts.lookingForServer : modelTexts.notRunning;
	const slash = name.indexOf('/');
	const provider = slash < 0 ? name : name.slice(0, slash);
	const server = providerFacts(provider, Object.hasOwn(servers, provider) ? servers[provider] : {});
	if (server === undefined) return undefined;
	const known = knownModel(name);
	const isComplete = known?.window !== undefined && known.price !== undefined;
	// The catalogue matches patterns, which takes 0.3 ms for each name, and the page has to open at once.
	const looked = isComplete ? undefined : lookUpModel(name);
	const window = facts[name]?.window ?? local?.window ?? looked?.window ?? known?.window;
	const [price] = facts[name]?.prices ?? looked?.prices ?? (known?.price === undefined ? [] : [known.price]);
	const readsImages = local?.readsImages ?? known?.readsImages;
	const place = recent.indexOf(name);
	return {
		name,
		provider,
		...(known !== undefined && {label: known.label}),
		...(window !== undefined && {window}),
		...(price !== undefined && {price: {input: price.input, output: price.output}}),
		...keyOf(provider, server, options),
		efforts: [...(known?.efforts ?? [])],
		...(readsImages !== undefined && {readsImages}),
		...(server.local && {isLocal: true, ...(local === undefined && {missing: absent})}),
		...(place >= 0 && {recent: place}),
	};
}

/** The source of the key. A server whose address the user configured may need no key. */
function keyOf(
	provider: string,
	facts: Pick<(typeof listedProviders)[number], 'keyVariable' | 'otherKeyVariables' | 'bearerVariable' | 'baseURL'>,
	{env, stored}: Pick<ModelListOptions, 'env' | 'stored'>,
): Pick<ModelInfo, 'keyVariable' | 'keyPlace' | 'missing'> {
	const source = findKey(provider, facts, {env, stored})?.source;
	if (source !== undefined)
		return source.kind === 'environment' ? {keyVariable: source.variable} : {keyPlace: source.kind};
	const {keyVariable, baseURL} = facts;
	if (keyVariable === undefined) return {};
	return baseURL === undefined ? {} : {missing: modelTexts.setKey(keyVariable)};
}
