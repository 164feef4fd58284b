import catalogue from './catalogue.json' with {type: 'json'};
import type {Prices, PriceStep, Rates} from './prices.ts';

/** What is known of a model. What is absent is unknown, and nobody guesses it. */
export type ModelFacts = {
	/** Tokens that a request and its answer may have together. */
	readonly window?: number;
	readonly prices?: Prices;
};

/** From which data the catalogue was made, and under which licence. */
export const catalogueSource: string = catalogue.source;

/**
What the catalogue knows of a model, by its name `provider/name`. A dated snapshot (`-2026-03-05`, `-20260305`,
`@20260305`) that is not listed itself is what it is a snapshot of. What runs on this machine costs nothing, and tells
its window nowhere.
*/
export function lookUp(model: string): ModelFacts | undefined {
	const slash = model.indexOf('/');
	const provider = slash < 0 ? model.replace(/:.*/su, '') : model.slice(0, slash);
	if (local.has(provider)) return {prices: free};
	if (!Object.hasOwn(catalogue.providers, provider)) return undefined;
	const lines = (catalogue.providers as unknown as Readonly<Record<string, readonly Line[]>>)[provider]!;
	const name = model.slice(slash + 1).toLowerCase();
	for (const form of formsOf(name)) {
		const line = lines.find(([names]) => names.some(pattern => matches(pattern, form)));
		if (line !== undefined) return factsOf(line);
	}
	return undefined;
}

const local: ReadonlySet<string> = new Set(['offline', 'scripted', 'ollama', 'lmstudio', 'llama.cpp']);
const free: Prices = [{input: 0, output: 0}];

/** As `scripts/catalogue.mjs` writes them. */
type Line = readonly [names: readonly string[], window: number, steps?: ReadonlyArray<readonly unknown[]>];

/** The name as it is, with its date written the other way, and without its date. */
function formsOf(name: string): readonly string[] {
	return [
		name,
		name.replace(/-(20\d\d)([01]\d)([0-3]\d)$/u, '-$1-$2-$3'),
		name.replace(/[-@]20\d\d-?[01]\d-?[0-3]\d$/u, ''),
	];
}

function matches(pattern: string, name: string): boolean {
	if (pattern.startsWith('/')) return new RegExp(pattern.slice(1, -1), 'u').test(name);
	const [before, after] = [pattern.startsWith('*'), pattern.endsWith('*')];
	const text = pattern.slice(before ? 1 : 0, after ? -1 : undefined).toLowerCase();
	if (before) return after ? name.includes(text) : name.endsWith(text);
	return after ? name.startsWith(text) : name === text;
}

function factsOf([, window, steps = []]: Line): ModelFacts {
	return {...(window > 0 && {window}), ...(steps.length > 0 && {prices: steps.map(stepOf)})};
}

function stepOf(step: readonly unknown[]): PriceStep {
	const [from, above] = step.slice(4) as [string | null | undefined, ReadonlyArray<number | null> | undefined];
	return {
		...ratesOf(step as ReadonlyArray<number | null>),
		...(typeof from === 'string' && {from}),
		...(above !== undefined && {above: {tokens: above[0]!, ...ratesOf(above.slice(1))}}),
	};
}

function ratesOf([input, output, cacheRead, cacheWrite]: ReadonlyArray<number | null>): Rates {
	return {
		input: input!,
		output: output!,
		...(typeof cacheRead === 'number' && {cacheRead}),
		...(typeof cacheWrite === 'number' && {cacheWrite}),
	};
}
