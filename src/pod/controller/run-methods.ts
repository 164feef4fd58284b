import type {Receipt, Segment, Step} from '../protocol.ts';
import type {Hub} from '../status/hub.ts';
import {accepted, type JobEnd, type JobKind, type Jobs, type Task} from '../status/job.ts';
import type {Pending} from '../turn/turn.ts';
import type {Methods} from './methods.ts';
import {orInternalError, refuse} from './refuse.ts';
import {emptyNotificationText} from './texts.ts';

export type RunOptions = {
	readonly hub: Hub;
	/**
	Takes a turn, whatever happened before (L8). It calls `committed` when its first commit is durable.
	The signal's reason is `pause` or `cancel`.
	*/
	readonly start: (pending: Pending, signal: AbortSignal, committed: () => void) => Promise<JobEnd>;
	/** Discards the paused turn and closes its calls. */
	readonly abandon: () => Promise<JobEnd>;
	/** Messages for the current run. */
	readonly steering: {
		add(segments: readonly Segment[], run: AbortSignal): Promise<Receipt>;
		end(): void;
	};
	/** Gives a notification to the current run, or commits it at once if no run takes it. */
	readonly notify: (text: string, how: {readonly toRun: boolean; readonly forRun: boolean}) => Promise<Receipt>;
	/** Runs a user's command until it ends or the signal is aborted. */
	readonly shell: (command: string, signal: AbortSignal) => Promise<JobEnd>;
};

/** The methods that begin, steer and stop a job. */
export type RunMethods = Pick<Methods, 'run' | 'resume' | 'pause' | 'cancel' | 'steer' | 'notify' | 'shell'>;

export function createRunMethods({hub, start, abandon, steering, notify, shell}: RunOptions, jobs: Jobs): RunMethods {
	const isIdle = () => hub.status().kind === 'idle';

	async function begin(kind: JobKind, step: Step | undefined, task: Task): Promise<Receipt> {
		return jobs.current() === undefined ? jobs.begin(kind, step, task) : refuse('busy');
	}

	async function beginTurn(step: Step, pending: Pending): Promise<Receipt> {
		return begin('run', step, async (signal, committed) => start(pending, signal, committed));
	}

	return {
		run: async ({segments}) => beginTurn('resolving', {type: 'run', segments}),
		async resume() {
			if (jobs.current() === undefined && isIdle()) return refuse('not_paused');
			return beginTurn('requesting', {type: 'resume'});
		},
		async pause() {
			if (isIdle()) return refuse('not_running');
			await jobs.stop('pause');
			return accepted;
		},
		async cancel() {
			if (isIdle()) return refuse('not_running');
			const stopped = jobs.current();
			if (stopped !== undefined) await jobs.stop('cancel');
			// A pause or failure may have come first. The paused turn is then discarded. A command is not a turn,
			// so it
			// leaves a paused turn unchanged.
			return stopped?.kind !== 'shell' && hub.status().kind === 'paused'
				? begin('abandon', undefined, abandon)
				: accepted;
		},
		async steer({segments}) {
			const run = jobs.current();
			if (run?.kind !== 'run') return refuse('not_running');
			return orInternalError(steering.add(segments, run.signal));
		},
		async notify({text, run: wantsRun = false}) {
			if (text.trim() === '') return refuse('empty', emptyNotificationText);
			const kind = jobs.current()?.kind;
			if (kind === undefined && wantsRun && isIdle())
				return beginTurn('requesting', {type: 'runForNotification', text});
			return orInternalError(notify(text, {toRun: kind === 'run', forRun: wantsRun}));
		},
		async shell({command}) {
			if (jobs.current() === undefined && command.trim() === '') return refuse('empty');
			return begin('shell', 'tools', async signal => shell(command, signal));
		},
	};
}
