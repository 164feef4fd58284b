import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Where the catalogue lies, from the root. */
export const cataloguePath = 'src/pod/context/catalogue.json';

/**
The text of the catalogue, made of the data package @pydantic/genai-prices: the same package gives the same bytes.

`providers` holds for each of ours its models, a line each, in the package's order, of which the first that matches
counts:
`[names, window, prices]`. A name is written whole, with `*` at its ends where more may stand there, or as /a regular
expression/; a window of 0 is unknown. Prices are steps in the order of their dates: `[input, output, cacheRead,
cacheWrite, from, above]`, USD per million tokens; `from` is the day of a step that is not the first; `above` is
`[tokens, input, output, cacheRead, cacheWrite]`:
what a request costs whose input is longer. What is not known is null, and left out at the end of a list.
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
	return `{"source": ${JSON.stringify(`${name} ${version}, ${license} licence, ${copyright}`)},\n"providers": {\n${providers.join(',\n')}\n}}\n`;
}

/** Our providers. Of the hundreds that OpenRouter names, those whose window is known; the others it tells itself. */
const wanted = {
	anthropic: () => true,
	openai: () => true,
	google: ({id}) => !id.startsWith('claude'),
	openrouter: model => model.context_window !== undefined,
};

/** Not what makes or hears pictures and sound, embeds, or completes without a conversation. */
function isChat({id, prices, context_window: window}) {
	if (
		/audio|image|realtime|transcribe|tts|live|omni|embedding|moderation|whisper|^(?:ada|babbage|curie|davinci|text-davinci.*)$/u.test(
			id,
		)
	)
		return false;
	return window !== undefined || pricesOf(prices).length > 0;
}

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
	throw new Error(`a match that the catalogue cannot say: ${JSON.stringify(match)}`);
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
		throw new Error(`a constraint that the catalogue cannot say: ${JSON.stringify(constraint)}`);
	return constraint?.start_date ?? null;
}

function aboveOf(prices) {
	const starts = new Set(rates.flatMap(rate => prices[rate]?.tiers ?? []).map(({start}) => start));
	if (starts.size === 0) return null;
	const [start] = starts;
	if (starts.size > 1) throw new Error(`tiers that the catalogue cannot say: ${JSON.stringify(prices)}`);
	return trimmed([start, ...rates.map(rate => prices[rate]?.tiers?.[0].price ?? base(prices[rate]))]);
}

function trimmed(list) {
	const length = list.findLastIndex(value => value !== null && !(Array.isArray(value) && value.length === 0)) + 1;
	return list.slice(0, length);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
	writeFileSync(path.join(root, cataloguePath), await catalogueText());
