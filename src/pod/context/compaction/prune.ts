import {stamp, type Clock, type Item, type ItemOf} from '../../../worker/index.ts';
import {contextPieces} from '../../ground/history/reader.ts';
import {providerOf} from '../../models/provider-of.ts';

/** What a rule needs to know about the context. `size` estimates the tokens of the next request. */
type PruneOptions = {
	readonly clock: Clock;
	readonly size: (items: readonly Item[]) => number;
	/** Estimates the tokens of a text. */
	readonly estimate: (text: string) => number;
};

type ExpiredLimits = {
	readonly window: number;
	/** The share of the window above which a compaction begins. */
	readonly threshold: number;
	readonly retainedTokens: number;
};

type Prune = ItemOf<'context'>;

/**
Returns the item that leaves out old outputs of tools once the provider no longer caches the last request, or
`undefined` if that is not worth it. While the prompt is cached, leaving something out would cost more than it saves.
Outputs stay that you restored or pinned, that are small, or that are part of the last `retainedTokens`.
*/
export function pruneExpired(
	items: readonly Item[],
	{window, threshold, retainedTokens}: ExpiredLimits,
	options: PruneOptions,
): Prune | undefined {
	const last = items.findLast(item => item.type === 'request' || item.type === 'request_end');
	const model = items.findLast(item => item.type === 'request')?.model ?? '';
	if (last === undefined || options.clock.now() - Date.parse(last.at) < cacheLifetime(model)) return undefined;
	const before = options.size(items);
	if (before <= usedShare * threshold * window) return undefined;
	const known = prunedBefore(items);
	const old = beforeTail(outputsIn(items), Math.min(retainedTokens, window / 4), options).filter(
		({item, name}) => !known.has(item.id) && !lasting.has(name) && bytesOf(item) >= minBytes,
	);
	if (old.length === 0) return undefined;
	const prune = pruneOf(old, 'cache_expired', options.clock);
	return before - options.size([...items, prune]) < minGain * before ? undefined : prune;
}

/**
Returns the item that leaves out the oldest outputs of tools until the request has at most `room` tokens, or all of them
if that is not enough. Returns `undefined` if there are none. The latest outputs go last, even if the model has not read
them: a request that does not fit would end the run.
*/
export function pruneToFit(items: readonly Item[], room: number, options: PruneOptions): Prune | undefined {
	const all = outputsIn(items).filter(({item}) => bytesOf(item) >= minBytes);
	if (all.length === 0 || options.size(items) <= room) return undefined;
	const draft = (count: number) => pruneOf(all.slice(0, count), 'too_long', options.clock);
	let [few, enough] = [1, all.length];
	while (few < enough) {
		const middle = Math.floor((few + enough) / 2);
		if (options.size([...items, draft(middle)]) <= room) enough = middle;
		else few = middle + 1;
	}
	return draft(enough);
}

/** The context must be larger than this share of the threshold, because a short context is no problem. */
const usedShare = 0.5;
/** The smallest share of the context that is worth a change. */
const minGain = 0.1;
/** A shorter output stays: the line that replaces it would save almost nothing. */
const minBytes = 1024;

/** The tools whose output stays in force after it is old: instructions, answers of the user, and the state of work. */
const lasting: ReadonlySet<string> = new Set(['workflow', 'ask', 'tasks']);

type Output = {readonly item: ItemOf<'tool_result'>; readonly name: string};

/** Returns the outputs of tools in the context, oldest first, unless they are pinned or pruned. */
function outputsIn(items: readonly Item[]): readonly Output[] {
	const names = new Map<string, string>();
	return contextPieces(items).pieces.flatMap(({item, pinned = false, pruned = false}): readonly Output[] => {
		if (item?.type === 'tool_call') names.set(item.callId, item.name);
		if (item?.type !== 'tool_result' || pinned || pruned) return [];
		return [{item, name: names.get(item.callId) ?? ''}];
	});
}

/** Returns the outputs that are older than the last outputs of this many tokens. */
function beforeTail(outputs: readonly Output[], tokens: number, {estimate}: PruneOptions): readonly Output[] {
	let size = 0;
	const tail = outputs.findLastIndex(({item}) => (size += estimate(item.content)) > tokens);
	return outputs.slice(0, tail + 1);
}

/** Returns the outputs that a rule left out before. If one of them is back, you restored it. */
function prunedBefore(items: readonly Item[]): ReadonlySet<string> {
	return new Set(
		items.flatMap(item =>
			item.type === 'context' && item.op === 'prune' && item.rule !== undefined ? item.ids : [],
		),
	);
}

function pruneOf(outputs: readonly Output[], rule: 'cache_expired' | 'too_long', clock: Clock): Prune {
	const bytes = outputs.reduce((sum, {item}) => sum + bytesOf(item), 0);
	const ids = outputs.map(({item}) => item.id);
	return stamp(clock, {type: 'context', op: 'prune', ids, rule: {reason: rule, bytes}});
}

function bytesOf({content}: ItemOf<'tool_result'>): number {
	return Buffer.byteLength(content);
}

/**
Returns how many milliseconds a provider keeps the prompt of a request in its cache, as its documentation states. While
it may still be cached, inkpod does not change the beginning of the context by a rule.
*/
export function cacheLifetime(model: string): number {
	const provider = providerOf(model);
	return (minutes.get(provider) ?? unknown) * 60_000;
}

const unknown = 5;

const minutes: ReadonlyMap<string, number> = new Map([
	['anthropic', 5],
	// Up to an hour while the servers are not busy.
	['openai', 60],
	['azure', 60],
	// A few hours to a few days.
	['deepseek', 24 * 60],
]);
