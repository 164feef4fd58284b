import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const listPath = 'src/pod/models/known-models.json';

/**
Returns the text of the list. The same package gives the same bytes.

`providers` lists the models of each provider, one per line: `[id, name, window, output, abilities, efforts, prices]`.
- `window` and `output` are tokens; 0 is unknown.
- `abilities` has `i` for images.
- `efforts` are the levels of reasoning, separated by spaces; empty for a model that does not reason.
- `prices` are `[input, output, cacheRead, cacheWrite]` in USD per million tokens. They are empty if unknown.
*/
export function knownModelsText(directory) {
	const {name, version, license} = readJson(path.join(directory, 'package.json'));
	const {generatedAt} = readJson(path.join(directory, 'dist/providers/data/.manifest.json'));
	const providers = Object.entries(files).map(([provider, file]) => {
		const groups = readJson(path.join(directory, `dist/providers/data/${file}.json`));
		const models = Object.entries(groups).flatMap(([api, group]) =>
			isOurWire(provider, api) ? Object.values(group) : [],
		);
		const lines = models
			.filter(isChat)
			.filter(isLatest)
			.map(model => `\t\t${JSON.stringify(lineOf(model))}`);
		return `\t"${provider}": [\n${lines.join(',\n')}\n\t]`;
	});
	const source = JSON.stringify(`${name} ${version}, ${license} licence, data of ${generatedAt.slice(0, 10)}`);
	return `{"source": ${source},\n"providers": {\n${providers.join(',\n')}\n}}\n`;
}

/** The package's file of each provider. */
const files = {
	anthropic: 'anthropic',
	openai: 'openai',
	google: 'google',
	openrouter: 'openrouter',
	deepseek: 'deepseek',
	kimi: 'moonshotai',
	groq: 'groq',
	cerebras: 'cerebras',
	mistral: 'mistral',
	xai: 'xai',
	together: 'together',
	fireworks: 'fireworks',
};

/** Fireworks has models that only its other API serves. OpenRouter serves all of its models over both. */
function isOurWire(provider, api) {
	return provider !== 'fireworks' || api === 'openai-completions';
}

/** Excludes models for images, sound and research, and models that operate a screen. */
function isChat({id}) {
	return !/audio|-image|realtime|-live|deep-research|computer-use|transcribe|tts/u.test(id);
}

/** Excludes a dated snapshot if the list has its model. */
function isLatest({id}, _index, models) {
	const base = id.replace(/-(?:20\d\d-\d\d-\d\d|20\d{6})$/u, '');
	return base === id || !models.some(model => model.id === base);
}

function lineOf({id, name, contextWindow = 0, maxTokens = 0, input = [], cost, ...model}) {
	const prices = [cost.input, cost.output, cost.cacheRead, cost.cacheWrite];
	const isPriced = prices.some(price => price > 0);
	const abilities = input.includes('image') ? 'i' : '';
	return [id, name, contextWindow, maxTokens, abilities, effortsOf(model).join(' '), isPriced ? prices : []];
}

/** Maps our names of the levels to the package's names. */
const levels = {none: 'off', minimal: 'minimal', low: 'low', medium: 'medium', high: 'high', max: 'max'};

/** A level that the package does not mention is supported, except the highest. */
function effortsOf({reasoning, thinkingLevelMap: map = {}}) {
	if (!reasoning) return [];
	return Object.keys(levels).filter(level => {
		const mapped = level === 'max' ? (map.max ?? map.xhigh) : map[levels[level]];
		return level === 'max' ? typeof mapped === 'string' : mapped !== null;
	});
}

function readJson(file) {
	return JSON.parse(readFileSync(file, 'utf8'));
}

// Writes the list of known models from an unpacked package @earendil-works/pi-ai (`npm pack`, then `tar xzf`).
// Usage: node scripts/known-models.mjs DIRECTORY
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	const [directory] = process.argv.slice(2);
	if (directory === undefined) throw new Error('Usage: node scripts/known-models.mjs DIRECTORY');
	writeFileSync(path.join(root, listPath), knownModelsText(directory));
}
