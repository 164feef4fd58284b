import type {Interceptor} from '../../worker/index.ts';
import {compact, type Compacted, type CompactionOptions, type CompactTrigger} from './compaction.ts';

export type {Compacted} from './compaction.ts';

export type Compaction = {
	/** At the person's word. */
	compact(hint: string | undefined, signal: AbortSignal): Promise<Compacted>;
	/**
	Compacts during the run whose signal this is: before a request, when the context has passed the threshold; and once
	when a provider refuses one for its length.
	*/
	interceptor(signal: AbortSignal): Required<Pick<Interceptor, 'preRequest' | 'onRequestFailure'>>;
};

export type AutomaticOptions = CompactionOptions & {
	/** A compaction begins within a run. */
	readonly onBegin: () => void;
};

/**
Compaction of one session. By itself it is done until it has failed three times in a row; what it says then is an alert,
and the run goes on.
*/
export function createCompaction(options: AutomaticOptions): Compaction {
	const {history, limits, size, window, onAlert, onBegin} = options;
	let failures = 0;
	let toldNothing = false;
	const isOff = () => failures >= mostFailures;

	function conclude(done: Compacted, trigger: CompactTrigger): void {
		if (done.ok) [failures, toldNothing] = [0, false];
		if (done.ok || done.reason === 'aborted') return;
		if (done.reason === 'nothing') {
			// Of a context that cannot be made smaller it is said once, not before every request.
			if (!toldNothing && trigger === 'threshold')
				onAlert({
					level: 'warn',
					text: `The context has passed ${percent(limits.compaction.threshold)} of the model’s window, and there is too little in it that could be summarised.`,
				});
			toldNothing = true;
			return;
		}
		failures++;
		onAlert({level: 'warn', text: `The context was not compacted: ${done.sentence}`});
		if (isOff())
			onAlert({
				level: 'warn',
				text: `That failed ${mostFailures} times in a row: in this session nothing is compacted by itself any more. /compact still does it.`,
			});
	}

	async function attempt(trigger: CompactTrigger, signal: AbortSignal): Promise<Compacted> {
		onBegin();
		const done = await compact({trigger, signal}, options);
		conclude(done, trigger);
		return done;
	}

	return {
		compact: async (hint, signal) => compact({trigger: 'manual', hint, signal}, options),
		interceptor(signal) {
			/** It failed before the request that is under way: nothing is different a moment later. */
			let failedNow = false;
			return {
				async preRequest() {
					failedNow = false;
					if (isOff() || signal.aborted) return {type: 'continue'};
					const most = window();
					if (most === undefined || size(history.items) <= limits.compaction.threshold * most)
						return {type: 'continue'};
					const done = await attempt('threshold', signal);
					failedNow = !done.ok && done.reason !== 'nothing';
					return {type: 'continue'};
				},
				async onRequestFailure({reason}) {
					if (reason !== 'too_long' || isOff() || failedNow || signal.aborted) return {type: 'fail'};
					const done = await attempt('too_long', signal);
					return {type: done.ok ? 'retry' : 'fail'};
				},
			};
		},
	};
}

const mostFailures = 3;

function percent(share: number): string {
	return `${Math.round(share * 100)} %`;
}
