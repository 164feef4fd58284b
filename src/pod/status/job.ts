import type {Outcome} from '../../worker/index.ts';
import type {Receipt, Refusal, Status, Step} from '../protocol.ts';
import type {Hub} from './hub.ts';
import {internalErrorText} from './texts.ts';

/** What a job does. While one runs, no other one begins. Only a run can be steered. */
export type JobKind = 'run' | 'shell' | 'abandon' | 'context' | 'compact';

/**
How a job ended. `done`: it was not a run; the status is as before, or as `now` says. `refused`: it left no trace.
`unsaved`: history could not be written.
*/
export type JobEnd =
	| {readonly type: 'ended'; readonly outcome: Outcome}
	| {readonly type: 'done'; readonly now?: 'idle' | 'paused'}
	| {readonly type: 'refused'; readonly code: Refusal; readonly sentence: string}
	| {readonly type: 'unsaved'; readonly sentence: string};

/** Calls `committed` when its first commit is durable. The signal's reason is `pause` or `cancel`. */
export type Task = (signal: AbortSignal, committed: () => void) => Promise<JobEnd>;

/** One job at a time, and the status that goes with it. */
export type Jobs = {
	readonly current: () => {readonly kind: JobKind; readonly signal: AbortSignal} | undefined;
	/**
	Begins a job; no other one may be running. The receipt comes at the first commit, or at the end. Without a step the
	status does not become `running`.
	*/
	begin(kind: JobKind, step: Step | undefined, task: Task): Promise<Receipt>;
	/** Resolves when the current job has stopped; at once when there is none. */
	stop(reason: 'pause' | 'cancel'): Promise<void>;
};

type Job = {
	readonly kind: JobKind;
	readonly signal: AbortSignal;
	readonly abort: AbortController;
	readonly ended: Promise<void>;
};

/** `onEnd` is called in the moment in which no job is current any more. */
export function createJobs(hub: Hub, onEnd: () => void): Jobs {
	let current: Job | undefined;

	async function perform(
		step: Step | undefined,
		task: Task,
		signal: AbortSignal,
		sendReceipt: (receipt: Receipt) => void,
	): Promise<void> {
		const before = hub.status().kind;
		if (step !== undefined) hub.setStatus({kind: 'running', step});
		let begun = false;
		const committed = () => {
			begun = true;
			sendReceipt(accepted);
		};
		const end = await task(signal, committed).catch(internalError);
		current = undefined;
		onEnd();
		if (begun && 'sentence' in end) hub.alert({level: 'error', text: end.sentence});
		hub.setStatus({kind: afterwards(end, begun, before), step: undefined, retryAt: undefined});
		sendReceipt(receiptOf(end));
	}

	return {
		current: () => current,
		async begin(kind, step, task) {
			const receipt = Promise.withResolvers<Receipt>();
			const ended = Promise.withResolvers<void>();
			const abort = new AbortController();
			current = {kind, signal: abort.signal, abort, ended: ended.promise};
			void perform(step, task, abort.signal, receipt.resolve).then(ended.resolve);
			return receipt.promise;
		},
		async stop(reason) {
			current?.abort.abort(reason);
			await current?.ended;
		},
	};
}

export const accepted: Receipt = {accepted: true};

export function receiptOf(end: JobEnd): Receipt {
	if (!('sentence' in end)) return accepted;
	return {accepted: false, code: end.type === 'refused' ? end.code : 'io', sentence: end.sentence};
}

/** A bug, as the user reads of it. */
export function internalError(error: unknown): JobEnd {
	return {type: 'refused', code: 'io', sentence: internalErrorText(error)};
}

const afterOutcome: Record<Outcome, Status['kind']> = {
	finished: 'idle',
	limit: 'idle',
	cancelled: 'idle',
	paused: 'paused',
	error: 'paused',
};

/** A job that was not a run, or left no trace, keeps the status. A run whose history failed midway can be resumed. */
function afterwards(end: JobEnd, begun: boolean, before: Status['kind']): Status['kind'] {
	if (end.type === 'ended') return afterOutcome[end.outcome];
	if (end.type === 'done' && end.now !== undefined) return end.now;
	return begun ? 'paused' : before;
}
