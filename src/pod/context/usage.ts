import {answerEnd, answerStart, lastSetup, type Item, type Usage} from '../../worker/index.ts';
import {estimateTokens} from '../text/tokens.ts';

/**
The tokens of a request. `exact`: the provider counted all of them. Otherwise some are estimated, and `≈` precedes the
number.
*/
export type ContextSize = {readonly tokens: number; readonly exact: boolean};

/** Returns the items of the next request: those that compactions, rewinds and drops have left. */
export type Projection = (items: readonly Item[]) => readonly Item[];

/**
Returns the tokens of the next request, or `undefined` if there is nothing to send.
The provider's last count covers the items up to its answer, and is exact. Later items are estimated.
Estimates are scaled by the ratio of that count to inkpod's estimate of the same request.
After another setup, a compaction, a rewind or a drop everything is estimated.
*/
export function contextSize(items: readonly Item[], project: Projection): ContextSize | undefined {
	if (lastSetup(items) === undefined) return undefined;
	const counted = countedSize(items);
	if (counted !== undefined) return counted;
	const {at, usage} = lastCounted(items);
	const ratio = countedRatio(items, project);
	if (usage === undefined || items.slice(at + 1).some(changesContext))
		return {tokens: Math.round(ratio * estimateRequest(items, project)), exact: false};
	const {input = 0, output} = usage;
	const added = estimateItems(items.slice(output === undefined ? answerStart(items, at) : at + 1));
	return {tokens: input + (output ?? 0) + Math.round(ratio * added), exact: false};
}

/** Returns the same size if the provider has counted everything. In that case it estimates no text. */
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
	// The items before a request never change.
	const ratio = known.get(end) ?? measure(usage, estimateRequest(items.slice(0, answerStart(items, at)), project));
	known.set(end, ratio);
	return ratio;
}

/** Returns the estimated tokens of a request with these items. */
export function estimateRequest(items: readonly Item[], project: Projection): number {
	const setup = lastSetup(items);
	return (setup === undefined ? 0 : estimateItem(setup)) + estimateItems(project(items));
}

/**
Returns the estimated tokens of an item. It estimates each item once.
A setup includes its prompt and tools. An item that is never sent has 0 tokens.
*/
export function estimateItem(item: Item): number {
	const known = estimates.get(item);
	if (known !== undefined) return known;
	const texts = textsOf(item);
	const tokens = texts.length === 0 ? 0 : texts.reduce((sum, text) => sum + estimateTokens(text), frameTokens);
	estimates.set(item, tokens);
	return tokens;
}

const estimates = new WeakMap<Item, number>();

/** The tokens that mark the start, end and role of a message. */
const frameTokens = 4;

/** A tokenizer differs from inkpod's estimate by at most these factors. A larger difference has another cause. */
const [minRatio, maxRatio] = [0.5, 3];

function changesContext(item: Item): boolean {
	return (
		item.type === 'setup' ||
		item.type === 'compaction' ||
		item.type === 'rewind' ||
		(item.type === 'context' && item.op !== 'pin')
	);
}

type Counted = {readonly at: number; readonly end: Item | undefined; readonly usage: Usage | undefined};

/** Returns the end of the last answer whose request the provider counted, its index, and that count. */
function lastCounted(items: readonly Item[]): Counted {
	const at = items.findLastIndex(item => answerEnd(item)?.usage.input !== undefined);
	return {at, end: items[at], usage: answerEnd(items[at])?.usage};
}

const ratios = new WeakMap<Projection, WeakMap<Item, number>>();

/** Returns the provider's count divided by inkpod's estimate. */
function measure({input = 0}: Usage, estimate: number): number {
	return estimate === 0 ? 1 : Math.min(maxRatio, Math.max(minRatio, input / estimate));
}

function estimateItems(items: readonly Item[]): number {
	return items.reduce((sum, item) => sum + (item.type === 'setup' ? 0 : estimateItem(item)), 0);
}

function textsOf(item: Item): readonly string[] {
	if (item.type === 'message' || item.type === 'reasoning') return [item.text];
	if (item.type === 'tool_call') return [item.name, item.arguments];
	if (item.type === 'tool_result') return item.partialOf === undefined ? [item.content] : [];
	if (item.type === 'compaction') return [item.summary];
	return item.type === 'setup' ? [item.prompt, ...item.tools.map(tool => JSON.stringify(tool))] : [];
}
