import type {History, Interceptor, Message, Item} from '../../../worker/index.ts';
import type {Receipt, Segment} from '../../protocol.ts';
import type {Submission} from '../../references/submission/submission.ts';
import {commitNotifications, unanswered} from './recovery.ts';
import {notDeliveredText} from './texts.ts';
import type {Resolve} from './turn.ts';

/**
The messages and notifications that arrive during a run. Messages are resolved immediately, and delivered in order with
the next request.
*/
export type Steering = {
	/** Adds a message for the run of this signal. Resolves when the message is committed or refused. */
	add(segments: readonly Segment[], run: AbortSignal, id?: string): Promise<Receipt>;
	/**
	Adds a notification. If no request of this run delivers the notification, it is committed after the run. `forRun`: a
	run that is about to end continues to deliver it.
	*/
	notify(item: Message, forRun: boolean): Promise<Receipt>;
	/** Creates the interceptor that delivers messages during the run of this signal. */
	interceptor(run: AbortSignal): Pick<Interceptor, 'preRequest' | 'onTurnEnd'>;
	/** Called at the end of a run. Commits the undelivered notifications, and refuses the undelivered messages. */
	end(): void;
	/** Resolves when the commits of `end` are durable or have failed. */
	settled(): Promise<void>;
};

type SteeringOptions = {
	readonly history: History;
	readonly resolve: Resolve;
	/** Called when a submission is in history. */
	readonly onCommit: (submission: Submission) => void;
};

/** Creates the steering for the runs of a history. Only one run is active at a time. */
export function createSteering(options: SteeringOptions): Steering {
	const {history} = options;
	const queue = createSteeringQueue(history);
	let over = new AbortController();
	let committing: Promise<unknown> = Promise.resolve();

	return {
		async add(segments, run, id) {
			const waiting = waitingFor({segments, keepsRun: true});
			queue.add(waiting);
			const signal = AbortSignal.any([run, over.signal]);
			waiting.ready = resolveWaiting(waiting, options.resolve(segments, signal, id), signal, queue, options);
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

/**
Sets the items of a waiting message. If the message is rejected, removes it from the queue and settles its receipt.
*/
async function resolveWaiting(
	waiting: Waiting,
	resolving: ReturnType<Resolve>,
	signal: AbortSignal,
	queue: SteeringQueue,
	{onCommit}: SteeringOptions,
): Promise<void> {
	try {
		const result = await resolving;
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

/**
Creates the interceptor that delivers ready items with each request. The interceptor continues a run for items that need
an answer.
*/
function deliveries(queue: SteeringQueue, run: AbortSignal): Required<Pick<Interceptor, 'preRequest' | 'onTurnEnd'>> {
	return {
		preRequest() {
			const items = run.aborted ? [] : queue.take();
			return items.length === 0 ? {type: 'continue'} : {type: 'continueWith', items};
		},
		async onTurnEnd() {
			for (let next = queue.keepers(); next.length > 0; next = queue.keepers()) {
				await Promise.all(next.map(async ({ready}) => ready));
				if (run.aborted) break;
				const items = next.some(waiting => queue.has(waiting)) ? queue.take() : [];
				if (items.length > 0) return {type: 'continueWith', items};
			}
			return {type: 'finish'};
		},
	};
}

/**
Refuses messages and commits notifications. The append starts immediately, so that the items of the next run come later.
The promise resolves when the append has ended. The promise never rejects, because the receipts report failures.
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

/** A message or notification that waits for the next request of the current run. */
type Waiting = {
	/** The user's message. `undefined` for a notification. */
	readonly segments: readonly Segment[] | undefined;
	readonly notice: Message | undefined;
	/** Whether a run that is about to end continues for this message. */
	readonly keepsRun: boolean;
	readonly receipt: PromiseWithResolvers<Receipt>;
	/** Resolves when the message is resolved or refused. */
	ready: Promise<void>;
	/**
	The items to commit, or `undefined` while the message is being resolved. The id of the first item identifies the
	message in history.
	*/
	items: readonly Item[] | undefined;
	onCommit?: () => void;
	/** Whether the run has taken the message and will commit it soon. */
	taken: boolean;
};

/**
The waiting messages, oldest first. A message stays in the queue until its first item is in history. So each message is
either delivered or refused, and never both.
*/
type SteeringQueue = {
	add(waiting: Waiting): void;
	/** Removes a message without delivering it. */
	remove(waiting: Waiting): void;
	has(waiting: Waiting): boolean;
	/** Returns the messages for which a run must continue before it ends. */
	keepers(): readonly Waiting[];
	/**
	Returns the items of the ready messages that the run has not taken yet. If a message is not ready, the messages
	after it wait.
	*/
	take(): Item[];
	/** Removes all messages and returns them. */
	clear(): readonly Waiting[];
};

function createSteeringQueue(history: History): SteeringQueue {
	let queue: readonly Waiting[] = [];

	function remove(waiting: Waiting): void {
		queue = queue.filter(other => other !== waiting);
	}

	history.observe(item => {
		const waiting = queue.find(({items}) => items?.[0]?.id === item.id);
		if (waiting === undefined) return;
		remove(waiting);
		waiting.onCommit?.();
		waiting.receipt.resolve({accepted: true});
	});

	return {
		add(waiting) {
			queue = [...queue, waiting];
		},
		remove,
		has: waiting => queue.includes(waiting),
		keepers: () => queue.filter(({keepsRun}) => keepsRun),
		take() {
			const ready: Item[] = [];
			for (const waiting of queue) {
				if (waiting.items === undefined) break;
				if (!waiting.taken) ready.push(...waiting.items);
				waiting.taken = true;
			}
			return ready;
		},
		clear() {
			const left = queue;
			queue = [];
			return left;
		},
	};
}
