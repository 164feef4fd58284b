import type {Asks} from '../status/asks.ts';
import type {Hub} from '../status/hub.ts';
import type {ApprovalMode, Method, MethodName, Receipt, Segment, Step} from '../protocol.ts';
import type {FoundDir} from '../scope/read-roots.ts';
import type {Steering} from '../turn/steering.ts';
import {accepted, createJobs, internalError, receiptOf, sentenceOf, type Work, type JobEnd} from '../status/job.ts';

/** What may be under way. The branch that starts a run does not look at what happened before (L8). */
export type Pending =
	| {readonly type: 'run'; readonly segments: readonly Segment[]}
	| {readonly type: 'runForNotification'; readonly text: string}
	| {readonly type: 'resume'};

export type ControllerOptions = {
	readonly hub: Hub;
	readonly asks: Asks;
	/**
	Does the work. `committed` is called when its first commit is durable. The signal's reason is `pause` or `cancel`.
	*/
	readonly start: (pending: Pending, signal: AbortSignal, committed: () => void) => Promise<JobEnd>;
	/** Gives the paused turn up: closes its calls. */
	readonly abandon: () => Promise<JobEnd>;
	/** What is said to a run under way. */
	readonly steering: Pick<Steering, 'add' | 'end'>;
	/** Tells a run under way something, or commits it at once. */
	readonly notify: (text: string, how: {readonly toRun: boolean; readonly forRun: boolean}) => Promise<Receipt>;
	/** Runs a command of the person's until it ends or the signal is aborted. */
	readonly shell: (command: string, signal: AbortSignal) => Promise<JobEnd>;
	/** Finds a folder that the person wants read. It is added when nothing is under way. */
	readonly addDir: (path: string) => Promise<FoundDir>;
	/** Sets what tools may do without asking. */
	readonly setApproval: (mode: ApprovalMode) => void;
	/** Changes what is in the context. */
	readonly changeContext: (change: Omit<Extract<Method, {method: 'context'}>, 'method'>) => Promise<JobEnd>;
	/** Compacts what is in the context. */
	readonly compact: (hint: string | undefined, signal: AbortSignal) => Promise<JobEnd>;
	/** Goes back to what the context was right after an item. */
	readonly rewind: (to: string) => Promise<JobEnd>;
	/** Puts files back that tools have changed. */
	readonly restoreFiles: (change: Omit<Extract<Method, {method: 'restore_files'}>, 'method'>) => Promise<JobEnd>;
	/** Stops a command in the background. */
	readonly stopBackground: (id: string) => Promise<Receipt>;
	/** Asks the user about what would end with the session. */
	readonly leave: () => Promise<Receipt>;
	/** Lets go of the session. */
	readonly close: () => Promise<void>;
};

/** Answers every method with one receipt, and keeps one piece of work at a time. */
export function createController(options: ControllerOptions): {send(method: Method): Promise<Receipt>} {
	const {
		hub,
		asks,
		start,
		abandon,
		steering,
		notify,
		shell,
		addDir,
		setApproval,
		changeContext,
		compact,
		rewind,
		restoreFiles,
		stopBackground,
		leave,
		close,
	} = options;
	const work = createJobs(hub, () => steering.end());
	let closing = false;

	const methods: {[Name in MethodName]: (method: Extract<Method, {method: Name}>) => Promise<Receipt>} = {
		run: async ({segments}) =>
			begin('run', 'resolving', async (signal, committed) => start({type: 'run', segments}, signal, committed)),
		async resume() {
			if (work.underWay() === undefined && hub.status().kind === 'idle') return refuse('not_paused');
			return begin('run', 'requesting', async (signal, committed) => start({type: 'resume'}, signal, committed));
		},
		async pause() {
			if (hub.status().kind === 'idle') return refuse('not_running');
			await work.stop('pause');
			return accepted;
		},
		async cancel() {
			if (hub.status().kind === 'idle') return refuse('not_running');
			const stopped = work.underWay();
			if (stopped !== undefined) await work.stop('cancel');
			// A pause or a failure may have been quicker; then the paused turn is what is given up. A command is no
			// turn: the one that it ran beside stays.
			return stopped?.kind !== 'shell' && hub.status().kind === 'paused'
				? begin('abandon', undefined, abandon)
				: accepted;
		},
		async steer({segments}) {
			const run = work.underWay();
			if (run?.kind !== 'run') return refuse('not_running');
			return steering.add(segments, run.signal).catch(error => receiptOf(internalError(error)));
		},
		async notify({text, run: wantsRun = false}) {
			if (text.trim() === '') return refuse('empty', 'There is nothing to tell.');
			const kind = work.underWay()?.kind;
			if (kind === undefined && wantsRun && hub.status().kind === 'idle')
				return begin('run', 'requesting', async (signal, committed) =>
					start({type: 'runForNotification', text}, signal, committed),
				);
			return notify(text, {toRun: kind === 'run', forRun: wantsRun}).catch(error =>
				receiptOf(internalError(error)),
			);
		},
		async shell({command}) {
			if (work.underWay() === undefined && command.trim() === '') return refuse('empty');
			return begin('shell', 'tools', async signal => shell(command, signal));
		},
		async add_dir({path}) {
			if (work.underWay() !== undefined) return refuse('busy');
			const found = await addDir(path);
			if (!found.ok) return {accepted: false, code: found.code, sentence: found.sentence};
			if (closing) return refuse('closed');
			if (work.underWay() !== undefined) return refuse('busy');
			found.add();
			return accepted;
		},
		async approval({mode}) {
			setApproval(mode);
			return accepted;
		},
		context: async ({op, ids}) => whenNothingRuns(async () => changeContext({op, ids})),
		compact: async ({hint}) =>
			hub.status().kind === 'paused'
				? refuse('not_idle', sentences.interrupted)
				: whenNothingRuns(async signal => compact(hint, signal), 'compact', 'compacting'),
		rewind: async ({to}) => whenNothingRuns(async () => rewind(to)),
		restore_files: async ({to, files}) => whenNothingRuns(async () => restoreFiles({to, files})),
		answer: async ({askId, choice, reason}) =>
			asks.answer(askId, {choice, ...(reason !== undefined && {reason})}) ? accepted : refuse('no_such_ask'),
		stop_background: async ({background}) => stopBackground(background),
		leave: async () => leave().catch(error => receiptOf(internalError(error))),
		async shutdown() {
			closing = true;
			await work.stop('pause');
			hub.close(await close().then(() => undefined, sentenceOf));
			return accepted;
		},
	};

	async function whenNothingRuns(
		change: (signal: AbortSignal) => Promise<JobEnd>,
		kind: 'context' | 'compact' = 'context',
		step?: Step,
	): Promise<Receipt> {
		return work.underWay() === undefined ? work.begin(kind, step, change) : refuse('not_idle');
	}

	async function begin(...[kind, step, task]: Parameters<Work['begin']>): Promise<Receipt> {
		return work.underWay() === undefined ? work.begin(kind, step, task) : refuse('busy');
	}

	return {
		async send(method) {
			return closing ? refuse('closed') : methods[method.method](method as never);
		},
	};
}

type StateRefusal = 'busy' | 'not_idle' | 'not_paused' | 'not_running' | 'no_such_ask' | 'closed' | 'empty';

function refuse(code: StateRefusal, sentence = sentences[code]): Receipt {
	return {accepted: false, code, sentence};
}

const sentences: Record<StateRefusal | 'interrupted', string> = {
	interrupted: 'A turn is interrupted: go on with it or give it up, then the context can be compacted.',
	busy: 'A run or a command is under way.',
	not_idle: 'The context can be changed when no run and no command is under way.',
	not_paused: 'There is no interrupted turn to go on with.',
	not_running: 'No run is under way.',
	no_such_ask: 'That question is not open any more.',
	closed: 'The session is closed.',
	empty: 'There is no command to run.',
};
