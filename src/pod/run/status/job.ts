import type {Outcome} from '../../../worker/index.ts';
import type {Receipt, Refusal, Status, Step} from '../../protocol.ts';
import type {Hub} from './hub.ts';
import {t} from '../../../language/index.ts';
import {messageOf} from '../../ground/values/is-record.ts';

/** The kind of a job. Only one job runs at a time, and only a run can be steered. */
export type JobKind = 'run' | 'shell' | 'abandon' | 'context' | 'compact';

/**
The end of a job. `refused`: the job committed nothing. `unsaved`: history could not be written. `done`: the job was not
a run. After this job, the status is `now`, or the same as before.
*/
export type JobEnd =
	| {readonly type: 'ended'; readonly outcome: Outcome}
	| {readonly type: 'done'; readonly now?: 'idle' | 'paused'}
	| {readonly type: 'refused'; readonly code: Refusal; readonly sentence: string}
	| {readonly type: 'unsaved'; readonly sentence: string};

/**
The work of a job. The function calls `committed` when its first commit is durable. The signal's reason is `pause` or
`cancel`.
*/
export type Task = (signal: AbortSignal, committed: () => void) => Promise<JobEnd>;

/** Runs one job at a time, and sets the status for it. */
export type Jobs = {
	readonly current: () => Pick<Job, 'kind' | 'signal' | 'ended'> | undefined;
	/**
	Starts a job. No other job may be running. Resolves at the first commit, or at the end of the job. If there is no
	step, the status does not become `running`.
	*/
	begin(kind: JobKind, step: Step | undefined, task: Task): Promise<Receipt>;
	/** Stops the current job, and resolves when the job has ended. Resolves immediately if no job runs. */
	stop(reason: 'pause' | 'cancel'): Promise<void>;
};

type Job = {
	readonly kind: JobKind;
	readonly signal: AbortSignal;
	readonly abort: AbortController;
	readonly ended: Promise<void>;
};

type JobEvents = {
	/** Returns the current time in milliseconds. */
	readonly now: () => number;
	/** Called as soon as a job has ended, before the status changes. */
	readonly onEnd: () => void;
	/**
	Called after a job has ended and the status has changed. `isDone`: the job had a step, was complete, and was not
	cancelled.
	*/
	readonly onRest: (isDone: boolean) => void;
};

export function createJobs(hub: Hub, {now, onEnd, onRest}: JobEvents): Jobs {
	let current: Job | undefined;

	async function perform(
		step: Step | undefined,
		task: Task,
		signal: AbortSignal,
		sendReceipt: (receipt: Receipt) => void,
	): Promise<void> {
		const before = hub.status().kind;
		if (step !== undefined) hub.setStatus({kind: 'running', step, since: now()});
		let begun = false;
		const committed = () => {
			begun = true;
			sendReceipt(accepted);
		};
		const end = await task(signal, committed).catch(internalError);
		current = undefined;
		onEnd();
		if (begun && 'sentence' in end) hub.alert({level: 'error', text: end.sentence});
		hub.setStatus({kind: afterwards(end, begun, before), ...atRest});
		sendReceipt(receiptOf(end));
		onRest(step !== undefined && isDone(end));
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

/** Returns the end of a job that failed because of a bug. */
export function internalError(error: unknown): JobEnd {
	return {type: 'refused', code: 'io', sentence: internalErrorText(error)};
}

const atRest = {
	step: undefined,
	retryAt: undefined,
	since: undefined,
	requestedAt: undefined,
	calls: undefined,
} as const;

const afterOutcome: Record<Outcome, Status['kind']> = {
	finished: 'idle',
	limit: 'idle',
	cancelled: 'idle',
	paused: 'paused',
	error: 'paused',
};

function isDone(end: JobEnd): boolean {
	return end.type === 'ended' ? end.outcome !== 'cancelled' : end.type === 'done';
}

/**
Returns the status after a job. A job that was not a run or that committed nothing usually does not change the status.
After a run that history failed to record, the status is `paused`, so that the user can resume the run.
*/
function afterwards(end: JobEnd, begun: boolean, before: Status['kind']): Status['kind'] {
	if (end.type === 'ended') return afterOutcome[end.outcome];
	if (end.type === 'done' && end.now !== undefined) return end.now;
	return begun ? 'paused' : before;
}

/** Returns the text for the user about a job that failed because of a bug. */
function internalErrorText(error: unknown): string {
	return t`Internal error: ${messageOf(error)}`;
}
