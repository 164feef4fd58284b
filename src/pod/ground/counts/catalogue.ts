import catalogue from './catalogue.json' with {type: 'json'};
import type {CountsSetting} from './server-counts.ts';
import type {Prices, PriceStep, Rates} from '../../protocol/cost.ts';

/** The known facts about a model. An absent fact is unknown, and inkpod does not guess it. */
export type ModelFacts = {
	/** The maximum number of tokens of a request and its answer together. */
	readonly window?: number;
	readonly prices?: Prices;
	/** The user's setting for the token counts of the model's server. */
	readonly counts?: CountsSetting;
};

/** The data source of the catalogue and its licence. */
export const catalogueSource: string = catalogue.source;

/**
Looks up a model by its name `provider/name`. A dated snapshot (`-2026-03-05`, `-20260305`, `@20260305`) that is not
listed gets the facts of its base model. Local models are free, and their windows are unknown.
*/
export function lookUpModel(model: string): ModelFacts | undefined {
	const slash = model.indexOf('/');
	const provider = slash < 0 ? model.replace(/:.*/su, '') : model.slice(0, slash);
	if (local.has(provider)) return {prices: free};
	if (!Object.hasOwn(catalogue.providers, provider)) return undefined;
	const lines = providers[provider] ?? [];
	const name = model.slice(slash + 1).toLowerCase();
	for (const form of formsOf(name)) {
		const line = lines.find(([names]) => listIn(names).some(pattern => matches(stringIn(pattern), form)));
		if (line !== undefined) return factsOf(line);
	}
	return undefined;
}

const local: ReadonlySet<string> = new Set(['offline', 'scripted', 'ollama', 'lmstudio', 'llama.cpp']);
const free: Prices = [{input: 0, output: 0}];

/** A line of the catalogue in the format of `scripts/catalogue.mjs`: names, window, price steps. */
type Line = readonly unknown[];

const providers: Readonly<Record<string, readonly Line[]>> = catalogue.providers;

/** Returns the name itself, the name with hyphens in its date, and the name without its date. */
function formsOf(name: string): readonly string[] {
	return [
		name,
		name.replace(/-(20\d\d)([01]\d)([0-3]\d)$/u, '-$1-$2-$3'),
		name.replace(/[-@]20\d\d-?[01]\d-?[0-3]\d$/u, ''),
	];
}

function matches(pattern: string, name: string): boolean {
	let test = tests.get(pattern);
	if (test === undefined) tests.set(pattern, (test = testOf(pattern)));
	return test(name);
}

/** The list of models looks up many names in a row, so each pattern is compiled only once. */
const tests = new Map<string, (name: string) => boolean>();

function testOf(pattern: string): (name: string) => boolean {
	if (pattern.startsWith('/')) {
		const expression = new RegExp(pattern.slice(1, -1), 'u');
		return name => expression.test(name);
	}
	const [before, after] = [pattern.startsWith('*'), pattern.endsWith('*')];
	const text = pattern.slice(before ? 1 : 0, after ? -1 : undefined).toLowerCase();
	if (before) return after ? name => name.includes(text) : name => name.endsWith(text);
	return after ? name => name.startsWith(text) : name => name === text;
}

function factsOf([, window, steps]: Line): ModelFacts {
	const prices = listIn(steps ?? []).map(step => stepOf(listIn(step)));
	return {...(numberIn(window) > 0 && {window: numberIn(window)}), ...(prices.length > 0 && {prices})};
}

function stepOf(step: readonly unknown[]): PriceStep {
	const [from, above] = step.slice(4);
	return {
		...ratesOf(step),
		...(typeof from === 'string' && {from}),
		...(above !== undefined && {above: aboveOf(listIn(above))}),
	};
}

function aboveOf([tokens, ...rates]: readonly unknown[]): NonNullable<PriceStep['above']> {
	return {tokens: numberIn(tokens), ...ratesOf(rates)};
}

function ratesOf([input, output, cacheRead, cacheWrite]: readonly unknown[]): Rates {
	return {
		input: numberIn(input),
		output: numberIn(output),
		...(typeof cacheRead === 'number' && {cacheRead}),
		...(typeof cacheWrite === 'number' && {cacheWrite}),
	};
}

function listIn(value: unknown): readonly unknown[] {
	if (Array.isArray(value)) return value;
	throw malformed();
}

function numberIn(value: unknown): number {
	if (typeof value === 'number') return value;
	throw malformed();
}

function stringIn(value: unknown): string {
	if (typeof value === 'string') return value;
	throw malformed();
}

function malformed(): Error {
	return new TypeError('catalogue.json has another format than scripts/catalogue.mjs writes');
}
