import type {Interceptor, ItemOf, ModelFailureReason} from '../../../worker/index.ts';
import {compact, refusedShare, type Compacted, type CompactionOptions, type CompactTrigger} from './compaction.ts';
import {pruneExpired, pruneToFit} from './prune.ts';
import {compactionTexts} from './texts.ts';

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
