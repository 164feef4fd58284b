import type {History, Interceptor, Message} from '../../worker/index.ts';
import {createSteeringQueue, type Waiting} from './steering-queue.ts';
import {commitNotifications, unanswered} from './notification.ts';
import type {Receipt, Segment} from '../protocol.ts';
import type {Rejection, Submission} from '../submission/submission.ts';

/**
What is said to a run under way, by the person or by a notification: resolved at once, delivered in order at the next
request edge.
*/
export type Steering = {
	/** Takes a draft in for the run whose signal this is. Its receipt comes at the commit, or at the refusal. */
	add(segments: readonly Segment[], run: AbortSignal): Promise<Receipt>;
	/**
	Takes a notification in. One that no request of this run takes is committed behind it. `forRun`: a run that would
	end goes on for it.
	*/
	notify(item: Message, forRun: boolean): Promise<Receipt>;
	/** What delivers during the run whose signal this is. */
	interceptor(run: AbortSignal): Pick<Interceptor, 'preRequest' | 'onTurnEnd'>;
	/** The run is over: of what was not delivered, notifications are committed, and the rest is refused. */
	end(): void;
	/** Resolves when what `end` commits is durable, or has failed. */
	settled(): Promise<void>;
};

export type SteeringOptions = {
	readonly history: History;
	/** Ends soon when the signal is aborted. */
	readonly resolve: (segments: readonly Segment[], signal: AbortSignal) => Promise<Submission | Rejection>;
	/** What of the person's waits, oldest first, whenever that changes. */
	readonly onQueue: (queue: ReadonlyArray<readonly Segment[]>) => void;
	/** A submission is in history. */
	readonly onCommit: (submission: Submission) => void;
};

/** Steering of one run after the other over a history. */
export function createSteering({history, resolve, onQueue, onCommit}: SteeringOptions): Steering {
	const queue = createSteeringQueue(history, onQueue);
	let over = new AbortController();
	let committing: Promise<unknown> = Promise.resolve();

	async function resolved(waiting: Waiting, segments: readonly Segment[], signal: AbortSignal): Promise<void> {
		try {
			const result = await resolve(segments, signal);
			if (result.ok) {
				waiting.items = [result.user, ...result.attachments];
				waiting.onCommit = () => onCommit(result);
				return;
			}
			queue.leave(waiting);
			waiting.receipt.resolve(
				signal.aborted ? notDelivered : {accepted: false, code: result.code, sentence: result.sentence},
			);
		} catch (error) {
			queue.leave(waiting);
			waiting.receipt.reject(error);
		}
	}

	return {
		async add(segments, run) {
			const waiting: Waiting = {
				said: segments,
				notice: undefined,
				keepsRun: true,
				receipt: Promise.withResolvers(),
				ready: Promise.resolve(),
				items: undefined,
				taken: false,
			};
			queue.add(waiting);
			waiting.ready = resolved(waiting, segments, AbortSignal.any([run, over.signal]));
			return waiting.receipt.promise;
		},
		async notify(item, forRun) {
			const waiting: Waiting = {
				said: undefined,
				notice: item,
				keepsRun: forRun,
				receipt: Promise.withResolvers(),
				ready: Promise.resolve(),
				items: [item],
				taken: false,
			};
			queue.add(waiting);
			return waiting.receipt.promise;
		},
		interceptor: run => ({
			preRequest() {
				const items = run.aborted ? [] : queue.take();
				return items.length === 0 ? {type: 'continue'} : {type: 'continueWith', items};
			},
			async onTurnEnd() {
				for (let next = queue.keeper(); next !== undefined; next = queue.keeper()) {
					await next.ready;
					if (run.aborted) break;
					const items = queue.has(next) ? queue.take() : [];
					if (items.length > 0) return {type: 'continueWith', items};
				}
				return {type: 'finish'};
			},
		}),
		end() {
			over.abort();
			over = new AbortController();
			const left = queue.clear();
			for (const {said, receipt} of left) if (said !== undefined) receipt.resolve(notDelivered);
			const notices = left.flatMap(({notice, receipt}) => (notice === undefined ? [] : [{notice, receipt}]));
			if (notices.length === 0) return;
			// Called at once: what a next run commits comes behind it.
			const done = commitNotifications(
				history,
				notices.map(({notice}) => unanswered(notice)),
			);
			committing = done.catch(() => {});
			for (const {receipt} of notices) receipt.resolve(done);
		},
		settled: async () => void (await committing),
	};
}

const notDelivered: Receipt = {
	accepted: false,
	code: 'aborted',
	sentence: 'The run ended before the message was delivered.',
};
