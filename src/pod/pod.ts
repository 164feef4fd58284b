import {belatedEnd, closures, createHistory, createWorker, HistoryError, interruption, stamp, type Clock, type Draft, type History, type Interceptor, type Message, type Model, type ModelDescription, type RunOptions, type RunResult, type Worker, type WorkerStep} from '../worker/index.ts';
import {createAsks, type Asks} from './asks.ts';
import {createCompletion} from './completion/completion.ts';
import {cacheSettings} from './context/cache-key.ts';
import type {ModelFacts} from './context/catalogue.ts';
import {createMeter} from './context/meter.ts';
import {createController, type Pending} from './controller.ts';
import {homeOf} from './home.ts';
import {createHub, type Hub} from './hub.ts';
import {closureCauses, interruptItems} from './interrupt.ts';
import {retryWaits, type Limits} from './limits.ts';
import {commitNotifications, notification} from './notification.ts';
import {systemPrompt} from './prompts.ts';
import type {Item, PodClient, Segment, WorkflowInfo} from './protocol.ts';
import {createWidenableScope, type WidenableScope} from './read-roots.ts';
import {guardRepeats} from './repeat.ts';
import type {Scope} from './scope/scope.ts';
import type {Session} from './session/session.ts';
import {createStaleCheck} from './stale.ts';
import {createSteering, type Steering} from './steer.ts';
import {preflight} from './submission/preflight.ts';
import {resolveSubmission, type PromptHook, type Rejection} from './submission/submission.ts';
import {createTools} from './tools/tools.ts';
import {workflowTool} from './tools/workflow.ts';
import {openTrustStore} from './trust/store.ts';
import {createTrust} from './trust/trust.ts';
import type {WorkEnd} from './work.ts';
import {createModelCalls, type ModelCalls} from './workflows/model-calls.ts';
import {createWorkflows} from './workflows/workflows.ts';

export type PodOptions = {
	readonly session: Session;
	readonly scope: Scope;
	readonly limits: Limits;
	readonly clock: Clock;
	readonly model: {
		readonly name: string;
		/** Loads the wire when it is first needed. */
		readonly load: () => Promise<Model>;
		/** What the person says of models, by their names. */
		readonly facts?: Readonly<Record<string, ModelFacts>>;
		/** Asks the model's own server what it says of it. */
		readonly describe?: () => Promise<ModelDescription | undefined>;
	};
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Whether somebody can be asked. In print mode nobody can: what would ask is refused. */
	readonly attended: boolean;
	/** What needs trust is trusted as it is when it is first looked at, while this pod is open. */
	readonly trustPresent?: boolean;
	readonly hook?: PromptHook;
};

/** An agent on a session. Closing it with `shutdown` lets go of the session. */
export function openPod(options: PodOptions): PodClient {
	const {session, limits, clock, model} = options;
	const history = createHistory(session.log, session.items);
	const {scope, find} = createWidenableScope(options.scope, {home: homeOf(options.env), onChange: () => hub.renew()});
	const hub = createHub(history, () => ({id: session.id, model: model.name, scope: {...scope}, prices: meter.prices()}), {kind: standing(history), asks: [], queue: []});
	const meter = createMeter({history, model, project: items => items, onUse: context => hub.setStatus({context}), onPrices: () => hub.renew()});
	const asks = createAsks(clock.id, list => hub.setStatus({asks: list}));
	const run: CurrentRun = {signal: new AbortController().signal};
	const warn = (text: string) => hub.alert({level: 'warn', text});
	const trust = createTrust({store: async () => openTrustStore(options.env, scope.pwd), acceptPresent: options.trustPresent === true, onTrouble: warn, ...(options.attended && {ask: async (question, signal) => asks.ask(question, signal)})});
	const workflows = createWorkflows({pwd: scope.pwd, env: options.env, clock, trust, onWarning: warn});
	const widen = async (items: readonly Item[]) => widenTo(workflows.folders(items), find, hub);
	const modelCalls = createModelCalls({history, clock, onCommit: widen});
	const tools = [
		...createTools({scope, limits, env: options.env, sessionDir: session.dir, items: () => history.items, ...(options.attended && {ask: async question => askPerson(asks, question, run.signal)})}),
		workflowTool({workflows, onInvoked: (callId, drafts) => modelCalls.take(callId, drafts)}),
	];
	const worker = createWorker({
		history,
		clock,
		tools,
		limits: {maxTurns: limits.maxTurns ?? Number.POSITIVE_INFINITY, maxOutputBytes: limits.tools.maxOutputBytes, retry: {...retryWaits, maxAttempts: limits.retry.maxAttempts}},
		onDelta: delta => hub.delta(delta),
		onStep: step => tellStep(hub, step),
		random: Math.random,
	});
	const setup = async (): Promise<Draft<'setup'>> => ({type: 'setup', model: model.name, prompt: systemPrompt(scope, await workflows.offered()), tools: tools.map(tool => tool.definition), settings: cacheSettings(model.name, history.items, session.id)});
	const resolve: Resolve = async (segments, signal) => {
		const result = await resolveSubmission(segments, {scope, limits: limits.fileRefs, clock, signal, workflows: workflows.source, ...(options.hook && {hook: options.hook})});
		if (!result.ok) tellAlerts(hub, result);
		return result;
	};
	const steering = createSteering({history, resolve, onQueue: queue => hub.setStatus({queue}), onCommit: submission => {
		tellAlerts(hub, submission);
		void widen(submission.attachments);
	}});
	const pod: Pod = {options, history, hub, asks, worker, setup, resolve, steering, modelCalls, widen, run};
	const completion = createCompletion({scope: () => scope, workflows: async () => pickable(await workflows.list())});
	let looked = false;
	const controller = createController({
		hub,
		asks,
		async start(pending, signal, committed) {
			run.signal = signal;
			return savedOrTold(pod, async () => work[pending.type](pod, pending as never, signal, committed));
		},
		abandon: async () => savedOrTold(pod, async () => abandon(pod)),
		steering,
		async notify(text, {toRun, forRun}) {
			const item = notification(text, {clock, maxBytes: limits.tools.maxOutputBytes, forRun: toRun && forRun});
			return toRun ? steering.notify(item, forRun) : commitNotifications(history, [item]);
		},
		shell: async (command, signal) => shell(pod, scope.pwd, command, signal),
		addDir: find,
		async close() {
			completion.close();
			meter.close();
			await steering.settled();
			await session.close();
		},
	});
	return {
		subscribe(listener) {
			const undo = hub.subscribe(listener);
			// What is to be said of the documents is said to somebody, and before the first of them is invoked.
			if (!looked) setImmediate(() => void workflows.list());
			looked = true;
			return undo;
		},
		send: async method => controller.send(method),
		complete: async query => completion.complete(query),
		preflight: async (segments, signal) => preflight(segments, {scope, limits: limits.fileRefs, signal, workflows: workflows.preview}),
		workflows: async () => workflows.list(),
		stale: createStaleCheck({items: () => history.items, scope}),
	};
}

type Pod = {
	readonly options: PodOptions;
	readonly history: History;
	readonly hub: Hub;
	readonly asks: Asks;
	readonly worker: Worker;
	/** What the next request is made with. */
	readonly setup: () => Promise<Draft<'setup'>>;
	readonly resolve: Resolve;
	readonly steering: Steering;
	readonly modelCalls: ModelCalls;
	/** Lets the folders of the skills among these items be read. */
	readonly widen: (items: readonly Item[]) => Promise<void>;
	readonly run: CurrentRun;
};

type Resolve = (segments: readonly Segment[], signal: AbortSignal) => ReturnType<typeof resolveSubmission>;

type CurrentRun = {
	/** Of the work under way, or of the last one. */
	signal: AbortSignal;
	/** Why the last run has no run_end in history, when it could not be saved. */
	lostEnd?: string | undefined;
};

/** Where a session stands that is opened: an interrupted turn can be gone on with; a cancelled one was given up. */
function standing(history: History): 'idle' | 'paused' {
	const cause = interruption(history.items);
	return cause === undefined || cause === 'cancelled' ? 'idle' : 'paused';
}

type Work<Type extends Pending['type']> = (pod: Pod, pending: Extract<Pending, {type: Type}>, signal: AbortSignal, committed: () => void) => Promise<WorkEnd>;

const work: {readonly [Type in Pending['type']]: Work<Type>} = {
	async run(pod, {segments}, signal, committed) {
		const {history, hub, worker, options} = pod;
		const submission = await pod.resolve(segments, signal);
		if (!submission.ok) return {type: 'refused', code: submission.code, sentence: submission.sentence};
		const model = await options.model.load();
		tellAlerts(hub, submission);
		await pod.widen(submission.attachments);
		const before = interruptItems(history.items, {clock: options.clock, follows: 'words', lostEnd: pod.run.lostEnd});
		return endOf(pod, await worker.run([submission.user], {...(await runOptions(pod, model, signal, committed, submission.attachments)), before}));
	},
	async runForNotification(pod, {text}, signal, committed) {
		const {history, worker, options: {clock, limits, model}} = pod;
		const run = await runOptions(pod, await model.load(), signal, committed);
		const before = interruptItems(history.items, {clock, follows: 'notification', lostEnd: pod.run.lostEnd});
		return endOf(pod, await worker.run([notification(text, {clock, maxBytes: limits.tools.maxOutputBytes, forRun: true})], {...run, before}));
	},
	async resume(pod, _pending, signal, committed) {
		const model = await pod.options.model.load();
		return endOf(pod, await pod.worker.resume(await runOptions(pod, model, signal, committed)));
	},
};

/** The interceptor is made for one run: it holds what this submission brings, and delivers what is said meanwhile. */
async function runOptions({options, asks, setup, steering, modelCalls, run}: Pod, model: Model, signal: AbortSignal, onCommit: () => void, attachments: readonly Message[] = []): Promise<RunOptions> {
	const interceptor: Interceptor = {
		...(attachments.length > 0 && {onPromptSubmit: () => ({type: 'continueWith', items: attachments})}),
		...steering.interceptor(signal),
		...modelCalls.interceptor(),
		...guardRepeats(options.attended ? async question => asks.ask(question, signal) : undefined),
	};
	return {model, setup: await setup(), interceptor, signal, onCommit, lostEnd: run.lostEnd};
}

/** A person's skill may refer to files beside it. What is no folder any more is told, and the run goes on. */
async function widenTo(folders: readonly string[], find: WidenableScope['find'], hub: Hub): Promise<void> {
	for (const folder of folders) {
		const found = await find(folder);
		if (found.ok) found.add();
		else hub.alert({level: 'warn', text: found.sentence});
	}
}

/** What a popup offers: nothing that would be refused. */
function pickable(all: readonly WorkflowInfo[]): readonly WorkflowInfo[] {
	return all.filter(({userInvocable, error}) => userInvocable && error === undefined);
}

function tellAlerts(hub: Hub, {alerts = []}: Pick<Rejection, 'alerts'>): void {
	for (const alert of alerts) hub.alert(alert);
}

/** Runs a command of the person's beside the conversation: whether a turn is interrupted stays as it was. */
async function shell({options, history, hub}: Pod, cwd: string, command: string, signal: AbortSignal): Promise<WorkEnd> {
	const {env, clock, limits} = options;
	const {runCommand} = await import('./shell.ts');
	try {
		const ran = await runCommand(command, {cwd, env, clock, maxBytes: limits.tools.maxOutputBytes, signal, onDelta: delta => hub.delta(delta)});
		if (!ran.ok) return {type: 'refused', code: ran.code, sentence: ran.sentence};
		await history.append([ran.item]);
		return {type: 'done'};
	} catch (error) {
		hub.dropTail();
		if (error instanceof HistoryError) return {type: 'unsaved', sentence: error.message};
		throw error;
	}
}

function endOf(pod: Pod, result: RunResult): WorkEnd {
	if (result.type === 'unsaved') return unsaved(pod, result.error);
	if (result.type === 'refused') return {type: 'refused', code: 'hook', sentence: result.reason};
	pod.run.lostEnd = undefined;
	return {type: 'ended', outcome: result.outcome};
}

/** Nothing is shown as saved that is not: what was streaming goes, and the next run says why this one has no end. */
function unsaved({hub, run}: Pod, error: HistoryError): WorkEnd {
	hub.dropTail();
	run.lostEnd = error.message;
	return {type: 'unsaved', sentence: error.message};
}

async function savedOrTold(pod: Pod, step: () => Promise<WorkEnd>): Promise<WorkEnd> {
	try {
		return await step();
	} catch (error) {
		if (error instanceof HistoryError) return unsaved(pod, error);
		throw error;
	}
}

/** Gives the paused turn up: its calls are closed, and the run counts as cancelled. */
async function abandon({history, options: {clock}, run}: Pod): Promise<WorkEnd> {
	const end = stamp(clock, {type: 'run_end', outcome: 'cancelled'});
	await history.append([...belatedEnd(history.items, clock, run.lostEnd), ...closures(history.items, closureCauses.cancelled, clock), end]);
	run.lostEnd = undefined;
	return {type: 'ended', outcome: 'cancelled'};
}

async function askPerson(asks: Asks, question: {readonly title: string; readonly detail: string; readonly callId: string}, signal: AbortSignal): Promise<'allow' | 'deny'> {
	const choices = [{choice: 'allow', label: 'Yes, this once'}, {choice: 'deny', label: 'No'}];
	const answer = await asks.ask({...question, choices}, signal);
	return answer?.choice === 'allow' ? 'allow' : 'deny';
}

function tellStep(hub: Hub, {step, retryAt, failure}: WorkerStep): void {
	hub.setStatus({step, retryAt});
	if (failure !== undefined) hub.alert({level: 'warn', text: failure.message});
}
