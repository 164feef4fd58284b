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
	Compacts during a run: before a request that exceeds the threshold, and once after a request that was too long.
	Before a compaction, inkpod prunes old tool outputs if the provider no longer caches them. After it, inkpod prunes
	more outputs if the request still does not fit. `signal` is the signal of the run.
	*/
	interceptor(signal: AbortSignal): Required<Pick<Interceptor, 'preRequest' | 'onRequestFailure'>>;
};

type AutomaticOptions = CompactionOptions & {
	/** Called when a compaction begins during a run. */
	readonly onBegin: () => void;
};

/**
Creates the compaction of one session. A failed automatic compaction becomes an alert, and the run continues. After
three failures in a row, only the user can start a compaction.
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
			Whether the compaction before the current request failed. A second attempt would probably fail in the same
			way.
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
Returns how many milliseconds a provider caches the prompt of a request, according to its documentation. While the
prompt may still be in the cache, inkpod does not prune old tool outputs.
*/
export function cacheLifetime(model: string): number {
	const provider = providerOf(model);
	return (minutes.get(provider) ?? unknown) * 60_000;
}

/** Prunes old tool outputs that the provider no longer caches. */
async function pruneOld(options: CompactionOptions): Promise<void> {
	const {history, limits, window} = options;
	const max = window();
	if (max === undefined) return;
	await commit(pruneExpired(history.items, {window: max, ...limits.compaction}, options), options);
}

/** Prunes the oldest tool outputs if the request has more than `room` tokens. Returns whether it pruned any. */
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
Tells whether a request failed because it was too long. Some servers refuse a long request without a reason. If such a
request almost fills the window, inkpod assumes that it was too long.
*/
function isTooLong(reason: ModelFailureReason, {history, size, window}: CompactionOptions): boolean {
	if (reason === 'too_long') return true;
	const max = window();
	return unexplained.has(reason) && max !== undefined && size(history.items) > likelyTooLong * max;
}

const unexplained: ReadonlySet<ModelFailureReason> = new Set(['bad_request', 'bad_response', 'other']);

/** A fraction of the model's context window. */
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

/** The functions that the pruning rules need. `size` estimates the tokens of the next request. */
type PruneOptions = {
	readonly clock: Clock;
	readonly size: (items: readonly Item[]) => number;
	/** Estimates the tokens of a text. */
	readonly estimate: (text: string) => number;
};

type ExpiredLimits = {
	readonly window: number;
	/** The fraction of the window above which a compaction begins. */
	readonly threshold: number;
	readonly retainedTokens: number;
};

type Prune = ItemOf<'context'>;

/**
Returns the item that prunes old tool outputs after the provider no longer caches the last request. Returns `undefined`
while the prompt may be in the cache, or if pruning would save too little. While the prompt is cached, pruning would
cost more than it saves. The item does not prune small outputs, the last `retainedTokens` of outputs, or outputs that
the user restored or pinned.
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
Returns the item that prunes as few of the oldest tool outputs as possible, so that the request has at most `room`
tokens. If that is impossible, the item prunes all of them. Returns `undefined` if the request fits or has no such
outputs. The item may also prune outputs that the model has not read yet, because a request that does not fit would end
the run.
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

/** inkpod prunes expired outputs only if the context is larger than this fraction of the threshold. */
const usedShare = 0.5;

/** The smallest fraction of the context that pruning must save. */
const minGain = 0.1;

/** inkpod does not prune a shorter output, because the line that replaces it would save almost nothing. */
const minBytes = 1024;

/** The tools whose old output the model still needs: instructions, the user's answers, and the state of the work. */
const lasting: ReadonlySet<string> = new Set(['workflow', 'ask', 'tasks']);

type Output = {readonly item: ItemOf<'tool_result'>; readonly name: string};

/** Returns the tool outputs in the context that are not pinned or pruned, oldest first. */
function outputsIn(items: readonly Item[]): readonly Output[] {
	const names = new Map<string, string>();
	return contextPieces(items).pieces.flatMap(({item, pinned = false, pruned = false}): readonly Output[] => {
		if (item?.type === 'tool_call') names.set(item.callId, item.name);
		if (item?.type !== 'tool_result' || pinned || pruned) return [];
		return [{item, name: names.get(item.callId) ?? ''}];
	});
}

/** Returns the outputs that are older than the newest `tokens` tokens of outputs. */
function beforeTail(outputs: readonly Output[], tokens: number, {estimate}: PruneOptions): readonly Output[] {
	let size = 0;
	const tail = outputs.findLastIndex(({item}) => (size += estimate(item.content)) > tokens);
	return outputs.slice(0, tail + 1);
}

/**
Returns the ids of the outputs that a rule pruned earlier. If such an output is in the context again, the user restored
it.
*/
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
	// OpenAI caches a prompt for up to an hour while its servers are not busy.
	['openai', 60],
	['azure', 60],
	// DeepSeek caches a prompt for a few hours to a few days.
	['deepseek', 24 * 60],
]);
