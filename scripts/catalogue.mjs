import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The catalogue's path, from the root. */
export const cataloguePath = 'src/pod/ground/counts/catalogue.json';

/**
Returns the text of the catalogue, made from the data package @pydantic/genai-prices. The same package gives the same
bytes.

`providers` lists the models of each provider, one per line, in the package's order: `[names, window, prices]`. The
first line that matches a model applies.
- A name is exact, has `*` at its start or end for any further text, or is a /regular expression/.
- A window of 0 is unknown.
- Prices are lists that apply from a date on: `[input, output, cacheRead, cacheWrite, from, above]`, in USD per million
  tokens. `from` is the first day of later prices. `above` is `[tokens, input, output, cacheRead, cacheWrite]`: the
  prices of longer inputs. Unknown values are null, and the list omits them at its end.
*/
export async function catalogueText() {
	const {findProvider} = await import('@pydantic/genai-prices');
	const {name, version, license} = JSON.parse(
		readFileSync(path.join(root, 'node_modules/@pydantic/genai-prices/package.json'), 'utf8'),
	);
	const copyright = readFileSync(path.join(root, 'node_modules/@pydantic/genai-prices/LICENSE'), 'utf8').match(
		/^Copyright.*$/mu,
	)[0];
	const providers = Object.entries(wanted).map(([provider, isWanted]) => {
		const lines = findProvider({providerId: provider})
			.models.filter(model => isChat(model) && isWanted(model))
			.map(model => `\t\t${JSON.stringify(lineOf(model))}`);
		return `\t"${provider}": [\n${lines.join(',\n')}\n\t]`;
	});
	const source = JSON.stringify(`${name} ${version}, ${license} licence, ${copyright}`);
	return `{"source": ${source},\n"providers": {\n${providers.join(',\n')}\n}}\n`;
}

/**
The providers in the catalogue. OpenRouter has hundreds of models: the catalogue omits those with an unknown window, and
OpenRouter reports them itself.
*/
const wanted = {
	anthropic: () => true,
	openai: () => true,
	google: ({id}) => !id.startsWith('claude'),
	openrouter: model => model.context_window !== undefined,
};

/** Excludes models for images, sound, embeddings, moderation, and completion without a conversation. */
function isChat({id, prices, context_window: window}) {
	if (otherKinds.test(id) || completionOnly.test(id)) return false;
	return window !== undefined || pricesOf(prices).length > 0;
}

const otherKinds = /audio|image|realtime|transcribe|tts|live|omni|embedding|moderation|whisper/u;
const completionOnly = /^(?:ada|babbage|curie|davinci|text-davinci.*)$/u;

function lineOf({match, context_window: window, prices}) {
	return trimmed([namesOf(match), window ?? 0, pricesOf(prices)]);
}

function namesOf(match) {
	if ('or' in match) return match.or.flatMap(namesOf);
	if ('and' in match) return [`/^${match.and.map(part => `(?=${patternOf(part)})`).join('')}/`];
	if ('regex' in match) return [`/${match.regex}/`];
	if ('equals' in match) return [match.equals];
	if ('starts_with' in match) return [`${match.starts_with}*`];
	if ('ends_with' in match) return [`*${match.ends_with}`];
	return [`*${match.contains}*`];
}

function patternOf(match) {
	if ('regex' in match) return match.regex.replace(/^\^/u, '');
	if ('starts_with' in match) return match.starts_with.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&');
	throw new Error(`a match that the catalogue cannot express: ${JSON.stringify(match)}`);
}

const rates = ['input_mtok', 'output_mtok', 'cache_read_mtok', 'cache_write_mtok'];

function pricesOf(prices) {
	const steps = Array.isArray(prices) ? prices : [{prices}];
	if (steps.some(step => step.prices.input_mtok === undefined || step.prices.output_mtok === undefined)) return [];
	return steps.map(step =>
		trimmed([...rates.map(rate => base(step.prices[rate])), dateOf(step.constraint), aboveOf(step.prices)]),
	);
}

function base(price) {
	return typeof price === 'object' ? price.base : (price ?? null);
}

function dateOf(constraint) {
	if (constraint !== undefined && constraint.type !== 'start_date')
		throw new Error(`a constraint that the catalogue cannot express: ${JSON.stringify(constraint)}`);
	return constraint?.start_date ?? null;
}

function aboveOf(prices) {
	const starts = new Set(rates.flatMap(rate => prices[rate]?.tiers ?? []).map(({start}) => start));
	if (starts.size === 0) return null;
	const [start] = starts;
	if (starts.size > 1) throw new Error(`tiers that the catalogue cannot express: ${JSON.stringify(prices)}`);
	return trimmed([start, ...rates.map(rate => prices[rate]?.tiers?.[0].price ?? base(prices[rate]))]);
}

function trimmed(list) {
	const length = list.findLastIndex(value => value !== null && !(Array.isArray(value) && value.length === 0)) + 1;
	return list.slice(0, length);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
	writeFileSync(path.join(root, cataloguePath), await catalogueText());
