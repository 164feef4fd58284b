import {
	type Interceptor,
	type ItemOf,
	type ModelFailureReason,
	stamp,
	type Clock,
	type Item,
} from '../../../worker/index.ts';
import {compact, refusedShare, type Compacted, type CompactionOptions, type CompactTrigger} from './compaction.ts';
import {compactionTexts} from './texts.ts';
import {contextPieces} from '../../ground/history/reader.ts';
import {providerOf} from '../../models/provider-of.ts';

export type {Compacted} from './compaction.ts';

export type Compaction = {
	/** Compacts on the user's request. */
	compact(hint: string | undefined, signal: AbortSignal): Promise<Compacted>;
	/**
	Compacts during a run: before a request that exceeds the threshold, and once after a request that was too long. Old
	outputs of tools are left out first if the provider no longer caches them, and last if the rest does not fit.
	`signal` is the signal of the run.
	*/
	interceptor(signal: AbortSignal): Required<Pick<Interceptor, 'preRequest' | 'onRequestFailure'>>;
};

type AutomaticOptions = CompactionOptions & {
	/** The function that is called when a compaction begins within a run. */
	readonly onBegin: () => void;
};

/**
Creates the compaction of one session. Each failure becomes an alert, and the run continues.
After three failures in a row only the user can start a compaction.
*/
export function createCompaction(options: AutomaticOptions): Compaction {
	const failures = createFailures(options);

	async function attempt(trigger: CompactTrigger, signal: AbortSignal): Promise<Compacted> {
		options.onBegin();
		const done = await compact({trigger, signal}, options);
		failures.note(done, trigger);
		return done;
	}

	return {
		compact: async (hint, signal) => compact({trigger: 'manual', hint, signal}, options),
		interceptor(signal) {
			const isOff = () => failures.areTooMany() || signal.aborted;
			/**
			Whether the compaction before the current request failed. A second attempt would fail in the same way.
			*/
			let failedNow = false;
			return {
				async preRequest() {
					failedNow = false;
					if (!signal.aborted) await pruneOld(options);
					if (!isOff() && isOverThreshold(options)) {
						const done = await attempt('threshold', signal);
						failedNow = !done.ok && done.reason !== 'nothing';
					}
					if (!signal.aborted) await pruneTail(options, options.window());
					return {type: 'continue'};
				},
				async onRequestFailure({reason}, isRetry) {
					if (isRetry || !isTooLong(reason, options) || signal.aborted) return {type: 'fail'};
					const room = refusedShare * options.size(options.history.items);
					const isCompacted = !isOff() && !failedNow && (await attempt('too_long', signal)).ok;
					const isPruned = !signal.aborted && (await pruneTail(options, room));
					return {type: isCompacted || isPruned ? 'retry' : 'fail'};
				},
			};
		},
	};
}

/**
Returns how many milliseconds a provider keeps the prompt of a request in its cache, as its documentation states. While
it may still be cached, inkpod does not change the beginning of the context by a rule.
*/
export function cacheLifetime(model: string): number {
	const provider = providerOf(model);
	return (minutes.get(provider) ?? unknown) * 60_000;
}

/** Leaves out old outputs before anything is summarised. */
async function pruneOld(options: CompactionOptions): Promise<void> {
	const {history, limits, window} = options;
	const max = window();
	if (max === undefined) return;
	await commit(pruneExpired(history.items, {window: max, ...limits.compaction}, options), options);
}

/** Leaves out the oldest outputs if the request has more tokens than fit. Tells whether there were any. */
async function pruneTail(options: CompactionOptions, room: number | undefined): Promise<boolean> {
	return room !== undefined && commit(pruneToFit(options.history.items, room, options), options);
}

async function commit(prune: ItemOf<'context'> | undefined, {history}: CompactionOptions): Promise<boolean> {
	if (prune !== undefined) await history.append([prune]);
	return prune !== undefined;
}

function isOverThreshold({history, limits, size, window}: CompactionOptions): boolean {
	const max = window();
	return max !== undefined && size(history.items) > limits.compaction.threshold * max;
}

/**
Tells whether a request failed because it was too long. Some servers refuse a long request without a reason: near the
end of the window, its length counts as the reason.
*/
function isTooLong(reason: ModelFailureReason, {history, size, window}: CompactionOptions): boolean {
	if (reason === 'too_long') return true;
	const max = window();
	return unexplained.has(reason) && max !== undefined && size(history.items) > likelyTooLong * max;
}

const unexplained: ReadonlySet<ModelFailureReason> = new Set(['bad_request', 'bad_response', 'other']);

/** A share of the model's window. */
const likelyTooLong = 0.8;

type Failures = {
	note(done: Compacted, trigger: CompactTrigger): void;
	areTooMany(): boolean;
};

/** Counts failures in a row and alerts the user about them. */
function createFailures({limits, onAlert}: Pick<CompactionOptions, 'limits' | 'onAlert'>): Failures {
	let failures = 0;
	let isTooSmall = false;
	const warn = (text: string) => onAlert({level: 'warn', text});
	return {
		areTooMany: () => failures >= maxFailures,
		note(done, trigger) {
			if (done.ok) [failures, isTooSmall] = [0, false];
			if (done.ok || done.reason === 'aborted') return;
			if (done.reason === 'nothing') {
				// A context that cannot become smaller is reported once, not before every request.
				if (!isTooSmall && trigger === 'threshold') warn(compactionTexts.tooSmall(limits.compaction.threshold));
				isTooSmall = true;
				return;
			}
			failures++;
			warn(compactionTexts.failed(done.sentence));
			if (failures >= maxFailures) warn(compactionTexts.off(maxFailures));
		},
	};
}

const maxFailures = 3;

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
function pruneExpired(
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
function pruneToFit(items: readonly Item[], room: number, options: PruneOptions): Prune | undefined {
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

const unknown = 5;

const minutes: ReadonlyMap<string, number> = new Map([
	['anthropic', 5],
	// Up to an hour while the servers are not busy.
	['openai', 60],
	['azure', 60],
	// A few hours to a few days.
	['deepseek', 24 * 60],
]);
