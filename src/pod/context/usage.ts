import {lastSetup, type Item, type RequestItem} from '../../worker/index.ts';
import {estimateTokens} from './tokens.ts';

/** Tokens of a request. `exact`: the provider counted all of them; else some are an estimate, to be shown with `≈`. */
export type ContextSize = {readonly tokens: number; readonly exact: boolean};

/** The items that the next request after these holds: what a compaction, a rewind or a drop left of them. */
export type Projection = (items: readonly Item[]) => readonly Item[];

/**
The tokens of the next request. What the provider counted last, its answer included, is the truth for what was sent;
what came since is estimated, scaled by what it counted for what we had estimated. Where something else than more of the
same is to be sent (another setup, a compaction, a rewind, a drop) all of it is estimated. `undefined`: nothing was ever
to be sent.
*/
export function contextSize(items: readonly Item[], project: Projection): ContextSize | undefined {
	if (lastSetup(items) === undefined) return undefined;
	const counted = countedSize(items);
	if (counted !== undefined) return counted;
	const at = lastCount(items);
	const request = items[at] as RequestItem | undefined;
	const ratio = countedRatio(items, project);
	if (request === undefined || items.slice(at + 1).some(changesContext))
		return {tokens: Math.round(ratio * estimateRequest(items, project)), exact: false};
	const {input = 0, output} = request.usage;
	const added = estimateItems(items.slice(output === undefined ? answerStart(items, at) : at + 1));
	return {tokens: input + (output ?? 0) + Math.round(ratio * added), exact: false};
}

/** The same, where the provider has counted all of it: then no text has to be walked. */
export function countedSize(items: readonly Item[]): ContextSize | undefined {
	const at = lastCount(items);
	const {input, output} = (items[at] as RequestItem | undefined)?.usage ?? {};
	if (
		input === undefined ||
		output === undefined ||
		items.slice(at + 1).some(item => changesContext(item) || textsOf(item).length > 0)
	)
		return undefined;
	return {tokens: input + output, exact: true};
}

/**
How many tokens the provider counts for one that we estimate, as far as its last count tells; 1 where there is none.
*/
export function countedRatio(items: readonly Item[], project: Projection): number {
	const at = lastCount(items);
	const request = items[at] as RequestItem | undefined;
	return request === undefined ? 1 : ratioOf(request, () => items.slice(0, answerStart(items, at)), project);
}

/** Tokens of a request that is made of these items, as far as one can tell without asking its model. */
export function estimateRequest(items: readonly Item[], project: Projection): number {
	const setup = lastSetup(items);
	return (setup === undefined ? 0 : estimateItem(setup)) + estimateItems(project(items));
}

/** Of a setup its prompt and tools; of an item that no request holds nothing. Each item is walked once. */
export function estimateItem(item: Item): number {
	const known = estimates.get(item);
	if (known !== undefined) return known;
	const texts = textsOf(item);
	const tokens = texts.length === 0 ? 0 : texts.reduce((sum, text) => sum + estimateTokens(text), tokensOfFrame);
	estimates.set(item, tokens);
	return tokens;
}

const estimates = new WeakMap<Item, number>();

/** What says where a message begins, ends, and whose it is. */
const tokensOfFrame = 4;

/** How far a tokenizer may be from what we estimate: beyond that something else than the tokenizer is at work. */
const [leastRatio, mostRatio] = [0.5, 3];

function changesContext(item: Item): boolean {
	return (
		item.type === 'setup' ||
		item.type === 'compaction' ||
		item.type === 'rewind' ||
		(item.type === 'context' && item.op !== 'pin')
	);
}

function lastCount(items: readonly Item[]): number {
	return items.findLastIndex(item => item.type === 'request' && item.usage.input !== undefined);
}

/**
What the provider counted, by what we would have estimated. History only grows, so that what stands before a request
never changes.
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
	return estimate === 0 ? 1 : Math.min(mostRatio, Math.max(leastRatio, input / estimate));
}

/** Where the answer begins that ends with the request item at `at`. */
function answerStart(items: readonly Item[], at: number): number {
	let start = at;
	while (start > 0 && isAnswer(items[start - 1]!)) start--;
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
