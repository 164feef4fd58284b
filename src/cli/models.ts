import {
	chooseCompleted,
	createModelList,
	homeProblem,
	keySourceText,
	loadConfig,
	type Env,
	type ModelWishes,
} from '../pod/index.ts';
import {isOnlyKnown, type ModelInfo} from '../pod/protocol.ts';
import {formatCount, formatPrice} from '../text/formats.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {cut, pad} from '../text/width.ts';
import {columnWidths} from './output/output.ts';
import {inertJson} from './output/output.ts';
import type {Output} from './sessions.ts';
import {modelColumns, moreModels} from './texts.ts';

type ModelsOptions = {
	/** Whether the list also has the models without an API key. */
	readonly all: boolean;
	readonly json: boolean;
	readonly env: Env;
	readonly stdout: Output;
	readonly stderr: Output;
};

/**
Implements `inkpod models`: lists the models that the user can use, in the order of the page in the chat. It asks the
servers on this machine and the user's own servers. The default model of a new session is first. Returns the exit code.
*/
export async function models({all, json, env, stdout, stderr}: ModelsOptions): Promise<number> {
	const refuse = (sentence: string) => {
		stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
		return 2;
	};
	const problem = await homeProblem(env);
	if (problem !== undefined) return refuse(problem);
	const loaded = await loadConfig(env);
	if (!loaded.ok) return refuse(loaded.sentence);
	const sources = {env, config: loaded.config};
	const [found, choice] = await Promise.all([listSoon(sources), chooseCompleted(sources)]);
	const usual = choice.ok ? choice.name : undefined;
	const sorted = found.toSorted((one, other) => Number(other.name === usual) - Number(one.name === usual));
	const shown = all ? sorted : sorted.filter(model => model.name === usual || !isOnlyKnown(model));
	const rest = sorted.length - shown.length;
	if (json) stdout.write(`${inertJson(shown, 2)}\n`);
	else stdout.write(table(shown, usual) + (rest === 0 ? '' : `${moreModels(rest)}\n`));
	return 0;
}

/** Lists the models that servers report soon, and ends the requests to the other servers. */
async function listSoon(sources: Pick<ModelWishes, 'env' | 'config'>): Promise<readonly ModelInfo[]> {
	const ended = new AbortController();
	const found = await createModelList(sources, ended.signal)('soon');
	ended.abort();
	return found;
}

function table(found: readonly ModelInfo[], usual: string | undefined): string {
	const rows = found.map(model => cellsOf(model, model.name === usual));
	const widths = columnWidths(rows, columns).map(size => Math.min(maxCells, size));
	return rows
		.map(
			cells =>
				`${cells
					.map((cell, column) => pad(cell, widths[column] ?? 0))
					.join('  ')
					.trimEnd()}\n`,
		)
		.join('');
}

function cellsOf(model: ModelInfo, isUsual: boolean): string[] {
	const {name, window, price, missing, keyVariable, keyPlace, isLocal, efforts} = model;
	const local = isLocal === true ? modelColumns.thisMachine : '';
	const source = missing ?? keyVariable ?? (keyPlace === undefined ? local : keySourceText({kind: keyPlace}));
	return [
		name,
		window === undefined ? '' : formatCount(window),
		price === undefined || isLocal === true ? '' : formatPrice(price),
		[source, isUsual ? modelColumns.usual : ''].filter(Boolean).join(', '),
		efforts.join(' '),
	].map(cell => cut(sanitizeLine(cell), maxCells, '…'));
}

const columns = 4;
const maxCells = 60;
