import {answerEnd, answerStart, dialects, lastSetup, type Item, type Settings, type Usage} from '../../worker/index.ts';
import {truncatedRequest, truncatedRequests} from './truncated-counts.ts';
import {changesContext, estimateItem, requestId, type Projection} from './usage.ts';

/** A request whose beginning the server dropped. Both counts are in tokens. */
export type Truncation = {
	/** The id of the request. */
	readonly request: string;
	readonly read: number;
	readonly of: number;
};

/**
Returns the truncation of the last request, if the provider's count shows one. Some servers drop the beginning of a
prompt that exceeds their window, and answer as if nothing had happened.

- The count is below half of inkpod's estimate. The estimate of a tokenizer's count is never that far off.
- Or the context has only grown since an earlier count, but the new count has not: it is lower, or much was added and
  hardly any of it was counted.

Thoughts do not count as sent, because most servers get none of the earlier ones. A count that is absent or tiny is not
what a server read. inkpod's own models have no real counts.
*/
export function lastTruncation(items: readonly Item[], project: Projection): Truncation | undefined {
	const at = items.findLastIndex(item => answerEnd(item) !== undefined);
	const read = tokensRead(answerEnd(items[at])?.usage);
	const start = at < 0 ? 0 : answerStart(items, at);
	const request = items[at]?.type === 'request' ? items[at] : items[start - 1];
	if (read === undefined || request?.type !== 'request' || ownModel.test(request.model)) return undefined;
	const sent = estimateSent(items.slice(0, start), project);
	const expected = expectedCount(items, {at, start, sent}, project);
	const isCut = 2 * read < sent || (expected !== undefined && read < expected.least);
	return isCut ? {request: request.id, read, of: Math.max(sent, expected?.usual ?? 0)} : undefined;
}

const ownModel = /^(?:offline$|scripted:)/;

/** Servers have windows of thousands of tokens. */
const leastCount = 256;

/** Cached tokens were read, too. Some servers do not include them in their count of the input. */
function tokensRead({input, cacheRead = 0, cacheWrite = 0}: Usage = {}): number | undefined {
	if (input === undefined) return undefined;
	const read = cacheRead > input ? input + cacheRead + cacheWrite : input;
	return read < leastCount ? undefined : read;
}

type Last = {readonly at: number; readonly start: number; readonly sent: number};
type Expected = {readonly least: number; readonly usual: number};

/**
Returns the count to expect after earlier ones, or `undefined` if there are none, or if the context has not only grown
since then. The last count is a lower limit. So that slow growth is noticed, the limit also follows from the last count
since which enough was added.
*/
function expectedCount(items: readonly Item[], last: Last, project: Projection): Expected | undefined {
	if (countsVary(items)) return undefined;
	const cut = truncatedRequests(items.slice(0, last.at));
	let expected: Expected | undefined;
	let added = 0;
	for (let at = last.at - 1; at >= 0 && added < leastAdded; at--) {
		const item = items[at];
		if (item === undefined || (at < last.start && changesContext(item))) break;
		if (!isCounted(item, cut)) continue;
		const known = items.slice(0, answerStart(items, at));
		if (items.slice(known.length, at).some(changesContext)) break;
		added = last.sent - estimateSent(known, project);
		const usual = (tokensRead(answerEnd(item)?.usage) ?? 0) - thoughtsIn(known, project);
		const least = added < leastAdded ? usual - noise : usual + added * leastShare;
		expected = {
			least: Math.max(least, expected?.least ?? 0),
			usual: Math.max(usual + Math.max(0, added), expected?.usual ?? 0),
		};
	}
	return expected;
}

/** The number of added tokens from which their count matters, and the least share of them that is counted. */
const leastAdded = 400;
const leastShare = 0.25;
/** Templates add a few tokens of their own, such as a date. */
const noise = 32;

const noRequests: ReadonlySet<string> = new Set();

function isCounted(item: Item, cut: ReadonlySet<string>): boolean {
	return tokensRead(answerEnd(item)?.usage) !== undefined && !cut.has(requestId(item));
}

/** OpenRouter may give each request to another model, whose tokenizer counts in its own way. */
function countsVary(items: readonly Item[]): boolean {
	const setup = lastSetup(items);
	return setup === undefined || setup.model.startsWith('openrouter/') || setup.settings['dialect'] === 'openrouter';
}

/** Returns the estimated tokens of a request without its thoughts. */
function estimateSent(items: readonly Item[], project: Projection): number {
	const setup = lastSetup(items);
	return project(items).reduce(
		(sum, item) => (item.type === 'setup' || item.type === 'reasoning' ? sum : sum + estimateItem(item)),
		setup === undefined ? 0 : estimateItem(setup),
	);
}

/** Returns how many tokens of thoughts an earlier request may have had that a later one has not. */
function thoughtsIn(items: readonly Item[], project: Projection): number {
	if (sendsNoThoughts(lastSetup(items)?.settings)) return 0;
	let [shown, counted] = [0, 0];
	for (const item of project(items)) {
		if (item.type === 'reasoning') shown += estimateItem(item);
		counted += answerEnd(item)?.usage.reasoning ?? 0;
	}
	// A tokenizer may count twice as much for a text as inkpod.
	return Math.max(2 * shown, counted);
}

function sendsNoThoughts({dialect}: Settings = {}): boolean {
	return Object.entries(dialects).some(([name, facts]) => name === dialect && !('thoughts' in facts));
}

/**
Returns the notice of the last truncation, unless the context was changed since then, or a later request was read
completely.
*/
export function openTruncation(items: readonly Item[]): Item | undefined {
	for (let at = items.length - 1; at >= 0; at--) {
		const item = items[at];
		if (item === undefined || changesContext(item)) return undefined;
		if (truncatedRequest(item) !== undefined) return item;
		if (isCounted(item, noRequests)) return undefined;
	}
	return undefined;
}
