import type {Config} from '../../config/config.ts';
import type {ModelFacts} from '../../ground/counts/catalogue.ts';

/** Returns the prices and windows that the user configured, by model name. */
export function configuredFacts({
	prices = {},
	windows = {},
}: Pick<Config, 'prices' | 'windows'>): Readonly<Record<string, ModelFacts>> {
	const [priceOf, windowOf] = [new Map(Object.entries(prices)), new Map(Object.entries(windows))];
	const names = [...new Set([...priceOf.keys(), ...windowOf.keys()])];
	return Object.fromEntries(
		names.map((name): [string, ModelFacts] => {
			const [known, window] = [priceOf.get(name), windowOf.get(name)];
			return [name, {prices: known, window}];
		}),
	);
}
