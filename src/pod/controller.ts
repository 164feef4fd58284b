import type {Outcome} from '../worker/index.ts';
import type {Asks} from './asks.ts';
import type {Hub} from './hub.ts';
import type {Method, MethodName, Receipt, Refusal, Segment, Status, Step} from './protocol.ts';

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
	readonly abandon: () => Promise<WorkEnd>;
	/** Lets go of the session. */
	readonly close: () => Promise<void>;
};

/** Answers every method with one receipt, and keeps one piece of work at a time. */
export function createController(options: ControllerOptions): {send(method: Method): Promise<Receipt>} {
	const {hub, asks, start, abandon, close} = options;
	let underWay: {readonly abort: AbortController; readonly ended: Promise<void>} | undefined;
	let closing = false;

	type Task = (signal: AbortSignal, committed: () => void) => Promise<WorkEnd>;

	/** Begins a piece of work. Its receipt comes at its first commit, or at its end. */
	async function begin(step: Step | undefined, task: Task): Promise<Receipt> {
		if (underWay !== undefined) return refuse('busy');
		const receipt = Promise.withResolvers<Receipt>();
		const ended = Promise.withResolvers<void>();
		const abort = new AbortController();
		underWay = {abort, ended: ended.promise};
		void work(step, task, abort.signal, receipt.resolve).then(ended.resolve);
		return receipt.promise;
	}

	async function work(step: Step | undefined, task: Task, signal: AbortSignal, give: (receipt: Receipt) => void): Promise<void> {
		const before = hub.status().kind;
		if (step !== undefined) hub.setStatus({kind: 'running', step});
		let begun = false;
		const committed = () => {
			begun = true;
			give(accepted);
		};
		const end = await task(signal, committed).catch(internalError);
		underWay = undefined;
		if (begun && end.type !== 'ended') hub.alert({level: 'error', text: end.sentence});
		hub.setStatus({kind: afterwards(end, begun, before), step: undefined, retryAt: undefined});
		give(receiptOf(end));
	}

	async function stop(reason: 'pause' | 'cancel'): Promise<void> {
		underWay?.abort.abort(reason);
		await underWay?.ended;
	}

	const methods: {[Name in MethodName]: (method: Extract<Method, {method: Name}>) => Promise<Receipt>} = {
		run: async ({segments}) => begin('resolving', async (signal, committed) => start({type: 'run', segments}, signal, committed)),
		async resume() {
			if (underWay === undefined && hub.status().kind === 'idle') return refuse('not_paused');
			return begin('requesting', async (signal, committed) => start({type: 'resume'}, signal, committed));
		},
		async pause() {
			if (hub.status().kind === 'idle') return refuse('not_running');
			await stop('pause');
			return accepted;
		},
		async cancel() {
			if (hub.status().kind === 'idle') return refuse('not_running');
			if (underWay !== undefined) await stop('cancel');
			// A pause or a failure may have been quicker; then the paused turn is what is given up.
			return hub.status().kind === 'paused' ? begin(undefined, abandon) : accepted;
		},
		answer: async ({askId, choice, reason}) => (asks.answer(askId, {choice, ...(reason !== undefined && {reason})}) ? accepted : refuse('no_such_ask')),
		async shutdown() {
			closing = true;
			await stop('pause');
			hub.close(await close().then(() => undefined, sentenceOf));
			return accepted;
		},
	};

	return {
		async send(method) {
			return closing ? refuse('closed') : methods[method.method](method as never);
		},
	};
}

const accepted: Receipt = {accepted: true};

function receiptOf(end: WorkEnd): Receipt {
	if (end.type === 'ended') return accepted;
	return {accepted: false, code: end.type === 'refused' ? end.code : 'io', sentence: end.sentence};
}

function internalError(error: unknown): WorkEnd {
	return {type: 'refused', code: 'io', sentence: `Internal error: ${sentenceOf(error)}`};
}

function sentenceOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

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
