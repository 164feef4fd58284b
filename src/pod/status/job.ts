import type {Outcome} from '../../worker/index.ts';
import type {Hub} from './hub.ts';
import type {Receipt, Refusal, Status, Step} from '../protocol.ts';

/** What keeps everything else out while it is under way. Only a run can be steered. */
export type JobKind = 'run' | 'shell' | 'abandon' | 'context' | 'compact';

/**
How a piece of work ended. `done`: it was no run, and the session stands where it stood, or where `now` says. `refused`:
it left no trace. `unsaved`: history could not be written.
*/
export type JobEnd =
	| {readonly type: 'ended'; readonly outcome: Outcome}
	| {readonly type: 'done'; readonly now?: 'idle' | 'paused'}
	| {readonly type: 'refused'; readonly code: Refusal; readonly sentence: string}
	| {readonly type: 'unsaved'; readonly sentence: string};

/** Calls `committed` when its first commit is durable. The signal's reason is `pause` or `cancel`. */
export type Task = (signal: AbortSignal, committed: () => void) => Promise<JobEnd>;

/** One piece of work at a time, and the status that goes with it. */
export type Work = {
	readonly underWay: () => {readonly kind: JobKind; readonly signal: AbortSignal} | undefined;
	/**
	To be called when nothing is under way. The receipt comes at the first commit, or at the end. Without a step the
	status does not say that it runs.
	*/
	begin(kind: JobKind, step: Step | undefined, task: Task): Promise<Receipt>;
	/** Resolves when what is under way has stopped, at once when nothing is. */
	stop(reason: 'pause' | 'cancel'): Promise<void>;
};

/** `onEnd` is called in the same moment in which nothing is under way any more. */
export function createJobs(hub: Hub, onEnd: () => void): Work {
	let underWay:
		| {
				readonly kind: JobKind;
				readonly signal: AbortSignal;
				readonly abort: AbortController;
				readonly ended: Promise<void>;
		  }
		| undefined;

	async function perform(
		step: Step | undefined,
		task: Task,
		signal: AbortSignal,
		give: (receipt: Receipt) => void,
	): Promise<void> {
		const before = hub.status().kind;
		if (step !== undefined) hub.setStatus({kind: 'running', step});
		let begun = false;
		const committed = () => {
			begun = true;
			give(accepted);
		};
		const end = await task(signal, committed).catch(internalError);
		underWay = undefined;
		onEnd();
		if (begun && 'sentence' in end) hub.alert({level: 'error', text: end.sentence});
		hub.setStatus({kind: afterwards(end, begun, before), step: undefined, retryAt: undefined});
		give(receiptOf(end));
	}

	return {
		underWay: () => underWay,
		async begin(kind, step, task) {
			const receipt = Promise.withResolvers<Receipt>();
			const ended = Promise.withResolvers<void>();
			const abort = new AbortController();
			underWay = {kind, signal: abort.signal, abort, ended: ended.promise};
			void perform(step, task, abort.signal, receipt.resolve).then(ended.resolve);
			return receipt.promise;
		},
		async stop(reason) {
			underWay?.abort.abort(reason);
			await underWay?.ended;
		},
	};
}

export const accepted: Receipt = {accepted: true};

export function receiptOf(end: JobEnd): Receipt {
	if (!('sentence' in end)) return accepted;
	return {accepted: false, code: end.type === 'refused' ? end.code : 'io', sentence: end.sentence};
}

/** What a bug is to the person. */
export function internalError(error: unknown): JobEnd {
	return {type: 'refused', code: 'io', sentence: `Internal error: ${sentenceOf(error)}`};
}

export function sentenceOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

const afterOutcome: Record<Outcome, Status['kind']> = {
	finished: 'idle',
	limit: 'idle',
	cancelled: 'idle',
	paused: 'paused',
	error: 'paused',
};

/**
What was no run or came to nothing leaves the status as it was; a run whose history failed midway can be gone on with.
*/
function afterwards(end: JobEnd, begun: boolean, before: Status['kind']): Status['kind'] {
	if (end.type === 'ended') return afterOutcome[end.outcome];
	if (end.type === 'done' && end.now !== undefined) return end.now;
	return begun ? 'paused' : before;
}
