import type {Config} from '../../config/config.ts';
import type {ModelFacts} from '../../ground/counts/catalogue.ts';

/** Returns the facts that the user configured, by model name. Facts that the user did not configure are absent. */
export function configuredFacts({
	prices = {},
	windows = {},
	counts = {},
}: Pick<Config, 'prices' | 'windows' | 'counts'>): Readonly<Record<string, ModelFacts>> {
	const known = new Map<string, ModelFacts>();
	const add = (name: string, fact: ModelFacts) => known.set(name, {...known.get(name), ...fact});
	for (const [name, list] of Object.entries(prices)) add(name, {prices: list});
	for (const [name, window] of Object.entries(windows)) add(name, {window});
	for (const [name, kind] of Object.entries(counts)) add(name, {counts: kind});
	return Object.fromEntries(known);
}
