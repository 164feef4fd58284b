import {lastSetup, type Item, type RequestItem} from '../../worker/index.ts';
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
	const {at, request} = lastCounted(items);
	const ratio = countedRatio(items, project);
	if (request === undefined || items.slice(at + 1).some(changesContext))
		return {tokens: Math.round(ratio * estimateRequest(items, project)), exact: false};
	const {input = 0, output} = request.usage;
	const added = estimateItems(items.slice(output === undefined ? answerStart(items, at) : at + 1));
	return {tokens: input + (output ?? 0) + Math.round(ratio * added), exact: false};
}

/** Returns the same size if the provider has counted everything. In that case it estimates no text. */
export function countedSize(items: readonly Item[]): ContextSize | undefined {
	const {at, request} = lastCounted(items);
	const {input, output} = request?.usage ?? {};
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
	const {at, request} = lastCounted(items);
	return request === undefined ? 1 : ratioOf(request, () => items.slice(0, answerStart(items, at)), project);
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

/** Returns the last request whose input the provider counted, and its index. */
function lastCounted(items: readonly Item[]): {readonly at: number; readonly request: RequestItem | undefined} {
	const at = items.findLastIndex(item => item.type === 'request' && item.usage.input !== undefined);
	const request = items[at];
	return {at, request: request?.type === 'request' ? request : undefined};
}

/**
Returns the provider's count divided by inkpod's estimate. The result is cached, because the items before a request
never change.
*/
function ratioOf(request: RequestItem, sent: () => readonly Item[], project: Projection): number {
	const known = ratios.get(project) ?? new WeakMap<RequestItem, number>();
	ratios.set(project, known);
	const ratio = known.get(request) ?? measure(request, estimateRequest(sent(), project));
	known.set(request, ratio);
	return ratio;
}

const ratios = new WeakMap<Projection, WeakMap<RequestItem, number>>();

function measure({usage: {input = 0}}: RequestItem, estimate: number): number {
	return estimate === 0 ? 1 : Math.min(maxRatio, Math.max(minRatio, input / estimate));
}

/** Returns the start of the answer that ends with the request item at `at`. */
function answerStart(items: readonly Item[], at: number): number {
	let start = at;
	for (let before = items[start - 1]; before !== undefined && isAnswer(before); before = items[start - 1]) start--;
	return start;
}

function isAnswer(item: Item): boolean {
	return (
		item.type === 'reasoning' || item.type === 'tool_call' || (item.type === 'message' && item.role === 'assistant')
	);
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
