import {moment, type Clock, type History} from '../../../worker/index.ts';
import type {Method, MethodName, Receipt, ApprovalMode, Step, Status} from '../../protocol.ts';
import {accepted, createJobs, type JobEnd, type JobKind, type Jobs, type Task} from '../status/job.ts';
import {messageOf} from '../../ground/values/is-record.ts';
import {dispatch, type Methods, type MethodOf} from './methods.ts';
import {orInternalError, refuse} from './methods.ts';
import {createQueueMethods, createQueueSender, type QueueOptions} from './queue-methods.ts';
import {wakesText, interruptedText, noOtherModels, notRestingText} from './texts.ts';
import {createWakeLimit, maxWakes} from './run-methods.ts';
import {createRunMethods, type RunOptions} from './run-methods.ts';
import {effortOf} from '../../models/effort.ts';
import type {CurrentModel} from '../../models/current-model.ts';
import type {Models} from '../../models/models.ts';
import type {FoundDir} from '../../permissions/approval/path-readings.ts';
import type {Asks} from '../../permissions/approval/asks.ts';
import type {Hub} from '../status/hub.ts';
import type {Boundary} from '../turn/turn.ts';

export type ControllerOptions = Omit<RunOptions, 'takeQueued' | 'wakes'> &
	ChangeOptions &
	QueueOptions &
	TransferPauseOptions & {
		readonly clock: Clock;
		/** Removes a rule. `wantsCard`: asks the user first. */
		readonly removePermission: (rule: string, wantsCard: boolean) => Promise<Receipt>;
		/** The methods that features implement. */
		readonly methods: FeatureMethods;
		/** Asks the user whether to stop the work that would end with the session. */
		readonly leave: () => Promise<Receipt>;
		/** Releases the session. */
		readonly close: () => Promise<void>;
	};

/** The methods that the features of the pod implement. */
export type FeatureMethods = Omit<
	Methods,
	| keyof ReturnType<typeof createRunMethods>
	| keyof ReturnType<typeof createQueueMethods>
	| keyof ReturnType<typeof createChangeMethods>
	| 'remove_permission'
	| 'rest'
	| 'leave'
	| 'shutdown'
>;

export type Controller = {send(method: Method): Promise<Receipt>};

/** Creates a controller. It answers every method with one receipt, and runs one job at a time. */
export function createController(options: ControllerOptions): Controller {
	const {hub, steering, model, removePermission, leave, close} = options;
	const jobs = createJobs(hub, {
		now: () => moment(options.clock),
		onEnd() {
			steering.end();
			model.settle();
		},
		onRest: isDone => sender.onRest(isDone && !closing),
	});
	const resting = createTransferPause(options, jobs);
	const sender = createQueueSender(options, jobs, () => closing || resting.isResting());
	const wakes = createWakeLimit({onLimit: () => hub.alert({level: 'warn', text: wakesText(maxWakes)})});
	let closing = false;

	const methods: Methods = {
		...createRunMethods({...options, wakes, takeQueued: () => options.queue.take()}, jobs),
		...createQueueMethods(options, jobs, sender),
		...createChangeMethods(options, jobs, () => closing),
		...options.methods,
		remove_permission: async ({rule, asks = false}) => orInternalError(removePermission(rule, asks)),
		rest: async ({cancel = false}) => orInternalError(resting.rest(cancel)),
		leave: async () => orInternalError(leave()),
		async shutdown() {
			closing = true;
			await jobs.stop('pause');
			hub.close(await close().then(() => undefined, messageOf));
			return accepted;
		},
	};

	return {
		async send(method) {
			if (userActs.has(method.method)) wakes.reset();
			return closing ? refuse('closed') : dispatch(methods, method);
		},
	};
}

/** The methods that show that the user is active. They reset the limit on turns that notifications begin. */
const userActs: ReadonlySet<MethodName> = new Set(['run', 'resume', 'queue', 'steer', 'shell', 'answer']);

/** The parameters of a change, without the name of its method. */
type Change<Name extends MethodName> = Omit<MethodOf<Name>, 'method'>;

type ChangeOptions = {
	readonly hub: Hub;
	readonly asks: Asks;
	/** Finds a folder that the user named. The `add` of the result makes the folder readable. */
	readonly addDir: (path: string) => Promise<FoundDir>;
	/** Sets the approval mode. */
	readonly setApproval: (mode: ApprovalMode) => void;
	/** The models that the user can choose from. If absent, the model cannot change. */
	readonly models?: Models | undefined;
	/** The model of the session. A choice during a job takes effect when the job ends. */
	readonly model: Pick<CurrentModel, 'choose' | 'settle'>;
	/** Drops, pins or restores items of the context. */
	readonly changeContext: (change: Change<'context'>) => Promise<JobEnd>;
	/** Compacts the context. */
	readonly compact: (hint: string | undefined, signal: AbortSignal) => Promise<JobEnd>;
	/** Names the session. */
	readonly rename: (title: string) => Promise<JobEnd>;
	/** Rewinds the context to its state right after an item. */
	readonly rewind: (to: string) => Promise<JobEnd>;
	/** Restores files that tools have changed. */
	readonly restoreFiles: (change: Change<'restore_files'>) => Promise<JobEnd>;
};

/** The methods that change the context, the scope, files, the approval mode, or open questions. */
type ChangeMethods = Pick<
	Methods,
	| 'add_dir'
	| 'approval'
	| 'model'
	| 'save_model'
	| 'login'
	| 'context'
	| 'compact'
	| 'rewind'
	| 'rename'
	| 'restore_files'
	| 'answer'
>;

function createChangeMethods(options: ChangeOptions, jobs: Jobs, isClosing: () => boolean): ChangeMethods {
	const {hub, asks, addDir, setApproval, models, model: current} = options;
	const {changeContext, compact, rename, rewind, restoreFiles} = options;

	async function begin(task: Task, kind: JobKind = 'context', step?: Step): Promise<Receipt> {
		return jobs.current() === undefined ? jobs.begin(kind, step, task) : refuse('not_idle');
	}

	return {
		async add_dir({path}) {
			if (jobs.current() !== undefined) return refuse('busy');
			const found = await addDir(path);
			if (!found.ok) return {accepted: false, code: found.code, sentence: found.sentence};
			if (isClosing()) return refuse('closed');
			if (jobs.current() !== undefined) return refuse('busy');
			found.add();
			return accepted;
		},
		async approval({mode}) {
			setApproval(mode);
			return accepted;
		},
		async save_model({name, effort}) {
			const problem = models === undefined ? noOtherModels : await models.save(name, effort);
			return problem === undefined ? accepted : {accepted: false, code: 'io', sentence: problem};
		},
		async login({provider, key}) {
			const {ok, sentence} = (await models?.login(provider, key)) ?? noModels;
			return ok ? {accepted: true, note: sentence} : {accepted: false, code: 'key', sentence};
		},
		async model({name, effort}) {
			const opened = (await models?.open(name, effort)) ?? noModels;
			if (!opened.ok) return {accepted: false, code: 'no_such_model', sentence: opened.sentence};
			if (isClosing()) return refuse('closed');
			current.choose(opened.model, jobs.current() !== undefined);
			return {accepted: true, chosen: {name: opened.model.name, effort: effortOf(opened.model)}};
		},
		context: async ({op, ids}) => begin(async () => changeContext({op, ids})),
		async compact({hint}) {
			if (hub.status().kind === 'paused') return refuse('not_idle', interruptedText);
			return begin(async signal => compact(hint, signal), 'compact', 'compacting');
		},
		rename: async ({title}) => begin(async () => rename(title)),
		rewind: async ({to}) => begin(async () => rewind(to)),
		restore_files: async ({to, files}) => begin(async () => restoreFiles({to, files})),
		async answer({askId, choice, reason, answers, from}) {
			const given = {choice, reason, answers, from};
			const isAnswered = asks.answer(askId, given);
			return isAnswered ? accepted : refuse('no_such_ask');
		},
	};
}

const noModels = {ok: false, sentence: noOtherModels} as const;

type TransferPauseOptions = {
	readonly hub: Hub;
	readonly history: History;
	readonly boundary: Boundary;
};

/** Pauses a session, so that another process can continue it. */
type TransferPause = {
	/**
	Pauses the run at its next boundary, and resolves when no job runs. After that, no queued message is sent. A run
	that only waits for the user's answer or for a retry pauses at once. `isCancelled` cancels the pause.
	*/
	rest(isCancelled: boolean): Promise<Receipt>;
	readonly isResting: () => boolean;
};

function createTransferPause({hub, history, boundary}: TransferPauseOptions, jobs: Jobs): TransferPause {
	let cancel: (() => void) | undefined;

	async function untilRest(): Promise<boolean> {
		const cancelled = Promise.withResolvers<false>();
		cancel = () => cancelled.resolve(false);
		const unsubscribe = hub.subscribe(event => {
			if ('status' in event && isOnlyWaiting(event.status, history)) void jobs.stop('pause');
		});
		try {
			for (let job = jobs.current(); job !== undefined; job = jobs.current()) {
				const ended = await Promise.race([job.ended.then(() => true as const), cancelled.promise]);
				if (!ended) return false;
			}
			return true;
		} finally {
			unsubscribe();
			cancel = undefined;
		}
	}

	return {
		isResting: boundary.isWanted,
		async rest(isCancelled) {
			boundary.want(!isCancelled);
			cancel?.();
			if (isCancelled || (await untilRest())) return accepted;
			return {accepted: false, code: 'aborted', sentence: notRestingText};
		},
	};
}

/** Tells whether a run waits for the user or for a retry, while no tool call runs. */
function isOnlyWaiting({kind, asks, retryAt, calls = []}: Status, history: History): boolean {
	if (kind !== 'running') return false;
	if (retryAt !== undefined) return true;
	return asks.length > 0 && calls.every(({callId}) => isAnswered(callId, history));
}

function isAnswered(callId: string, {items}: History): boolean {
	return items.some(item => item.type === 'tool_result' && item.callId === callId);
}
