import {answerEnd, type Cost, type RequestItem} from '../../pod/protocol.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Span, Style} from '../../text/span.ts';
import type {BlockOf, RunTotals, View} from '../../transcript/block.ts';
import {formatCost, formatDuration, plural} from '../../text/formats.ts';
import type {Row} from '../spans/row.ts';
import {textRows} from './parts/long-text.ts';
import {bodyLayout, showsAll, type Head, type RenderContext, type Renderer} from './parts/render.ts';
import {
	answerLost,
	costUnknown,
	exactRequest,
	finished,
	inputTokens,
	otherKey,
	outcomes,
	outputTokens,
	requestSent,
	rewriteWords,
	spokenLabels,
	stopText,
	turnTime,
} from '../../transcript/texts.ts';

/**
Renders the last row of a turn: the time, the tokens, the cached share, the cost, and an unusual end of the run. Each
run has one such row. Requests that continued with tools or were retried have a row only in the detail view. A request
whose answer was lost has a row in other views, too.
*/
export const usageRenderer: Renderer<'usage'> = {
	apart: true,
	folds: false,
	hidden: ({item, end, lost, run, waits}) =>
		waits === true
			? run.requests === 0
			: end === undefined && lost === undefined && (isSent(item) || continues(item)),
	head(block, context) {
		const view = showsAll(context) ? 'detail' : 'normal';
		if (isSent(block.item) && block.lost === undefined) return sentHead(block.item);
		const own = (view === 'detail' ? block.own : undefined) ?? block.run;
		const facts = own.requests === 0 ? [] : usedFacts(block, view, own);
		const used: Span[] = facts.length === 0 ? [] : [{text: facts.join(' · '), style: 'dim'}];
		const end = (context.isSpoken === true ? endOf : shownEndOf)(block, used.length > 0);
		return {
			gutter: {text: '  '},
			spans: [...used, ...(end === undefined ? [] : [{...end, text: (used.length > 0 ? ' · ' : '') + end.text}])],
		};
	},
	body: (block, context) => (showsAll(context) && isSent(block.item) ? rewriteRows(block.item, context) : []),
};

/** Returns the rules by which inkpod changed items for this request, and the ids of these items. */
function rewriteRows({id, rewrites = []}: RequestItem, context: RenderContext): readonly Row[] {
	const lines = rewrites.map(({rule, where, more}) => rewriteWords(rule, where, more));
	return textRows([...lines, exactRequest(id)].join('\n'), bodyLayout(context), () => 'dim');
}

function isSent(item: BlockOf<'usage'>['item']): item is RequestItem {
	return item?.type === 'request' && answerEnd(item) === undefined;
}

function continues(item: BlockOf<'usage'>['item']): boolean {
	const stop = answerEnd(item)?.stop;
	return stop === 'tool_calls' || stop === 'error';
}

function sentHead({model}: RequestItem): Head {
	return {gutter: {text: '  '}, spans: [{text: `${sanitizeLine(model)} · ${requestSent}`, style: 'dim'}]};
}

/** Returns the usage and the end of a run for a screen reader. */
export function usageWords(block: BlockOf<'usage'>): string {
	const used = block.run.requests === 0 ? [] : usedFacts(block, 'normal');
	const end = endOf(block, used.length > 0);
	return `${spokenLabels.usage}: ${[...used, ...(end === undefined ? [] : [end.text])].join(', ')}`;
}

/**
Returns texts about the usage of a run. The detail view also names the model and the number of requests. In other views,
the status line and the context page show them.
*/
function usedFacts({run, end, lost}: BlockOf<'usage'>, view: View, used: RunTotals = run): readonly string[] {
	const {model, requests, input, output, cacheRead, cost} = used;
	const isCached = cacheRead !== undefined && input !== undefined && cacheRead > 0 && input > 0;
	const cache = isCached ? Math.min(cacheRead, input) / input : undefined;
	const isDetail = view === 'detail';
	return [
		...(isDetail && model !== '' ? [sanitizeLine(model)] : []),
		...(isDetail && requests > 1 ? [plural(requests, 'request')] : []),
		...(lost === true && used.ms === 0 ? [] : [timeWords(used, used === run ? end : undefined)]),
		...(input === undefined ? [] : [inputTokens(input, cache)]),
		...(output === undefined ? [] : [outputTokens(output)]),
		...(cost === undefined ? [] : costWords(cost, isDetail)),
	];
}

/**
Returns the time of a turn. If the turn took much longer than its model calls, the text also contains the time of the
model calls.
*/
function timeWords({ms, startedAt}: RunTotals, end: BlockOf<'usage'>['end']): string {
	const whole = startedAt === undefined || end === undefined ? ms : Date.parse(end.at) - Date.parse(startedAt);
	const isMuchMore = whole > ms * 1.5 && whole - ms >= 2000;
	return isMuchMore ? turnTime(formatDuration(whole), formatDuration(ms)) : formatDuration(Math.max(whole, ms));
}

/**
Returns the cost. No cost is shown for a local model, which costs nothing. An unknown cost is mentioned only in the
detail view.
*/
function costWords(cost: Cost, isDetail: boolean): readonly string[] {
	if (cost.usd === 0) return cost.unknown === 0 || !isDetail ? [] : [costUnknown];
	return [formatCost(cost)];
}

type End = {readonly text: string; readonly style: Style};

/** Returns the end for a screen. If a notice below the turn says that the turn was interrupted, returns `undefined`. */
function shownEndOf(block: BlockOf<'usage'>, hasUsed: boolean): End | undefined {
	return block.waits === true && block.lost === undefined ? undefined : endOf(block, hasUsed);
}

/**
Returns a text about the end of a run, unless the run ended normally. A run without usage always has such a text. The
result does not depend on `waits`. That value changes twice, and a screen reader would read the line again after each
change.
*/
function endOf({item, end, lost}: BlockOf<'usage'>, hasUsed: boolean): End | undefined {
	const ending = endOfRun(end);
	if (lost === true)
		return {text: [answerLost, ...(ending === undefined ? [] : [ending.text])].join(' · '), style: 'warn'};
	if (ending !== undefined) return ending;
	const {stop} = answerEnd(item) ?? {};
	const text = stop === undefined ? undefined : stopText(stop);
	if (text !== undefined) return {text, style: 'warn'};
	return hasUsed ? undefined : {text: finished, style: 'dim'};
}

function endOfRun(end: BlockOf<'usage'>['end']): End | undefined {
	if (end !== undefined && end.outcome !== 'finished') {
		const cause = end.cause === undefined ? '' : `: ${sanitizeLine(end.cause)}`;
		const remedy = end.keyRefused === true ? ` (${otherKey})` : '';
		return {text: outcomes[end.outcome] + remedy + cause, style: end.outcome === 'error' ? 'error' : 'warn'};
	}
	if (end?.cause !== undefined) return {text: sanitizeLine(end.cause), style: 'warn'};
	return undefined;
}
