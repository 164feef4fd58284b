import {moment, type Clock} from '../../../worker/index.ts';
import type {Method, MethodName, Receipt} from '../../protocol.ts';
import {accepted, createJobs} from '../status/job.ts';
import {messageOf} from '../../ground/values/message-of.ts';
import {createChangeMethods, type ChangeOptions} from './change-methods.ts';
import {dispatch, type Methods} from './methods.ts';
import {orInternalError, refuse} from './refuse.ts';
import {createQueueMethods, createQueueSender, type QueueOptions} from './queue-methods.ts';
import {createTransferPause, type TransferPauseOptions} from './pause-for-transfer.ts';
import {wakesText} from './texts.ts';
import {createWakeLimit, maxWakes} from './wake-limit.ts';
import {createRunMethods, type RunOptions} from './run-methods.ts';

export type ControllerOptions = Omit<RunOptions, 'takeQueued' | 'wakes'> &
	ChangeOptions &
	QueueOptions &
	TransferPauseOptions & {
		readonly clock: Clock;
		/** Resolves with a sentence when a rule could not be removed. */
		readonly removePermission: (rule: string, wantsCard: boolean) => Promise<Receipt>;
		/** The methods that features answer. */
		readonly methods: FeatureMethods;
		/** Asks the user about everything that would end with the session. */
		readonly leave: () => Promise<Receipt>;
		/** Releases the session. */
		readonly close: () => Promise<void>;
	};

/** The methods that the controller leaves to the features of the pod. */
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

/** Creates a controller. The controller answers every method with one receipt, and runs one job at a time. */
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

/** With these methods the user says that the work goes on. */
const userActs: ReadonlySet<MethodName> = new Set(['run', 'resume', 'queue', 'steer', 'shell', 'answer']);
