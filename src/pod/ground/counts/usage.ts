import {answerEnd, answerStart, foldOf, lastSetup, type Item, type Setup, type Usage} from '../../../worker/index.ts';
import {wholeUsage} from '../../protocol/whole-usage.ts';
import {mediaIn} from '../history/media-of.ts';
import type {Projection} from './context-sum.ts';
import {changesContext, estimateItem, estimateRequest, mediaTokens, textsOf} from './estimate.ts';
import {countsAnswer, mayCut, truncatedRequest} from './cut-notice.ts';
import {inputOf, maxRatio, minRatio, serverCounts, type CountsSetting, type Cut} from './server-counts.ts';

/**
The number of tokens of a request. `exact`: the provider counted all of them. Otherwise some of them are estimated, and
`≈` precedes the number.
*/
export type ContextSize = {readonly tokens: number; readonly exact: boolean};

/**
What a token count of the current model measures. `whole`: the whole prompt. `uncached`: the part of the prompt that the
server had not cached. `estimate`: inkpod uses its own estimate, because the counts are not comparable, or the server
dropped the beginning of the prompt.
*/
export type CountKind = 'whole' | 'uncached' | 'estimate';

/**
Returns the kind of the next count. `setting` is the user's setting. The user's answer in the history has precedence
over it.
*/
export function countKind(items: readonly Item[], setting?: CountsSetting): CountKind {
	const own = countsAnswer(items) === 'ignore' ? 'ignore' : setting;
	if (own === 'ignore') return 'estimate';
	const counts = serverCounts(items);
	if (own === 'uncached') return 'uncached';
	if (own === undefined && counts?.kind === 'uncached') return 'uncached';
	return counts?.cut !== undefined && mayCut(lastSetup(items)) ? 'estimate' : 'whole';
}

/**
Returns the number of tokens of the next request, or `undefined` if there is nothing to send. The provider's last count
covers the items up to its answer, and is exact. Later items are only estimated. Estimates are scaled
(`calibratedRatio`). Everything is estimated after another setup, a compaction, a rewind or a drop, or if the provider
does not count the whole prompt.
*/
export function contextSize(
	items: readonly Item[],
	project: Projection,
	setting?: CountsSetting,
): ContextSize | undefined {
	const setup = lastSetup(items);
	if (setup === undefined) return undefined;
	if (countKind(items, setting) !== 'whole') return {tokens: estimatedSize(items, project, setting), exact: false};
	const counted = countedSize(items);
	if (counted !== undefined) return counted;
	const {at, usage} = lastCounted(items);
	if (usage === undefined || items.slice(at + 1).some(changesContext))
		return {tokens: estimatedSize(items, project, setting), exact: false};
	const {input = 0, output} = usage;
	const added = estimateItems(items.slice(output === undefined ? answerStart(items, at) : at + 1), setup);
	const ratio = calibratedRatio(items, project, setting);
	return {tokens: input + (output ?? 0) + Math.round(ratio * added), exact: false};
}

/**
Returns the size for decisions, such as whether to compact and how much room is left. The size is the larger of the
provider's count and the calibrated estimate, because a count may leave something out.
*/
export function requestSize(items: readonly Item[], project: Projection, setting?: CountsSetting): number {
	const size = contextSize(items, project, setting);
	return size === undefined ? 0 : Math.max(size.tokens, estimatedSize(items, project, setting));
}

/** Returns the same size as `contextSize`, but only if the provider has counted everything. Estimates no text. */
export function countedSize(items: readonly Item[]): ContextSize | undefined {
	const {at, usage} = lastCounted(items);
	const {input, output} = usage ?? {};
	if (
		input === undefined ||
		output === undefined ||
		items.slice(at + 1).some(item => changesContext(item) || textsOf(item).length > 0)
	)
		return undefined;
	return {tokens: input + output, exact: true};
}

/** Tells, without an estimate, whether the last count certainly covers the whole prompt. */
export function isCountTrusted(items: readonly Item[]): boolean {
	return !mayCut(lastSetup(items)) || (lastCounted(items).usage?.cacheRead ?? 0) > 0;
}

/**
Returns the number of the provider's tokens for each estimated token. This number is the ratio of the last whole count
to the estimate of its request. If this ratio is not plausible, it is the ratio from the growth of the counts, or 1 if
the counts have grown too little.
*/
export function calibratedRatio(items: readonly Item[], project: Projection, setting?: CountsSetting): number {
	const {ratio: first, growth} = serverCounts(items) ?? {growth: {counted: 0, added: 0}};
	const kind = countKind(items, setting);
	if (kind === 'estimate' && first === undefined) return 1;
	const grown = growth.added < leastGrown ? undefined : limited(growth.counted / growth.added);
	if (kind !== 'whole') return first ?? grown ?? 1;
	const last = lastRatio(items, project);
	if (last === undefined) return 1;
	const isLow = last < lowRatio && grown !== undefined;
	return isLow || last < minRatio || last > maxRatio ? (grown ?? 1) : last;
}

/** The growth of the counts is evidence only after at least this number of estimated tokens. */
const leastGrown = 400;

/** A server with a lower ratio may count only a part of its prompt, such as the messages without the tools. */
const lowRatio = 0.5;

function limited(ratio: number): number {
	return Math.min(maxRatio, Math.max(minRatio, ratio));
}

function estimatedSize(items: readonly Item[], project: Projection, setting?: CountsSetting): number {
	return Math.round(calibratedRatio(items, project, setting) * estimateRequest(items, project));
}

/** Returns the provider's last whole count divided by inkpod's estimate, or `undefined` if there is no count. */
function lastRatio(items: readonly Item[], project: Projection): number | undefined {
	const {at, end, usage} = lastCounted(items);
	if (end === undefined || usage?.input === undefined) return undefined;
	const known = ratios.get(project) ?? new WeakMap<Item, number>();
	ratios.set(project, known);
	// The items before a request never change, so their ratio is stored.
	const ratio = known.get(end) ?? usage.input / Math.max(1, estimateRequest(items, project, answerStart(items, at)));
	known.set(end, ratio);
	return ratio;
}

const ratios = new WeakMap<Projection, WeakMap<Item, number>>();

type Counted = {readonly at: number; readonly end: Item | undefined; readonly usage: Usage | undefined};

/**
Returns the item that ends the last answer whose request the provider counted, the index of the item, and the count.
Ignores a request whose beginning the server dropped.
*/
function lastCounted(items: readonly Item[]): Counted {
	const {at} = countedIn(items).at(-1) ?? {at: -1};
	const end = items[at];
	const usage = answerEnd(end)?.usage;
	return {at, end, usage: usage === undefined ? undefined : wholeUsage(usage)};
}

/**
Returns the indexes of all items that end an answer whose request the provider counted, and the ids of these requests.
*/
const countedIn = foldOf<Array<{readonly at: number; readonly request: string}>>(
	() => [],
	(counted, item, at) => {
		if (inputOf(answerEnd(item)?.usage) !== undefined) counted.push({at, request: requestId(item)});
		const about = truncatedRequest(item);
		return about === undefined ? counted : counted.filter(({request}) => request !== about);
	},
);

/** Returns the id of the request that this item ends. */
function requestId(item: Item): string {
	return item.type === 'request_end' ? item.request : item.id;
}

function estimateItems(items: readonly Item[], setup: Setup | undefined): number {
	return items.reduce(
		(sum, item) => sum + (item.type === 'setup' ? 0 : estimateItem(item) + mediaTokens(mediaIn(item), setup)),
		0,
	);
}

/**
Returns the last request if it was far longer than the stated window and filled the window. The request's own count does
not calibrate its size.
*/
export function windowCut(items: readonly Item[], project: Projection, window: number): Cut | undefined {
	const counts = serverCounts(items);
	const {at, end, usage} = lastCounted(items);
	const read = usage?.input;
	if (counts === undefined || counts.kind === 'uncached' || end === undefined || read === undefined) return undefined;
	if (read > window || at < items.findLastIndex(item => changesContext(item) || answerEnd(item) !== undefined))
		return undefined;
	const ratio = counts.points.length > 1 ? (counts.ratio ?? 1) : 1;
	const of = Math.round(ratio * estimateRequest(items, project, answerStart(items, at)));
	return of > overShare * window && read >= nearShare * window ? {request: requestId(end), read, of} : undefined;
}

/**
A server that cuts a request fills at least this share of the window. It reserves the remaining share for the answer.
*/
const nearShare = 0.9;

/** An estimate below this multiple of the window does not prove that a request was longer than the window. */
const overShare = 1.25;
