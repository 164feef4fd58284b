import type {History, Interceptor, Item} from '../worker/index.ts';
import type {Receipt, Segment} from './protocol.ts';
import type {Rejection, Submission} from './submission/submission.ts';

/** What the person says to a run under way: resolved at once, delivered in order at the next request edge. */
export type Steering = {
	/** Takes a draft in for the run whose signal this is. Its receipt comes at the commit, or at the refusal. */
	add(segments: readonly Segment[], run: AbortSignal): Promise<Receipt>;
	/** What delivers during the run whose signal this is. */
	interceptor(run: AbortSignal): Pick<Interceptor, 'preRequest' | 'onTurnEnd'>;
	/** The run is over: what was not delivered is refused. */
	end(): void;
};

export type SteeringOptions = {
	readonly history: History;
	/** Ends soon when the signal is aborted. */
	readonly resolve: (segments: readonly Segment[], signal: AbortSignal) => Promise<Submission | Rejection>;
	/** What waits, oldest first, whenever that changes. */
	readonly onQueue: (queue: ReadonlyArray<readonly Segment[]>) => void;
	/** A submission is in history. */
	readonly onCommit: (submission: Submission) => void;
};

/** Steering of one run after the other over a history. A draft waits until its user item is seen in history, so it is delivered or refused, and never both. */
export function createSteering({history, resolve, onQueue, onCommit}: SteeringOptions): Steering {
	let queue: readonly Waiting[] = [];
	let over = new AbortController();

	function setQueue(next: readonly Waiting[]): void {
		queue = next;
		onQueue(queue.map(({segments}) => segments));
	}

	function leave(waiting: Waiting): void {
		if (queue.includes(waiting)) setQueue(queue.filter(other => other !== waiting));
	}

	async function resolved(waiting: Waiting, signal: AbortSignal): Promise<void> {
		try {
			const result = await resolve(waiting.segments, signal);
			if (result.ok) {
				waiting.submission = result;
				return;
			}
			leave(waiting);
			waiting.receipt.resolve(signal.aborted ? notDelivered : {accepted: false, code: result.code, sentence: result.sentence});
		} catch (error) {
			leave(waiting);
			waiting.receipt.reject(error);
		}
	}

	/** What is ready, oldest first: what waits behind a draft that is not ready waits with it. */
	function take(): Item[] {
		const behind = queue.findIndex(({submission}) => submission === undefined);
		const ready = queue.slice(0, behind === -1 ? undefined : behind).filter(({taken}) => !taken);
		return ready.flatMap(waiting => {
			waiting.taken = true;
			return [waiting.submission!.user, ...waiting.submission!.attachments];
		});
	}

	history.observe(item => {
		const waiting = queue.find(({submission}) => submission?.user.id === item.id);
		if (waiting === undefined) return;
		leave(waiting);
		onCommit(waiting.submission!);
		waiting.receipt.resolve({accepted: true});
	});

	return {
		async add(segments, run) {
			const waiting: Waiting = {segments, receipt: Promise.withResolvers(), ready: Promise.resolve(), submission: undefined, taken: false};
			setQueue([...queue, waiting]);
			waiting.ready = resolved(waiting, AbortSignal.any([run, over.signal]));
			return waiting.receipt.promise;
		},
		interceptor: run => ({
			preRequest() {
				const items = run.aborted ? [] : take();
				return items.length === 0 ? {type: 'continue'} : {type: 'continueWith', items};
			},
			async onTurnEnd() {
				while (queue.length > 0) {
					await queue[0]!.ready;
					if (run.aborted) break;
					const items = take();
					if (items.length > 0) return {type: 'continueWith', items};
				}
				return {type: 'finish'};
			},
		}),
		end() {
			over.abort();
			over = new AbortController();
			if (queue.length === 0) return;
			const left = queue;
			setQueue([]);
			for (const {receipt} of left) receipt.resolve(notDelivered);
		},
	};
}

type Waiting = {
	readonly segments: readonly Segment[];
	readonly receipt: PromiseWithResolvers<Receipt>;
	/** Resolves when it is resolved or refused. */
	ready: Promise<void>;
	submission: Submission | undefined;
	/** Handed to the run, which is about to commit it. */
	taken: boolean;
};

const notDelivered: Receipt = {accepted: false, code: 'aborted', sentence: 'The run ended before the message was delivered.'};
