import {answerEnd, foldOf, isWhole, type Item, type Setup, type Usage} from '../../../worker/index.ts';
import {wholeUsage} from '../../protocol/whole-usage.ts';
import {mediaIn} from '../history/media-of.ts';
import {changesContext, estimateItem, mediaTokens} from './estimate.ts';

/** The user's setting for the token counts of a model: `[models."NAME"] counts`. */
export type CountsSetting = 'whole' | 'uncached' | 'ignore';

/** A request whose beginning the server dropped. The server read `read` of about `of` tokens. */
export type Cut = {readonly request: string; readonly read: number; readonly of: number};

/** What inkpod has learned from a server's token counts of one model. */
export type ServerCounts = {
	/** `uncached`: a count leaves out the tokens that the server had cached. */
	readonly kind: 'whole' | 'uncached';
	/** The first count divided by inkpod's estimate of its request. Absent if no count was plausible. */
	readonly ratio?: number;
	/** The number of tokens by which the counts grew, and inkpod's estimate of the items that were added meanwhile. */
	readonly growth: {readonly counted: number; readonly added: number};
	/** The last counted request, if it is on a plateau: the count stays the same although the context has grown. */
	readonly cut?: Cut;
	/** The latest counts since the last change of the context. */
	readonly points: readonly unknown[];
};

/**
Returns the server's token count of a request's whole prompt. A count of zero means that the server did not count.
*/
export function inputOf(usage: Usage | undefined): number | undefined {
	const {input} = wholeUsage(usage ?? {});
	return input === undefined || input === 0 ? undefined : input;
}

/**
A tokenizer's count differs from inkpod's estimate by at most these factors. Beyond these factors, a count and an
estimate are not comparable.
*/
export const [minRatio, maxRatio] = [0.25, 4];

/** Tells whether a count can be the count of a request with this estimate. */
export function isComparable(count: number, estimate: number): boolean {
	return count >= minRatio * estimate && count <= maxRatio * estimate;
}

/**
Returns what inkpod has learned from the counts of the current model, or `undefined` if there are no counts. Reads each
item once.
*/
export function serverCounts(items: readonly Item[]): ServerCounts | undefined {
	const {setup, byModel} = countsIn(items);
	return byModel.get(setup?.model ?? '');
}

/**
The estimated tokens up to an index in the history: of everything that is sent, of the outputs of tools, and of
reasoning.
*/
type Sums = {readonly sent: number; readonly results: number; readonly thoughts: number};

/** A counted request. `whole` is the size of the whole request, even if the server counted only a part of it. */
type Point = Sums & {
	readonly request: string;
	readonly count: number;
	readonly whole: number;
	/** Whether the count seems to leave out the cached tokens. */
	readonly isUncached?: boolean;
};

type Series = {
	kind: 'whole' | 'uncached';
	ratio?: number;
	growth: {counted: number; added: number};
	cut?: Cut;
	since?: string;
	/** The latest points since the last change of the context, the oldest first. */
	points: readonly Point[];
	epoch: number;
	/** The number of consecutive counts that seem to leave out the cached tokens. */
	uncached: number;
	/** Whether a count has grown by the output of a tool. Some servers do not count these outputs. */
	countsResults: boolean;
};

type State = Sums & {
	readonly setup: Setup | undefined;
	/** The sums before the answer that is being received. */
	readonly before: Sums;
	/** The sums at the start of each request whose answer has not ended. */
	readonly open: Map<string, Sums>;
	/** The number of changes of the context, and whether one of them was not a setup. */
	readonly epoch: number;
	readonly isReplaced: boolean;
	readonly byModel: Map<string, Series>;
};

const nothing: Sums = {sent: 0, results: 0, thoughts: 0};

const countsIn = foldOf<State>(
	() => ({
		...nothing,
		setup: undefined,
		before: nothing,
		open: new Map(),
		epoch: 0,
		isReplaced: false,
		byModel: new Map(),
	}),
	(state, item) => {
		const end = answerEnd(item);
		if (item.type === 'request') state.open.set(item.id, sumsOf(state));
		if (end !== undefined) addCount(state, item, end.usage);
		const next = {...state, ...added(state, item)};
		if (item.type === 'setup') next.setup = item;
		if (changesContext(item)) {
			next.epoch++;
			next.isReplaced ||= item.type !== 'setup';
		}
		return isOfAnswer(item) ? next : {...next, before: sumsOf(next)};
	},
);

function sumsOf({sent, results, thoughts}: Sums): Sums {
	return {sent, results, thoughts};
}

function isOfAnswer(item: Item): boolean {
	return (
		item.type === 'reasoning' || item.type === 'tool_call' || (item.type === 'message' && item.role === 'assistant')
	);
}

/** inkpod does not send earlier reasoning to most servers, so reasoning does not count as sent. */
function added({sent, results, thoughts, setup}: Sums & Pick<State, 'setup'>, item: Item): Sums {
	if (item.type === 'setup') return {sent, results, thoughts};
	const tokens = estimateItem(item) + mediaTokens(mediaIn(item), setup);
	if (item.type === 'reasoning') return {sent, results, thoughts: thoughts + tokens};
	return {sent: sent + tokens, results: results + (item.type === 'tool_result' ? tokens : 0), thoughts};
}

function addCount({setup, before, open, epoch, isReplaced, byModel}: State, item: Item, usage: Usage): void {
	const request = item.type === 'request_end' ? item.request : item.id;
	const sums = item.type === 'request' && isWhole(item) ? before : open.get(request);
	open.delete(request);
	const count = inputOf(usage);
	if (sums === undefined || count === undefined || setup === undefined) return;
	const estimate = isReplaced ? undefined : estimateItem(setup) + sums.sent;
	const series = byModel.get(setup.model) ?? newSeries(epoch);
	byModel.set(setup.model, series);
	if (series.epoch !== epoch) {
		Object.assign(series, {epoch, points: []});
		delete series.cut;
		delete series.since;
	}
	if (
		series.points.length === 0 &&
		estimate !== undefined &&
		series.kind === 'whole' &&
		isComparable(count, estimate)
	)
		series.ratio ??= count / estimate;
	const point = {...sums, request, count, whole: count};
	const step = stepOf(series, point, {estimate, isCached: (usage.cacheRead ?? 0) > 0});
	if (step !== undefined) learn(series, step);
	const cut = step === undefined ? undefined : cutOf(series, step);
	if (cut === undefined) {
		delete series.cut;
		delete series.since;
	} else {
		series.cut = {request, read: count, of: Math.round(cut.of)};
		series.since ??= cut.since;
	}
	const next = {...point, whole: cut?.of ?? count, isUncached: step?.isUncached};
	series.points = [...series.points, next].slice(-maxPoints);
}

function newSeries(epoch: number): Series {
	return {
		kind: 'whole',
		growth: {counted: 0, added: 0},
		points: [],
		epoch,
		uncached: 0,
		countsResults: false,
	};
}

/**
The maximum number of stored points. A plateau is visible within two turns, and a turn may have many requests that add
little.
*/
const maxPoints = 24;

/** The difference between a count and the count before it, in tokens of the server. */
type Step = {
	readonly last: Point;
	readonly point: Point;
	/** The tokens that were added to the context, and how many of these tokens tools returned. */
	readonly added: number;
	readonly results: number;
	readonly hasThoughts: boolean;
	/** Whether the count is near the number of added tokens, and far below the size of the whole request. */
	readonly isUncached: boolean;
	/** Whether the count is far higher than the number of added tokens. */
	readonly isWhole: boolean;
	/** inkpod's estimate of the added tokens. */
	readonly estimated: number;
};

type Facts = {readonly estimate: number | undefined; readonly isCached: boolean};

function stepOf({points, ratio = 1}: Series, point: Point, {estimate, isCached}: Facts): Step | undefined {
	const last = points.at(-1);
	if (last === undefined) return undefined;
	const estimated = point.sent - last.sent;
	const added = ratio * estimated;
	const thoughts = point.thoughts - last.thoughts;
	const whole = estimate === undefined ? last.whole + added : Math.max(ratio * estimate, last.whole + added);
	const isNear = point.count >= added / 2 && point.count <= 2 * (added + ratio * thoughts);
	// Equal counts are a plateau, unless the earlier count already left out cached tokens.
	const canBeUncached = !isCached && estimated >= leastAdded && (!isEven(point, last) || last.isUncached === true);
	return {
		last,
		point,
		added,
		estimated,
		results: ratio * (point.results - last.results),
		hasThoughts: thoughts > 0,
		isUncached: canBeUncached && isNear && point.count < farShare * whole,
		isWhole: point.count >= leastCount && point.count > 4 * ratio * (estimated + thoughts),
	};
}

/** If fewer tokens than this were added, a count does not show its kind. */
const leastAdded = 100;

const farShare = 0.6;

/** Tells whether a count equals an earlier one. */
function isEven({count}: Point, earlier: Point): boolean {
	return Math.abs(count - earlier.count) <= evenShare * earlier.count;
}

/** Updates the kind and the growth of a series with a step. */
function learn(series: Series, step: Step): void {
	const {last, point, added, estimated, results, hasThoughts, isUncached} = step;
	const grown = point.count - last.count;
	const hasGrown = grown >= leastGrowth * added && grown <= maxRatio * added && grown > evenShare * last.count;
	if (isUncached) {
		series.uncached++;
		// One falling count is enough if an earlier count was plausible for a whole request.
		const isFall = series.ratio !== undefined && point.count < last.count;
		if (isFall || series.uncached > 1) series.kind = 'uncached';
	} else {
		if (step.isWhole) series.uncached = 0;
		if (hasGrown && grown < point.count / 2) series.kind = 'whole';
	}
	if (hasGrown && grown - 2 * (added - results) > leastGrowth * results && results > 0) series.countsResults = true;
	if (hasThoughts) return;
	const counted = isUncached ? point.count : hasGrown ? grown : 0;
	if (counted > 0) {
		series.growth.counted += counted;
		series.growth.added += estimated;
	}
}

/** A count that grows at all grows by at least this share of the added tokens. */
const leastGrowth = 0.25;

/** Counts that differ by at most this share are equal. */
const evenShare = 0.01;

/** For a plateau, the added tokens must exceed this share of the count. */
const addedShare = 0.05;

/** A lower count is not a full window, because servers have windows of thousands of tokens. */
const leastCount = 256;

/**
Returns the whole size of a request whose count is on a plateau, and the first request of the plateau. The count of such
a request equals an earlier count, although more than 5 % was added meanwhile, and no count between them was higher.
*/
function cutOf(series: Series, step: Step): {readonly of: number; readonly since: string} | undefined {
	const {last, point, added} = step;
	const {count} = point;
	const of = last.whole + Math.max(0, added);
	if (count < leastCount || series.kind === 'uncached' || step.isUncached) return undefined;
	// The plateau continues until a count is higher.
	if (series.since !== undefined && count <= (1 + evenShare) * last.count) return {of, since: series.since};
	const {ratio = 1} = series;
	for (const earlier of series.points.toReversed()) {
		if (earlier.count > (1 + evenShare) * count) return undefined;
		const since = ratio * (point.sent - earlier.sent);
		if (!isEven(point, earlier) || since <= addedShare * earlier.count) continue;
		const texts = since - ratio * (point.results - earlier.results);
		const isProven = count === earlier.count || series.countsResults || texts > addedShare * earlier.count;
		return isProven ? {of: Math.max(of, earlier.whole + since), since: earlier.request} : undefined;
	}
	return undefined;
}
