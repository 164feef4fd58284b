import {
	type Draft,
	type Interceptor,
	type Item,
	type Message,
	type Model,
	type RunOptions,
	type Worker,
	setupChange,
	type Clock,
	type History,
} from '../../../worker/index.ts';
import type {ModelConfirmed} from '../../models/fallback.ts';
import type {Following} from '../../ground/history/interrupt.ts';
import type {Segment} from '../../protocol.ts';
import type {JobEnd} from '../status/job.ts';
import type {Rejection, Submission} from '../../references/submission/submission.ts';
import type {Recovery} from './recovery.ts';
import type {ExactConfirmed} from '../../context/answered/answered.ts';
import type {SendConfirmed} from '../../context/truncation/truncation.ts';
import {stoppedText} from './texts.ts';
import type {DirectoryConfirmed} from './working-directory.ts';

/** The beginning of a turn. */
export type Pending =
	| {readonly type: 'run'; readonly segments: readonly Segment[]; readonly id?: string}
	| {readonly type: 'runForNotification'; readonly text: string}
	| {readonly type: 'task'; readonly text: string}
	| {readonly type: 'resume'};

/**
Turns a user's message into items, or rejects the message without a change of history. `id`: the id of the message in
the queue. Resolves soon after the signal is aborted.
*/
export type Resolve = (
	segments: readonly Segment[],
	signal: AbortSignal,
	id?: string,
) => Promise<Submission | Rejection>;

/** The turns of a session. They call `committed` when the first commit of a turn is durable. */
export type Turns = {
	/** Starts a turn. The signal's reason is `pause` or `cancel`. */
	start(pending: Pending, signal: AbortSignal, committed: () => void): Promise<JobEnd>;
	/** Discards the paused turn: closes its open calls and records its run as cancelled. */
	abandon(): Promise<JobEnd>;
};

export type TurnOptions = {
	readonly worker: Worker;
	readonly recovery: Recovery;
	/** Asks whether the session may continue in another working directory. */
	readonly confirmDirectory: (signal: AbortSignal) => Promise<DirectoryConfirmed>;
	/** Asks whether inkpod may send the session to its model, if the user has to decide that. */
	readonly confirmModel: (signal: AbortSignal) => Promise<ModelConfirmed>;
	/** Asks whether to send the next request, if the server dropped the beginning of the last request. */
	readonly confirmTruncated: (signal: AbortSignal) => Promise<SendConfirmed>;
	/** Asks whether to send the next request, if another model answered and the user does not allow that. */
	readonly confirmExact: (signal: AbortSignal) => Promise<ExactConfirmed>;
	readonly resolve: Resolve;
	/** Loads the model, and prepares the tools that can change, such as those of MCP servers. */
	readonly prepare: (signal: AbortSignal) => Promise<Model>;
	/** Called before a submission is committed. */
	readonly accept: (submission: Submission) => Promise<void>;
	readonly notice: (text: string) => Message;
	/** Creates the first message of a child session. */
	readonly task: (text: string) => Message;
	/** Returns the item that records the settings that the user has changed since the last turn. */
	readonly modeChange: () => readonly Item[];
	/** Returns the items with instructions that are new or have changed. */
	readonly instructions: (attachments: readonly Message[], signal: AbortSignal) => Promise<readonly Item[]>;
	/** Returns the setup of the next request. */
	readonly setup: () => Promise<Draft<'setup'>>;
	readonly interceptor: (signal: AbortSignal, attachments: readonly Message[]) => Interceptor;
};

export function createTurns(options: TurnOptions): Turns {
	const {recovery} = options;
	return {
		start: async (pending, signal, committed) =>
			recovery.orUnsaved(async () => {
				const {confirmDirectory, confirmModel, confirmTruncated, confirmExact} = options;
				for (const confirm of [confirmDirectory, confirmModel, confirmTruncated, confirmExact]) {
					const confirmed = await confirm(signal);
					if (!confirmed.ok) return refusedBy(confirmed);
				}
				return createTurn(options, signal, committed).take(pending);
			}),
		abandon: async () =>
			recovery.orUnsaved(async () => {
				await recovery.closeForGood();
				return {type: 'ended', outcome: 'cancelled'};
			}),
	};
}

/**
Pauses a run at its next boundary: before a request, or before a call that has not begun. So the pause does not
interrupt an answer or a tool.
*/
export type Boundary = {
	readonly isWanted: () => boolean;
	/** Sets whether runs pause at their next boundary. */
	want(isWanted: boolean): void;
	readonly interceptor: Required<Pick<Interceptor, 'preRequest' | 'preToolCall'>>;
};

export function createBoundary(): Boundary {
	let wanted = false;
	const pauseHere = () => ({type: wanted ? 'pause' : 'continue'}) as const;
	return {
		isWanted: () => wanted,
		want(isWanted) {
			wanted = isWanted;
		},
		interceptor: {preRequest: pauseHere, preToolCall: pauseHere},
	};
}

/** Before each request, updates the offered tools if they have changed. Commits the new setup. */
export function renewTools({renew, history, clock, setup}: RenewOptions, signal: AbortSignal): Interceptor {
	return {
		async preRequest() {
			if (!(await renew(signal))) return {type: 'continue'};
			// The setup may be the same, because it does not contain the full definition of a deferred tool.
			const changed = setupChange(history, await setup(), clock);
			if (changed.length > 0) await history.append(changed);
			return {type: 'continue'};
		},
	};
}

/** The message that a turn answers, and its attachments. */
type Prompt = {
	readonly message: () => Message;
	readonly attachments: readonly Message[];
	readonly follows: Following;
};

/** Creates one turn. */
function createTurn(options: TurnOptions, signal: AbortSignal, committed: () => void) {
	const {worker, recovery} = options;

	async function submit(segments: readonly Segment[], id?: string): Promise<JobEnd> {
		const submission = await options.resolve(segments, signal, id);
		if (!submission.ok) return refusedBy(submission);
		const model = await options.prepare(signal);
		if (signal.aborted) return stopped;
		await options.accept(submission);
		const {user, attachments} = submission;
		return answer(model, {message: () => user, attachments, follows: 'words'});
	}

	async function answerTo(message: () => Message, follows: Following): Promise<JobEnd> {
		const model = await options.prepare(signal);
		if (signal.aborted) return stopped;
		return answer(model, {message, attachments: [], follows});
	}

	async function resume(): Promise<JobEnd> {
		const model = await options.prepare(signal);
		if (signal.aborted) return stopped;
		return recovery.endOf(
			await worker.resume(
				await runOptions(model, [...(await recovery.beforeResume()), ...options.modeChange()], []),
			),
		);
	}

	async function answer(model: Model, {message, attachments, follows}: Prompt): Promise<JobEnd> {
		const before = await recovery.closeBefore(follows);
		const instructions = await options.instructions(attachments, signal);
		const run = await runOptions(model, before, attachments);
		return recovery.endOf(await worker.run([...instructions, ...options.modeChange(), message()], run));
	}

	async function runOptions(
		model: Model,
		before: readonly Item[],
		attachments: readonly Message[],
	): Promise<RunOptions> {
		const setup = await options.setup();
		const interceptor = options.interceptor(signal, attachments);
		return {model, setup, interceptor, signal, onCommit: committed, lostEnd: recovery.lostEnd(), before};
	}

	return {
		async take(pending: Pending): Promise<JobEnd> {
			if (pending.type === 'run') return submit(pending.segments, pending.id);
			if (pending.type === 'resume') return resume();
			if (pending.type === 'task') return answerTo(() => options.task(pending.text), 'words');
			return answerTo(() => options.notice(pending.text), 'notification');
		},
	};
}

function refusedBy({code, sentence}: Pick<Extract<JobEnd, {type: 'refused'}>, 'code' | 'sentence'>): JobEnd {
	return {type: 'refused', code, sentence};
}

/** The end of a job that the user stopped before its first commit. */
const stopped: JobEnd = {type: 'refused', code: 'aborted', sentence: stoppedText};

type RenewOptions = {
	/** Looks for changes of the tools. Returns whether the tools have changed. */
	readonly renew: (signal: AbortSignal) => Promise<boolean>;
	readonly history: Pick<History, 'append' | 'items'>;
	readonly clock: Clock;
	readonly setup: () => Promise<Draft<'setup'>>;
};
