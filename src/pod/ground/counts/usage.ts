import {
	answerEnd,
	answerStart,
	estimateMedia,
	foldOf,
	lastSetup,
	type Item,
	type Media,
	type Setup,
	type Usage,
} from '../../../worker/index.ts';
import {mediaIn} from '../history/media-of.ts';
import {estimateTokens} from '../text/tokens.ts';
import {createContextSum, type ContextSum, type Projection} from './context-sum.ts';

/**
The number of tokens of a request. `exact`: the provider counted all of them. Otherwise some of them are estimated, and
`≈` precedes the number.
*/
export type ContextSize = {readonly tokens: number; readonly exact: boolean};

/**
Returns the number of tokens of the next request, or `undefined` if there is nothing to send. The provider's last count
covers the items up to its answer, and is exact. Later items are only estimated. Estimates are scaled by the ratio of
that count to inkpod's estimate of the same request. After another setup, a compaction, a rewind or a drop everything is
estimated.
*/
export function contextSize(items: readonly Item[], project: Projection): ContextSize | undefined {
	const setup = lastSetup(items);
	if (setup === undefined) return undefined;
	const counted = countedSize(items);
	if (counted !== undefined) return counted;
	const {at, usage} = lastCounted(items);
	const ratio = countedRatio(items, project);
	if (usage === undefined || items.slice(at + 1).some(changesContext))
		return {tokens: Math.round(ratio * estimateRequest(items, project)), exact: false};
	const {input = 0, output} = usage;
	const added = estimateItems(items.slice(output === undefined ? answerStart(items, at) : at + 1), setup);
	return {tokens: input + (output ?? 0) + Math.round(ratio * added), exact: false};
}

/** Returns the same size, but only if the provider has counted everything. In that case it estimates no text. */
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

/** Returns the ratio of the provider's last count to inkpod's estimate, or 1 without a count. */
export function countedRatio(items: readonly Item[], project: Projection): number {
	const {at, end, usage} = lastCounted(items);
	if (end === undefined || usage === undefined) return 1;
	const known = ratios.get(project) ?? new WeakMap<Item, number>();
	ratios.set(project, known);
	// The items before a request never change, so their ratio is stored.
	const ratio = known.get(end) ?? measure(usage, estimateRequest(items, project, answerStart(items, at)));
	known.set(end, ratio);
	return ratio;
}

/** Returns the estimated tokens of a request with the items before an index, by default with all of them. */
export const estimateRequest: ContextSum = createContextSum(
	(item, setup) => estimateItem(item) + (item.type === 'setup' ? 0 : mediaTokens(mediaIn(item), setup)),
);

/**
Returns the estimated tokens of an item. Each item is estimated only once. A setup includes its prompt and tools. An
item that is never sent has 0 tokens.
*/
export function estimateItem(item: Item): number {
	const known = estimates.get(item);
	if (known !== undefined) return known;
	const texts = textsOf(item);
	// Half of a history's items have no text. An entry for each of them would only cost memory.
	if (texts.length === 0) return 0;
	const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), frameTokens);
	estimates.set(item, tokens);
	return tokens;
}

const estimates = new WeakMap<Item, number>();

/** The tokens that mark the start, end and role of a message. */
const frameTokens = 4;

/**
A tokenizer's count differs from inkpod's estimate by at most these factors. A larger difference has another cause.
*/
const [minRatio, maxRatio] = [0.5, 3];

/** Tells whether the context no longer only grows with this item. */
export function changesContext(item: Item): boolean {
	return (
		item.type === 'setup' ||
		item.type === 'compaction' ||
		item.type === 'rewind' ||
		(item.type === 'context' && item.op !== 'pin')
	);
}

type Counted = {readonly at: number; readonly end: Item | undefined; readonly usage: Usage | undefined};

/**
Returns the end of the last answer whose request the provider counted, its index, and that count. A request whose
beginning the server dropped does not count.
*/
function lastCounted(items: readonly Item[]): Counted {
	const {at} = countedIn(items).at(-1) ?? {at: -1};
	const end = items[at];
	return {at, end, usage: answerEnd(end)?.usage};
}

/** Returns the places of these ends, and the ids of their requests. */
const countedIn = foldOf<Array<{readonly at: number; readonly request: string}>>(
	() => [],
	(counted, item, at) => {
		if (answerEnd(item)?.usage.input !== undefined) counted.push({at, request: requestId(item)});
		const about = truncatedRequest(item);
		return about === undefined ? counted : counted.filter(({request}) => request !== about);
	},
);

/** Returns the id of the request that this item ends. */
export function requestId(item: Item): string {
	return item.type === 'request_end' ? item.request : item.id;
}

const ratios = new WeakMap<Projection, WeakMap<Item, number>>();

/** Returns the provider's count divided by inkpod's estimate. */
function measure({input = 0}: Usage, estimate: number): number {
	return estimate === 0 ? 1 : Math.min(maxRatio, Math.max(minRatio, input / estimate));
}

function estimateItems(items: readonly Item[], setup: Setup | undefined): number {
	return items.reduce(
		(sum, item) => sum + (item.type === 'setup' ? 0 : estimateItem(item) + mediaTokens(mediaIn(item), setup)),
		0,
	);
}

/** Returns the estimated tokens of an image or document, which are none if the model of the setup does not read it. */
export function mediaTokens(media: Media | undefined, setup: Pick<Setup, 'settings'> | undefined): number {
	if (media === undefined) return 0;
	const {input} = setup?.settings ?? {};
	return Array.isArray(input) && !input.includes(media.kind) ? 0 : estimateMedia(media);
}

/** The topic of a notice that the server dropped the beginning of a request. */
export const truncatedTopic = 'truncated';

/** Returns the id of the request that a notice is about, if this item is such a notice. */
export function truncatedRequest(item: Item): string | undefined {
	if (item.type !== 'message' || item.origin?.kind !== 'notice' || item.origin['about'] !== truncatedTopic)
		return undefined;
	const {request} = item.origin;
	return typeof request === 'string' ? request : undefined;
}

function textsOf(item: Item): readonly string[] {
	if (item.type === 'message' || item.type === 'reasoning') return [item.text];
	if (item.type === 'tool_call') return [item.name, item.arguments];
	if (item.type === 'tool_result') return item.partialOf === undefined ? [item.content] : [];
	if (item.type === 'compaction') return [item.summary];
	return item.type === 'setup' ? [item.prompt, ...item.tools.map(tool => JSON.stringify(tool))] : [];
}
