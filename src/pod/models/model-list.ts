import {providerFacts, type listedProviders} from '../../worker/index.ts';
import type {ServerConfigs} from '../config/model-choice.ts';
import {lookUpModel, type ModelFacts} from '../ground/counts/catalogue.ts';
import type {Env} from '../ground/env/env.ts';
import {findKey, type StoredKeys} from '../ground/env/found-key.ts';
import {isOnlyKnown, type ModelInfo} from '../protocol.ts';
import {knownModel, knownModels} from './known-models.ts';
import {ownAddress} from './own-servers.ts';
import type {ListedModel} from './server-lists.ts';
import {modelTexts} from './texts.ts';

export type ModelListOptions = {
	/** The environment variables, which contain the keys. */
	readonly env: Env;
	readonly servers: ServerConfigs;
	/** The user's settings about models, by model name. */
	readonly facts: Readonly<Record<string, ModelFacts>>;
	/** The names of the models that were used last, the latest first. */
	readonly recent: readonly string[];
	/** The models that the user's own servers and those on this machine have listed. */
	readonly listed: readonly ListedModel[];
	/** Whether inkpod still waits for the lists of servers on this machine. */
	readonly isLooking: boolean;
	/** The providers whose keys are stored. */
	readonly stored?: StoredKeys;
};

/**
Lists the models: those that were used last, those of the user's own servers, those of local servers, those whose
provider has a key, and then the others, each with a text about what it lacks. Uses neither the disk nor the network.
*/
export function listModels(options: ModelListOptions): readonly ModelInfo[] {
	const {recent, listed, facts} = options;
	const byName = new Map(listed.map(model => [model.name, model]));
	const names = [...recent, ...byName.keys(), ...Object.keys(facts), ...knownModels().map(({name}) => name)];
	const infos = [...new Set(names)].flatMap(name => infoOf(name, byName.get(name), options) ?? []);
	return infos.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/**
Returns the sort key of a model. Recent models come first, in their own order. All other models of a group have the same
key, and the sort keeps their order.
*/
function placeOf(model: ModelInfo): number {
	if (isOnlyKnown(model)) return afterRecent + 3;
	if (model.recent !== undefined) return model.recent;
	return afterRecent + (model.isOwn === true ? 0 : model.isLocal === true ? 1 : 2);
}

const afterRecent = 1000;

function infoOf(name: string, listed: ListedModel | undefined, options: ModelListOptions): ModelInfo | undefined {
	const {env, servers, facts, recent} = options;
	const absent = options.isLooking ? modelTexts.lookingForServer : modelTexts.notRunning;
	const slash = name.indexOf('/');
	const provider = slash < 0 ? name : name.slice(0, slash);
	const server = providerFacts(provider, Object.hasOwn(servers, provider) ? servers[provider] : {});
	if (server === undefined) return undefined;
	const known = knownModel(name);
	const isComplete = known?.window !== undefined && known.price !== undefined;
	// The catalogue matches patterns, which takes 0.3 ms for each name, and the page has to open immediately.
	const looked = isComplete ? undefined : lookUpModel(name);
	const window = facts[name]?.window ?? listed?.window ?? looked?.window ?? known?.window;
	const price = facts[name]?.prices?.[0] ?? listed?.price ?? looked?.prices?.[0] ?? known?.price;
	const readsImages = listed?.readsImages ?? known?.readsImages;
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
		...(server.local && {isLocal: true, ...(listed === undefined && {missing: absent})}),
		...(ownAddress(provider, server, {env, servers}) !== undefined && {isOwn: true}),
		...(place >= 0 && {recent: place}),
	};
}

/**
Returns the source of the key, or what is missing. A server with an address from the user needs a key only if the user
named the variable of the key.
*/
function keyOf(
	provider: string,
	facts: Pick<(typeof listedProviders)[number], 'keyVariable' | 'otherKeyVariables' | 'bearerVariable' | 'baseURL'>,
	{env, servers, stored}: Pick<ModelListOptions, 'env' | 'servers' | 'stored'>,
): Pick<ModelInfo, 'keyVariable' | 'keyPlace' | 'missing'> {
	const source = findKey(provider, facts, {env, stored})?.source;
	if (source !== undefined)
		return source.kind === 'environment' ? {keyVariable: source.variable} : {keyPlace: source.kind};
	const {keyVariable, baseURL} = facts;
	if (keyVariable === undefined) return {};
	const isNamed = Object.hasOwn(servers, provider) && servers[provider]?.keyVariable !== undefined;
	return baseURL === undefined && !isNamed ? {} : {missing: modelTexts.setKey(keyVariable)};
}
