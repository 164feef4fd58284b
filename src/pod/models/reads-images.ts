import {inputSetting, providerFacts, wireOf, type Settings} from '../../worker/index.ts';
import type {ModelInfo} from '../protocol.ts';
import {providerOf} from './provider-of.ts';

/** Tells whether a model reads images. Resolves with `undefined` if that is not known. */
type ReadsImages = (name: string) => Promise<boolean | undefined>;

/**
Creates the look-up. A model on this machine is looked up at its server, with `list`. Every other model is looked up in
the list of known models, which is loaded when it is first needed. Each answer is stored, even `undefined`, because a
draft is checked at every edit.
*/
export function createReadsImages(list: () => Promise<readonly ModelInfo[]>): ReadsImages {
	const known = new Map<string, Promise<boolean | undefined>>();
	return async name => {
		const found = known.get(name) ?? lookUp(name, list);
		known.set(name, found);
		return found;
	};
}

async function lookUp(name: string, list: () => Promise<readonly ModelInfo[]>): Promise<boolean | undefined> {
	if (providerFacts(providerOf(name))?.local === true)
		return (await list()).find(model => model.name === name)?.readsImages;
	const {knownModel} = await import('./known-models.ts');
	return knownModel(name)?.readsImages;
}

/**
Returns the settings of a request with images. If the model's wire usually accepts more kinds of input than the model,
the settings contain the kinds that the model reads.
*/
export async function withInput(name: string, settings: Settings, readsImages: ReadsImages): Promise<Settings> {
	const wire = wireOf(name, settings);
	if (wire === undefined) return settings;
	const reads = await readsImages(name);
	const input = reads === undefined ? undefined : inputSetting(wire, reads);
	return input === undefined ? settings : {...settings, input};
}
