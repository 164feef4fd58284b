import {hasHalves, type Item} from '../../worker/index.ts';
import {verifyTexts} from './texts.ts';

/** Returns why other programs, such as jq, refuse an item that inkpod reads. */
export function jsonProblem(item: Item): string | undefined {
	if (isDeep(item, maxLevels)) return verifyTexts.deep;
	return hasHalves(item) ? verifyTexts.halves : undefined;
}

function isDeep(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return levels === 0 || Object.values(value).some(inner => isDeep(inner, levels - 1));
}

/** jq 1.6 reads 256 levels. The list of items and the file are two of them. */
const maxLevels = 250;
