import type {Cost, ModelSpending, Spending} from '../../../pod/protocol.ts';
import {formatCost, formatCount} from '../../../text/formats.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {besideLine, blankLine, columnOf, namedLine} from './page-lines.ts';
import type {PageLine, TextPage} from '../../model/pages/text-page.ts';
import {costTexts, pageTitles, requestCount} from '../../model/pages/texts.ts';

/** Returns the page about the tokens and the cost of a session, by model. */
export function costPage({models, unfinished}: Spending): TextPage {
	const names = models.map(({model}) => nameOf(model));
	const column = columnOf([...names, nameOf(costTexts.total)]);
	const note = (text: string): readonly PageLine[] => [blankLine, {spans: [{text, style: 'dim'}]}];
	const lines: readonly PageLine[] =
		models.length === 0
			? [blankLine, {spans: [{text: costTexts.none}]}]
			: [
					blankLine,
					...models.flatMap(spending => modelLines(spending, column)),
					...(models.length === 1 ? [] : [blankLine, totalLine(models, column)]),
					...(unfinished === undefined ? [] : note(costTexts.unfinished(unfinished.compactions))),
					...(models.some(isPartly) ? note(costTexts.atLeast) : []),
				];
	return {kind: 'text', title: pageTitles.cost, top: 0, lines};
}

function modelLines(spending: ModelSpending, column: number): readonly PageLine[] {
	const {model, requests, cost} = spending;
	return [
		namedLine(nameOf(model), column, [{text: costOf(cost), style: 'bold'}, {text: ` · ${requestCount(requests)}`}]),
		besideLine(column, [{text: tokensOf(spending), style: 'dim'}]),
	];
}

function totalLine(models: readonly ModelSpending[], column: number): PageLine {
	const sum = models.reduce(
		(all, {cost}) => ({
			usd: all.usd + cost.usd,
			known: all.known + cost.known,
			unknown: all.unknown + cost.unknown,
		}),
		{usd: 0, known: 0, unknown: 0},
	);
	return namedLine(nameOf(costTexts.total), column, [{text: costOf(sum), style: 'bold'}]);
}

function costOf(cost: Cost): string {
	return cost.known === 0 ? costTexts.unknown : formatCost(cost);
}

/** Returns a text such as `≥ 12k input (9k cached) · 340 output`. */
function tokensOf({input, output, cacheRead, cacheWrite, uncounted}: ModelSpending): string {
	if (input === undefined && output === undefined) return costTexts.noTokens;
	const amount = (tokens: number) => `${uncounted > 0 ? '≥ ' : ''}${formatCount(tokens)}`;
	const inside = [
		...(cacheRead === undefined || cacheRead === 0 ? [] : [costTexts.cached(amount(cacheRead))]),
		...(cacheWrite === undefined || cacheWrite === 0 ? [] : [costTexts.cacheWritten(amount(cacheWrite))]),
	];
	const cached = inside.length === 0 ? '' : ` (${inside.join(', ')})`;
	return [
		...(input === undefined ? [] : [`${costTexts.input(amount(input))}${cached}`]),
		...(output === undefined ? [] : [costTexts.output(amount(output))]),
	].join(' · ');
}

function isPartly({cost, uncounted}: ModelSpending): boolean {
	return uncounted > 0 || (cost.unknown > 0 && cost.known > 0);
}

function nameOf(model: string): string {
	return `  ${model === '' ? costTexts.unknownModel : sanitizeLine(model)}`;
}
