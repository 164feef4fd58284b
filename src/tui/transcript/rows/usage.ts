import type {Cost} from '../../../pod/protocol.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Span} from '../../text/span.ts';
import type {Style} from '../../text/theme.ts';
import type {BlockOf, RunTotals} from '../fold/block.ts';
import {formatCost, formatDuration, plural} from '../../text/formats.ts';
import type {Renderer} from './parts/render.ts';
import {costUnknown, finished, inputTokens, outcomes, outputTokens, spokenLabels, stopText} from '../texts.ts';

/**
Renders the last row of a turn: model, tokens, cached share, cost, time, and an unusual end of the run. Each run has one
such row. Requests that continued with tools or were retried appear only in the detail view.
*/
export const usageRenderer: Renderer<'usage'> = {
	apart: false,
	folds: false,
	hidden: ({item, end}) => end === undefined && (item?.stop === 'tool_calls' || item?.stop === 'error'),
	head(block, {view}) {
		const own = (view === 'detail' ? block.own : undefined) ?? block.run;
		const used: Span[] = own.requests === 0 ? [] : [{text: usedFacts(own).join(' · '), style: 'dim'}];
		const end = endOf(block, used.length > 0);
		return {
			gutter: {text: '  '},
			spans: [...used, ...(end === undefined ? [] : [{...end, text: (used.length > 0 ? ' · ' : '') + end.text}])],
		};
	},
	body: () => [],
};

/** Returns the usage and the end of a run for a screen reader. */
export function usageWords(block: BlockOf<'usage'>): string {
	const used = block.run.requests === 0 ? [] : usedFacts(block.run);
	const end = endOf(block, used.length > 0);
	return `${spokenLabels.usage}: ${[...used, ...(end === undefined ? [] : [end.text])].join(', ')}`;
}

function usedFacts({model, requests, input, output, cacheRead, ms, cost}: RunTotals): readonly string[] {
	const isCached = cacheRead !== undefined && input !== undefined && cacheRead > 0 && input > 0;
	const cache = isCached ? Math.min(cacheRead, input) / input : undefined;
	return [
		sanitizeLine(model),
		...(requests > 1 ? [plural(requests, 'request')] : []),
		...(input === undefined ? [] : [inputTokens(input, cache)]),
		...(output === undefined ? [] : [outputTokens(output)]),
		...(cost === undefined ? [] : costWords(cost)),
		formatDuration(ms),
	];
}

/** A local model costs nothing, so its cost is not shown. */
function costWords(cost: Cost): readonly string[] {
	if (cost.usd === 0) return cost.unknown === 0 ? [] : [costUnknown];
	return [formatCost(cost)];
}

/** Returns how a run ended, unless it ended normally. A run without usage always shows its end. */
function endOf(
	{item, end}: BlockOf<'usage'>,
	hasUsed: boolean,
): {readonly text: string; readonly style: Style} | undefined {
	if (end !== undefined && end.outcome !== 'finished') {
		const cause = end.cause === undefined ? '' : `: ${sanitizeLine(end.cause)}`;
		return {text: outcomes[end.outcome] + cause, style: end.outcome === 'error' ? 'error' : 'warn'};
	}
	if (end?.cause !== undefined) return {text: sanitizeLine(end.cause), style: 'warn'};
	const stop = item === undefined ? undefined : stopText(item.stop);
	if (stop !== undefined) return {text: stop, style: 'warn'};
	return hasUsed ? undefined : {text: finished, style: 'dim'};
}
