import {
	answerEnd,
	answerStart,
	dialects,
	foldOf,
	lastSetup,
	type Item,
	type Settings,
	type Usage,
} from '../../../worker/index.ts';
import {createContextSum, type Projection} from '../../ground/counts/context-sum.ts';
import {truncatedRequest} from '../../ground/counts/truncated-counts.ts';
import {changesContext, estimateItem, requestId} from '../../ground/counts/usage.ts';

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
	const sent = sentTokens(items, project, start);
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
	// The notice of a truncated request follows its end.
	const cut = new Set<string>();
	let expected: Expected | undefined;
	let added = 0;
	for (let at = last.at - 1; at >= 0 && added < leastAdded; at--) {
		const item = items[at];
		if (item === undefined || (at < last.start && changesContext(item))) break;
		const about = truncatedRequest(item);
		if (about !== undefined) cut.add(about);
		if (!isCounted(item, cut)) continue;
		const start = answerStart(items, at);
		if (items.slice(start, at).some(changesContext)) break;
		added = last.sent - sentTokens(items, project, start);
		const usual = (tokensRead(answerEnd(item)?.usage) ?? 0) - thoughtsIn(items, project, start);
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
const sentTokens = createContextSum(item => (item.type === 'reasoning' ? 0 : estimateItem(item)));

/** Returns how many tokens of thoughts an earlier request may have had that a later one has not. */
function thoughtsIn(items: readonly Item[], project: Projection, end: number): number {
	if (sendsNoThoughts(lastSetup(items)?.settings)) return 0;
	// A tokenizer may count twice as much for a text as inkpod.
	return Math.max(2 * shownThoughts(items, project, end), countedThoughts(items, project, end));
}

const shownThoughts = createContextSum(item => (item.type === 'reasoning' ? estimateItem(item) : 0));
const countedThoughts = createContextSum(item => answerEnd(item)?.usage.reasoning ?? 0);

function sendsNoThoughts({dialect}: Settings = {}): boolean {
	return Object.entries(dialects).some(([name, facts]) => name === dialect && !('thoughts' in facts));
}

/**
Returns the notice of the last truncation, unless the context was changed since then, or a later request was read
completely.
*/
export const openTruncation: (items: readonly Item[]) => Item | undefined = foldOf<Item | undefined>(
	() => undefined,
	(open, item) => {
		if (changesContext(item)) return undefined;
		if (truncatedRequest(item) !== undefined) return item;
		return isCounted(item, noRequests) ? undefined : open;
	},
);
