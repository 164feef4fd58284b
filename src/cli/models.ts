import {homeProblem, keySourceText, listKnownModels, loadConfig, type Env} from '../pod/index.ts';
import type {ModelInfo} from '../pod/protocol.ts';
import {formatCount, formatPrice} from '../text/formats.ts';
import {sanitizeLine} from '../text/sanitize.ts';
import {cut, pad} from '../text/width.ts';
import {columnWidths} from './output/output.ts';
import {inertJson} from './output/output.ts';
import type {Output} from './sessions.ts';
import {modelColumns} from './texts.ts';

type ModelsOptions = {
	readonly json: boolean;
	readonly env: Env;
	readonly stdout: Output;
	readonly stderr: Output;
};

/**
Implements `inkpod models`: lists the models, usable models first. It asks only the servers on this machine. Returns the
exit code.
*/
export async function models({json, env, stdout, stderr}: ModelsOptions): Promise<number> {
	const refuse = (sentence: string) => {
		stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
		return 2;
	};
	const problem = await homeProblem(env);
	if (problem !== undefined) return refuse(problem);
	const loaded = await loadConfig(env);
	if (!loaded.ok) return refuse(loaded.sentence);
	const found = await listKnownModels({env, config: loaded.config}, true);
	stdout.write(json ? `${inertJson(found, 2)}\n` : table(found));
	return 0;
}

function table(found: readonly ModelInfo[]): string {
	const rows = found.map(cellsOf);
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

function cellsOf({name, window, price, missing, keyVariable, keyPlace, isLocal, efforts}: ModelInfo): string[] {
	const local = isLocal === true ? modelColumns.thisMachine : '';
	return [
		name,
		window === undefined ? '' : formatCount(window),
		price === undefined || isLocal === true ? '' : formatPrice(price),
		missing ?? keyVariable ?? (keyPlace === undefined ? local : keySourceText({kind: keyPlace})),
		efforts.join(' '),
	].map(cell => cut(sanitizeLine(cell), maxCells, '…'));
}

const columns = 4;
const maxCells = 60;
