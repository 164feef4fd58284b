import type {History, Interceptor, Message} from '../../worker/index.ts';
import type {Receipt, Segment} from '../protocol.ts';
import type {Rejection, Submission} from '../submission/submission.ts';
import {commitNotifications, unanswered} from './notification.ts';
import {createSteeringQueue, type SteeringQueue, type Waiting} from './steering-queue.ts';
import {notDeliveredText} from './texts.ts';

/**
What you or a notification say to the current run: resolved at once, delivered in order with the next request.
*/
export type Steering = {
	/** Takes a message in for the run whose signal this is. Its receipt comes at the commit, or at the refusal. */
	add(segments: readonly Segment[], run: AbortSignal): Promise<Receipt>;
	/**
	Takes a notification in. One that no request of this run takes is committed after it. `forRun`: a run that would end
	continues for it.
	*/
	notify(item: Message, forRun: boolean): Promise<Receipt>;
	/** Delivers during the run whose signal this is. */
	interceptor(run: AbortSignal): Pick<Interceptor, 'preRequest' | 'onTurnEnd'>;
	/** The run is over: notifications that were not delivered are committed, messages are refused. */
	end(): void;
	/** Resolves when what `end` commits is durable, or has failed. */
	settled(): Promise<void>;
};

export type SteeringOptions = {
	readonly history: History;
	/** Ends soon when the signal is aborted. */
	readonly resolve: (segments: readonly Segment[], signal: AbortSignal) => Promise<Submission | Rejection>;
	/** The user's messages that wait, oldest first, whenever they change. */
	readonly onQueue: (queue: ReadonlyArray<readonly Segment[]>) => void;
	/** A submission is in history. */
	readonly onCommit: (submission: Submission) => void;
};

/** Steering of one run after the other over a history. */
export function createSteering(options: SteeringOptions): Steering {
	const {history} = options;
	const queue = createSteeringQueue(history, options.onQueue);
	let over = new AbortController();
	let committing: Promise<unknown> = Promise.resolve();

	return {
		async add(segments, run) {
			const waiting = waitingFor({segments, keepsRun: true});
			queue.add(waiting);
			waiting.ready = resolveWaiting(waiting, segments, AbortSignal.any([run, over.signal]), queue, options);
			return waiting.receipt.promise;
		},
		async notify(item, forRun) {
			const waiting = waitingFor({notice: item, keepsRun: forRun});
			queue.add(waiting);
			return waiting.receipt.promise;
		},
		interceptor: run => deliveries(queue, run),
		end() {
			over.abort();
			over = new AbortController();
			committing = Promise.all([committing, giveUp(queue.clear(), history)]);
		},
		settled: async () => void (await committing),
	};
}

function waitingFor({
	segments,
	notice,
	keepsRun,
}: Partial<Pick<Waiting, 'segments' | 'notice'>> & Pick<Waiting, 'keepsRun'>): Waiting {
	return {
		segments,
		notice,
		keepsRun,
		receipt: Promise.withResolvers(),
		ready: Promise.resolve(),
		items: notice === undefined ? undefined : [notice],
		taken: false,
	};
}

/** Finds the items of a message that waits, or takes it out and settles its receipt. */
async function resolveWaiting(
	waiting: Waiting,
	segments: readonly Segment[],
	signal: AbortSignal,
	queue: SteeringQueue,
	{resolve, onCommit}: SteeringOptions,
): Promise<void> {
	try {
		const result = await resolve(segments, signal);
		if (result.ok) {
			waiting.items = [result.user, ...result.attachments];
			waiting.onCommit = () => onCommit(result);
			return;
		}
		queue.remove(waiting);
		const {code, sentence} = result;
		waiting.receipt.resolve(signal.aborted ? notDelivered : {accepted: false, code, sentence});
	} catch (error) {
		queue.remove(waiting);
		waiting.receipt.reject(error);
	}
}

/** Delivers with each request what is ready, and keeps a run from ending before what it continues for. */
function deliveries(queue: SteeringQueue, run: AbortSignal): Required<Pick<Interceptor, 'preRequest' | 'onTurnEnd'>> {
	return {
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
	};
}

/**
Refuses messages and commits notifications. The append is called at once: what a next run commits comes after it.
Resolves when it is done, and never rejects: the receipts carry what went wrong.
*/
async function giveUp(left: readonly Waiting[], history: History): Promise<void> {
	for (const {segments, receipt} of left) if (segments !== undefined) receipt.resolve(notDelivered);
	const notices = left.flatMap(({notice, receipt}) => (notice === undefined ? [] : [{notice, receipt}]));
	if (notices.length === 0) return;
	const done = commitNotifications(
		history,
		notices.map(({notice}) => unanswered(notice)),
	);
	for (const {receipt} of notices) receipt.resolve(done);
	await done.catch(() => {});
}

const notDelivered: Receipt = {accepted: false, code: 'aborted', sentence: notDeliveredText};
