import {
	describeModel,
	loadModel,
	requestSettings,
	type ModelDescription,
	type ModelSpec,
} from '../../../worker/index.ts';
import {configuredKeys} from '../../config/model-choice.ts';
import type {Env} from '../../ground/env/env.ts';
import type {KeychainOptions} from '../../platform/keychain.ts';
import type {LookedUp} from '../../models/keys/stored-keys.ts';
import {refusingModel} from '../../models/fallback.ts';
import type {Models} from '../../models/models.ts';
import {addRecentModel} from '../../models/recent-models.ts';
import {supportedEffort} from '../../models/supported-effort.ts';
import type {PodModel} from '../../models/current-model.ts';
import type {Effort} from '../../protocol.ts';
import {createModelList} from './list-models.ts';
import {planModel, type ModelSources, type PlannedModel} from './plan-model.ts';

/**
Creates the models that the user can choose while a session is open. `env` contains the API keys. `pwd` is the project's
folder. inkpod does not use a keychain program from this folder.
*/
export function createModels(env: Env, pwd: string, sources: ModelSources): Models {
	const keychain = keychainOptions(env, pwd, sources);
	return {
		fallbacks: sources.config.fallback ?? [],
		async open(name, effort, {isFallback = false} = {}) {
			const planned = await planModel(name, env, sources);
			if (!planned.ok) return planned;
			if (!isFallback) await addRecentModel(env, planned.model.name);
			const used = await supportedEffort(planned.model.name, effort);
			return {ok: true, model: openModel(planned.model, keychain, used)};
		},
		async save(name, effort) {
			const planned = await planModel(name, env, sources);
			if (!planned.ok) return planned.sentence;
			const {saveDefaultModel} = await import('../../models/save-default.ts');
			const {name: full} = planned.model;
			return saveDefaultModel(env, {name: full, effort: await supportedEffort(full, effort)});
		},
		async login(provider, key) {
			const {logIn} = await import('../../models/keys/login.ts');
			return logIn(provider, key, {...keychain, config: sources.config});
		},
		list: createModelList({env, config: sources.config}),
	};
}

/** Returns the options for the lookup of a stored key. */
export function keychainOptions(env: Env, pwd: string, {config}: Pick<ModelSources, 'config'>): KeychainOptions {
	return {env, pwd, keyNames: configuredKeys(config.servers)};
}

/** Opens a planned model. The first request loads the provider's code, and looks up the key if it is stored. */
export function openModel(
	{name, spec, facts, keySource, access}: PlannedModel,
	keychain: KeychainOptions,
	effort?: Effort,
): PodModel {
	const isStored = spec.apiKey === undefined && (keySource?.kind === 'keychain' || keySource?.kind === 'file');
	const whole = isStored
		? onceDone(async () => withStoredKey(spec, keychain))
		: async (): Promise<WholeSpec> => ({ok: true, spec});
	const load = once(loadModel);
	return {
		name,
		facts,
		access,
		async load() {
			const found = await whole();
			// A failed lookup is not cached, so the next run looks the key up again.
			return found.ok ? load(found.spec) : refusingModel(name, found.sentence);
		},
		async describe() {
			const found = await whole();
			return found.ok ? describe(found.spec) : undefined;
		},
		settings: {...requestSettings(spec), ...(effort !== undefined && {reasoning: effort})},
	};
}

/** Asks the model's server for a description of the model. A server on this machine reports its current window. */
async function describe(spec: ModelSpec): Promise<ModelDescription | undefined> {
	const {describeLocalModel} = await import('../../models/local-servers.ts');
	return (await describeLocalModel(spec)) ?? describeModel(spec);
}

type WholeSpec = {readonly ok: true; readonly spec: ModelSpec} | Extract<LookedUp, {readonly ok: false}>;

async function withStoredKey(spec: ModelSpec, keychain: KeychainOptions): Promise<WholeSpec> {
	const {lookUpKey} = await import('../../models/keys/stored-keys.ts');
	const found = await lookUpKey(spec.provider, keychain);
	return found.ok ? {ok: true, spec: {...spec, apiKey: found.key}} : found;
}

function once<From, To>(make: (from: From) => Promise<To>): (from: From) => Promise<To> {
	let made: Promise<To> | undefined;
	return async from => (made ??= make(from));
}

/** Caches the first result that is `ok`. Concurrent calls share one attempt. */
function onceDone<Result extends {readonly ok: boolean}>(make: () => Promise<Result>): () => Promise<Result> {
	let made: Promise<Result> | undefined;
	return async () => {
		made ??= make();
		const result = await made;
		if (!result.ok) made = undefined;
		return result;
	};
}
