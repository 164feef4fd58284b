import type {Outcome} from '../worker/index.ts';
import type {Asks} from './asks.ts';
import type {Hub} from './hub.ts';
import type {Method, MethodName, Receipt, Refusal, Segment, Status} from './protocol.ts';

/** What may be under way. The branch that starts a run does not look at what happened before (L8). */
export type Pending = {readonly type: 'run'; readonly segments: readonly Segment[]} | {readonly type: 'resume'};

/** How a pending piece of work ended. `refused`: it left no trace. `unsaved`: history could not be written. */
export type WorkEnd =
	| {readonly type: 'ended'; readonly outcome: Outcome}
	| {readonly type: 'refused'; readonly code: Refusal; readonly sentence: string}
	| {readonly type: 'unsaved'; readonly sentence: string};

export type ControllerOptions = {
	readonly hub: Hub;
	readonly asks: Asks;
	/** Does the work. `committed` is called when its first commit is durable. The signal's reason is `pause` or `cancel`. */
	readonly start: (pending: Pending, signal: AbortSignal, committed: () => void) => Promise<WorkEnd>;
	/** Gives the paused turn up: closes its calls. */
	readonly abandon: () => Promise<void>;
	/** Lets go of the session. */
	readonly close: () => Promise<void>;
};

/** Answers every method with one receipt, and keeps one run at a time. */
export function createController(options: ControllerOptions): {send(method: Method): Promise<Receipt>} {
	const {hub, asks, start, abandon, close} = options;
	let running: {readonly abort: AbortController; readonly ended: Promise<void>} | undefined;
	let closed = false;

	async function begin(pending: Pending): Promise<Receipt> {
		if (running !== undefined) return refuse('busy');
		const before = hub.status().kind;
		const abort = new AbortController();
		const receipt = Promise.withResolvers<Receipt>();
		const ended = work();
		running = {abort, ended};
		return receipt.promise;

		async function work(): Promise<void> {
			hub.setStatus({kind: 'running', step: pending.type === 'run' ? 'resolving' : 'requesting'});
			let begun = false;
			const committed = () => {
				begun = true;
				receipt.resolve(accepted);
			};
			const end = await start(pending, abort.signal, committed).catch((error: unknown): WorkEnd => {
				hub.alert({level: 'error', text: `Internal error: ${error instanceof Error ? error.message : String(error)}`});
				return {type: 'refused', code: 'io', sentence: 'An internal error ended the run.'};
			});
			running = undefined;
			hub.setStatus({kind: afterwards(end, begun, before), step: undefined, retryAt: undefined});
			receipt.resolve(end.type === 'ended' ? accepted : {accepted: false, code: end.type === 'refused' ? end.code : 'io', sentence: end.sentence});
		}
	}

	async function stop(reason: 'pause' | 'cancel'): Promise<void> {
		running?.abort.abort(reason);
		await running?.ended;
	}

	const methods: {[Name in MethodName]: (method: Extract<Method, {method: Name}>) => Promise<Receipt>} = {
		run: async ({segments}) => begin({type: 'run', segments}),
		resume: async () => (hub.status().kind === 'idle' ? refuse('not_paused') : begin({type: 'resume'})),
		async pause() {
			if (hub.status().kind === 'idle') return refuse('not_running');
			await stop('pause');
			return accepted;
		},
		async cancel() {
			const {kind} = hub.status();
			if (kind === 'idle') return refuse('not_running');
			if (kind === 'running') await stop('cancel');
			else {
				await abandon();
				hub.setStatus({kind: 'idle'});
			}
			return accepted;
		},
		answer: async ({askId, choice, reason}) => (asks.answer(askId, {choice, ...(reason !== undefined && {reason})}) ? accepted : refuse('no_such_ask')),
		async shutdown() {
			await stop('pause');
			closed = true;
			await close();
			hub.close();
			return accepted;
		},
	};

	return {
		async send(method) {
			return closed ? refuse('closed') : methods[method.method](method as never);
		},
	};
}

const accepted: Receipt = {accepted: true};

const afterOutcome: Record<Outcome, Status['kind']> = {finished: 'idle', limit: 'idle', cancelled: 'idle', paused: 'paused', error: 'paused'};

/** What came to nothing leaves the status as it was; a run whose history failed midway can be gone on with. */
function afterwards(end: WorkEnd, begun: boolean, before: Status['kind']): Status['kind'] {
	if (end.type === 'ended') return afterOutcome[end.outcome];
	return begun ? 'paused' : before;
}

type StateRefusal = 'busy' | 'not_paused' | 'not_running' | 'no_such_ask' | 'closed';

function refuse(code: StateRefusal): Receipt {
	return {accepted: false, code, sentence: sentences[code]};
}

const sentences: Record<StateRefusal, string> = {
	busy: 'A run is under way.',
	not_paused: 'There is no interrupted turn to go on with.',
	not_running: 'Nothing is running.',
	no_such_ask: 'That question is not open any more.',
	closed: 'The session is closed.',
};
