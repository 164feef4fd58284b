import {
	HistoryError,
	stamp,
	type Clock,
	type History,
	type Item,
	type RunResult,
	cutText,
	type Message,
} from '../../../worker/index.ts';
import {closingResults, interruption, missingRunEnd} from '../../ground/history/reader.ts';
import {closureCauses, interruptItems, type Following} from '../../ground/history/interrupt.ts';
import type {Hub} from '../status/hub.ts';
import type {JobEnd} from '../status/job.ts';
import {en} from '../../../language/index.ts';
import type {Receipt} from '../../protocol.ts';

/** Completes the history of an interrupted run, and handles a run whose end could not be saved. */
export type Recovery = {
	/**
	Returns the reason why history does not contain the `run_end` of the last run, if the item could not be saved.
	*/
	lostEnd(): string | undefined;
	/** Returns the output of an interrupted run's commands that history does not contain yet. */
	recoverOutputs(): Promise<readonly Item[]>;
	/** Returns the items that come before a resumed run. Calls that the run will execute again stay open. */
	beforeResume(): Promise<readonly Item[]>;
	/** Returns the items that close an interrupted run before a new one. */
	closeBefore(follows: Following): Promise<readonly Item[]>;
	/** Closes an interrupted run as cancelled, so that nobody can resume it. Rejects like `append`. */
	closeForGood(): Promise<void>;
	/** Converts the result of a run into the end of its job. */
	endOf(result: RunResult): JobEnd;
	/** Runs a step of a job. If history cannot be written, the job ends with that failure. */
	orUnsaved(step: () => Promise<JobEnd>): Promise<JobEnd>;
};

type RecoveryOptions = {
	readonly history: History;
	readonly hub: Pick<Hub, 'dropTail'>;
	readonly clock: Clock;
	readonly sessionDir: string;
	/** The maximum number of bytes of output that inkpod stores. */
	readonly maxBytes: number;
	/**
	Returns the items of features that end the unfinished work of the run. `isResumed`: the run is resumed and continues
	the work of its calls.
	*/
	readonly lost: (how: {readonly isResumed: boolean}) => Promise<readonly Item[]>;
};

export function createRecovery(options: RecoveryOptions): Recovery {
	const {history, hub, clock, sessionDir, maxBytes, lost} = options;
	let lostEnd: string | undefined;

	async function recoverOutputs(): Promise<readonly Item[]> {
		if (interruption(history.items) === undefined) return [];
		const {recoverOutputs: read} = await import('../../tools/processes/recover-output.ts');
		return read(history.items, {sessionDir, clock, maxBytes});
	}

	/**
	Returns the end of a run that could not be saved. Drops the streamed text of the run, so that it does not look
	saved. The next run records why this run has no `run_end`.
	*/
	function unsaved(error: HistoryError): JobEnd {
		hub.dropTail();
		lostEnd = error.message;
		return {type: 'unsaved', sentence: error.message};
	}

	return {
		lostEnd: () => lostEnd,
		recoverOutputs,
		beforeResume: async () => [...(await recoverOutputs()), ...(await lost({isResumed: true}))],
		async closeBefore(follows) {
			const ofFeatures = await lost({isResumed: false});
			const all = [...(await recoverOutputs()), ...ofFeatures];
			const items = interruptItems(history.items, {clock, follows, lostEnd, lost: all});
			return items.length === 0 ? ofFeatures : items;
		},
		async closeForGood() {
			const all = [...(await recoverOutputs()), ...(await lost({isResumed: false}))];
			const end = stamp(clock, {type: 'run_end', outcome: 'cancelled'});
			await history.append([
				...all,
				...missingRunEnd(history.items, clock, lostEnd),
				...closingResults([...history.items, ...all], closureCauses.cancelled, clock),
				end,
			]);
			lostEnd = undefined;
		},
		endOf(result) {
			if (result.type === 'unsaved') return unsaved(result.error);
			if (result.type === 'refused') return {type: 'refused', code: 'hook', sentence: result.reason};
			lostEnd = undefined;
			return {type: 'ended', outcome: result.outcome};
		},
		async orUnsaved(step) {
			try {
				return await step();
			} catch (error) {
				if (error instanceof HistoryError) return unsaved(error);
				throw error;
			}
		},
	};
}

/**
Creates a message to the model from outside the conversation. The message is a notice and does not speak for the user.
*/
export function notification(text: string, {clock, maxBytes, forRun}: NotificationOptions): Message {
	const cut = cutText(text.trim(), maxBytes);
	const note = cut.dropped === 0 ? '' : `\n${en`[...truncated, ${cut.dropped} more bytes dropped]`}`;
	return stamp(clock, {
		type: 'message',
		role: 'system',
		text: `${en`[Notification] ${cut.text}`}${note}`,
		origin: {kind: 'notice', about: 'notification', ...(forRun && {run: true})},
	});
}

/**
Returns a notification without the mark that a run must answer it. Any later request may contain the result. Returns
other messages unchanged.
*/
export function unanswered(item: Message): Message {
	if (item.origin?.kind !== 'notice') return item;
	return {...item, origin: {kind: 'notice', about: 'notification'}};
}

/** Commits notifications immediately. Resolves when they are durable. */
export async function commitNotifications(history: History, items: readonly Message[]): Promise<Receipt> {
	try {
		await history.append(items);
		return {accepted: true};
	} catch (error) {
		if (error instanceof HistoryError) return {accepted: false, code: 'io', sentence: error.message};
		throw error;
	}
}

/**
Commits the notices about commands that ended with the session, so that the next start shows them. Rejects if the
history cannot be written.
*/
export async function commitLast(
	history: History,
	texts: readonly string[],
	options: Omit<NotificationOptions, 'forRun'>,
): Promise<void> {
	if (texts.length === 0) return;
	const items = texts.map(text => notification(text, {...options, forRun: false}));
	const receipt = await commitNotifications(history, items);
	if (!receipt.accepted) throw new Error(receipt.sentence);
}

type NotificationOptions = {
	readonly clock: Clock;
	/** The maximum number of bytes of the text. */
	readonly maxBytes: number;
	/** Whether a run should answer the notification. */
	readonly forRun: boolean;
};
