import {loadConfig} from '../../config/config.ts';
import {lookUpModel, type ModelFacts} from '../../ground/counts/catalogue.ts';
import type {Env} from '../../ground/env/env.ts';
import {configuredFacts} from './configured-facts.ts';

/** Returns a function that looks up a model's prices and window in the user's configuration and in the catalogue. */
export async function modelFacts(env: Env): Promise<(name: string) => ModelFacts> {
	const read = await loadConfig(env);
	const own = read.ok ? configuredFacts(read.config) : {};
	return name => ({...lookUpModel(name), ...(Object.hasOwn(own, name) ? own[name] : undefined)});
}
