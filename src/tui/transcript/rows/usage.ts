import type {Cost, RunEnd} from '../../../pod/protocol.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Span} from '../../text/span.ts';
import type {Style} from '../../text/theme.ts';
import type {BlockOf, RunTotals} from '../fold/block.ts';
import {formatCost, formatCount, formatDuration, plural} from '../../text/formats.ts';
import type {Renderer} from './parts/render.ts';

/**
The last row of a turn: model, tokens, share from cache, cost, time, and how the run ended unless it simply finished.
One row a run: that of a call that goes on with tools, or that failed and was tried again, is drawn in the detail
view only.
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

/** What a run used and how it ended, as a screen reader says it. */
export function usageWords(block: BlockOf<'usage'>): string {
	const used = block.run.requests === 0 ? [] : usedFacts(block.run);
	const end = endOf(block, used.length > 0);
	return `Usage: ${[...used, ...(end === undefined ? [] : [end.text])].join(', ')}`;
}

function usedFacts({model, requests, input, output, cacheRead, ms, cost}: RunTotals): readonly string[] {
	const cache =
		cacheRead !== undefined && input !== undefined && cacheRead > 0 && input > 0
			? ` (${Math.round((100 * Math.min(cacheRead, input)) / input)} % from cache)`
			: '';
	return [
		sanitizeLine(model),
		...(requests > 1 ? [plural(requests, 'request')] : []),
		...(input === undefined ? [] : [`${formatCount(input)} in${cache}`]),
		...(output === undefined ? [] : [`${formatCount(output)} out`]),
		...(cost === undefined ? [] : costWords(cost)),
		formatDuration(ms),
	];
}

/** What runs on the person's machine costs nothing, and is not told of. */
function costWords(cost: Cost): readonly string[] {
	if (cost.usd === 0) return cost.unknown === 0 ? [] : ['cost unknown'];
	return [formatCost(cost)];
}

/** How a run ended, where that is worth a word; a run that used nothing always says it. */
function endOf(
	{item, end}: BlockOf<'usage'>,
	hasUsed: boolean,
): {readonly text: string; readonly style: Style} | undefined {
	if (end !== undefined && end.outcome !== 'finished') {
		const {words, style} = outcomes[end.outcome];
		return {text: `${words}${end.cause === undefined ? '' : `: ${sanitizeLine(end.cause)}`}`, style};
	}
	const stop = item === undefined ? undefined : stops[item.stop];
	if (stop !== undefined) return {text: stop, style: 'warn'};
	return hasUsed ? undefined : {text: 'finished', style: 'dim'};
}

const outcomes: {
	readonly [Outcome in Exclude<RunEnd['outcome'], 'finished'>]: {readonly words: string; readonly style: Style};
} = {
	limit: {words: 'stopped at the limit', style: 'warn'},
	cancelled: {words: 'cancelled', style: 'warn'},
	paused: {words: 'paused', style: 'warn'},
	error: {words: 'failed', style: 'error'},
};

/** How a model call stopped, where that is worth a word. */
const stops: {readonly [stop: string]: string | undefined} = {
	length: 'stopped at the output limit',
	refused: 'refused by the provider',
	aborted: 'stopped',
	cut: 'the stream broke off',
	error: 'failed',
};
