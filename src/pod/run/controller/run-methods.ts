import type {QueueMessage, Receipt, Segment, Step} from '../../protocol.ts';
import type {Hub} from '../status/hub.ts';
import {accepted, type JobEnd, type JobKind, type Jobs, type Task} from '../status/job.ts';
import type {Pending, Turns} from '../turn/turn.ts';
import {type Methods, orInternalError, refuse} from './methods.ts';
import {emptyNotificationText, leaveTexts, stillRunningText} from './texts.ts';
import type {Asks} from '../../permissions/approval/asks.ts';

export type RunOptions = {
	readonly hub: Hub;
	/** Whether the session is a child, whose task comes from its parent. */
	readonly isChild: boolean;
	/** The turns of the session. Each turn starts in the same way, whatever happened before (law L8). */
	readonly turns: Turns;
	/** Adds messages to the current run. */
	readonly steering: {
		/** `id`: the id of the message in the queue. */
		add(segments: readonly Segment[], run: AbortSignal, id?: string): Promise<Receipt>;
		end(): void;
	};
	/** Limits the number of turns that notifications begin. */
	readonly wakes: WakeLimit;
	/** Adds a notification to the current run (`toRun`), or commits it immediately. */
	readonly notify: (text: string, how: {readonly toRun: boolean; readonly forRun: boolean}) => Promise<Receipt>;
	/** Runs a user's command until it ends or the signal is aborted. */
	readonly shell: (command: string, signal: AbortSignal, id?: string) => Promise<JobEnd>;
	/** Takes all waiting messages for a client. */
	readonly takeQueued: () => readonly QueueMessage[];
};

/** The methods that begin and stop a job. */
type RunMethods = Pick<Methods, 'run' | 'task' | 'resume' | 'pause' | 'cancel' | 'notify' | 'shell'>;

export function createRunMethods(options: RunOptions, jobs: Jobs): RunMethods {
	const {hub, isChild, turns, notify, shell, takeQueued, wakes} = options;
	const isIdle = () => hub.status().kind === 'idle';

	async function begin(kind: JobKind, step: Step | undefined, task: Task): Promise<Receipt> {
		return jobs.current() === undefined ? jobs.begin(kind, step, task) : refuse('busy');
	}

	async function beginTurn(step: Step, pending: Pending): Promise<Receipt> {
		return begin('run', step, async (signal, committed) => turns.start(pending, signal, committed));
	}

	async function cancel(): Promise<Receipt> {
		if (isIdle()) return refuse('not_running');
		const stopped = jobs.current();
		if (stopped !== undefined) await jobs.stop('cancel');
		// The turn may have paused or failed before the cancel. In this case, it is discarded here. A stopped shell
		// command is not a turn, so a paused turn stays as it is.
		return stopped?.kind !== 'shell' && hub.status().kind === 'paused'
			? begin('abandon', undefined, async () => turns.abandon())
			: accepted;
	}

	return {
		run: async ({segments, message: id}) => beginTurn('resolving', {type: 'run', segments, id}),
		task: async ({text}) => (isChild ? beginTurn('requesting', {type: 'task', text}) : refuse('no_such_child')),
		async resume() {
			if (jobs.current() === undefined && isIdle()) return refuse('not_paused');
			return beginTurn('requesting', {type: 'resume'});
		},
		async pause() {
			if (isIdle()) return refuse('not_running');
			await jobs.stop('pause');
			return accepted;
		},
		async cancel({take = false}) {
			// Takes the messages before the job ends, because the end of the job may send the next message.
			const first = take ? takeQueued() : [];
			const receipt = await cancel();
			const returned = take ? [...takeQueued(), ...first] : [];
			return returned.length > 0 ? {accepted: true, returned} : receipt;
		},
		async notify({text, run: wantsRun = false}) {
			if (text.trim() === '') return refuse('empty', emptyNotificationText);
			const kind = jobs.current()?.kind;
			if (kind === undefined && wantsRun && isIdle() && wakes.mayWake())
				return beginTurn('requesting', {type: 'runForNotification', text});
			return orInternalError(notify(text, {toRun: kind === 'run', forRun: wantsRun}));
		},
		async shell({command, message}) {
			if (jobs.current() === undefined && command.trim() === '') return refuse('empty');
			return begin('shell', 'tools', async signal => shell(command, signal, message));
		},
	};
}

/**
The work that runs beside the conversation and would end with the session. Each piece of work has a line. `count`
returns their number with a noun, such as `2 background commands`.
*/
export type Running = {readonly lines: readonly string[]; readonly count: (lines: number) => string};

/** Creates the method that asks whether to stop the running work and quit. Only one question is open at a time. */
export function createLeave({running, asks, signal}: ExitOptions): () => Promise<Receipt> {
	let asking: Promise<Receipt> | undefined;

	async function ask(open: Asks, all: readonly Running[]): Promise<Receipt> {
		const lines = all.flatMap(each => each.lines);
		const names = all.map(each => each.count(each.lines.length));
		const {title, stop, stay} = leaveTexts(names, lines.length);
		const answer = await open.ask(
			{
				title,
				detail: lines.join('\n'),
				choices: [
					{choice: 'allow', label: stop},
					{choice: 'deny', label: stay, refuses: true},
				],
			},
			signal,
			{first: true},
		);
		if (answer?.choice === 'allow') return accepted;
		return {accepted: false, code: 'aborted', sentence: stillRunningText};
	}

	return async () => {
		const all = running().filter(({lines}) => lines.length > 0);
		if (asks === undefined || all.length === 0) return accepted;
		asking ??= ask(asks, all).finally(() => {
			asking = undefined;
		});
		return asking;
	};
}

export function createWakeLimit({now = () => performance.now(), onLimit}: WakeLimitOptions): WakeLimit {
	let wakes: number[] = [];
	let isTold = false;

	return {
		mayWake() {
			const from = now() - wakeWindowMs;
			wakes = wakes.filter(at => at > from);
			const may = wakes.length < maxWakes;
			if (may) wakes.push(now());
			else if (!isTold) onLimit();
			isTold = !may;
			return may;
		},
		reset() {
			wakes = [];
			isTold = false;
		},
	};
}

/** The maximum number of turns that may begin without the user within `wakeWindowMs`. */
export const maxWakes = 20;

type ExitOptions = {
	readonly running: () => readonly Running[];
	/** Absent if no user can answer. In this case, the session can end without a question. */
	readonly asks?: Asks;
	readonly signal: AbortSignal;
};

/**
Limits the number of turns that begin without the user, so that a model that wakes itself does not cost money without
end.
*/
type WakeLimit = {
	/** Tells whether a turn may begin now, and counts it. */
	mayWake(): boolean;
	/** Called after the user has acted. */
	reset(): void;
};

type WakeLimitOptions = {
	/** Returns the time of a monotonic clock, in milliseconds. */
	readonly now?: () => number;
	/** Called when the limit is reached. */
	readonly onLimit: () => void;
};

const wakeWindowMs = 600_000;
