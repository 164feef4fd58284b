import {
	createHistory,
	createWorker,
	type Clock,
	type Draft,
	type History,
	type Model,
	type ModelDescription,
	type Settings,
	type Tool,
	type WorkerLimits,
	type WorkerStep,
} from '../worker/index.ts';
import {interruption, originRules, projectedItems} from './history/reader.ts';
import {createApprovals, type ApprovalOptions, type Approvals} from './approval/approvals.ts';
import {createAsks} from './status/asks.ts';
import {keptOutputs} from './command/output-file.ts';
import {createCompaction} from './compaction/automatic.ts';
import type {CompactHook} from './compaction/compaction.ts';
import type {Guards} from './compaction/summarise.ts';
import {createCompletion} from './completion/completion.ts';
import {cacheSettings} from './context/cache-key.ts';
import type {ModelFacts} from './context/catalogue.ts';
import {createLedger} from './context/ledger-question.ts';
import {createMeter} from './context/meter.ts';
import {estimateTokens} from './context/tokens.ts';
import {contextSize} from './context/usage.ts';
import {createController} from './controller/controller.ts';
import {homeOf} from './env/env.ts';
import {createHub, type Hub} from './status/hub.ts';
import {composeInterceptors} from './turn/compose-interceptors.ts';
import {createInstructions} from './instructions/instructions.ts';
import {createLeave} from './controller/leave.ts';
import {retryWaits, type Limits} from './config/limits.ts';
import {createMcp} from './mcp/mcp.ts';
import {commitNotifications, notification} from './turn/notification.ts';
import {createPodTools} from './assembly/pod-tools.ts';
import {systemPrompt} from './prompts/prompts.ts';
import type {ApprovalMode, Ask, Item, Message, PodClient, Receipt, Status, WorkflowInfo} from './protocol.ts';
import {createWidenableScope, withoutRoots, withRoots, type WidenableScope} from './scope/read-roots.ts';
import {createRewindMethods} from './rewind/rewind-methods.ts';
import type {UntrustedManifest} from './manifest/load-manifest.ts';
import type {Scope} from './scope/scope.ts';
import type {Session} from './session/session.ts';
import {createStaleCheck} from './submission/stale.ts';
import {createSteering} from './turn/steering.ts';
import {preflight} from './submission/preflight.ts';
import {resolveSubmission, type PromptHook} from './submission/submission.ts';
import {hookCalls, type ToolHooks} from './hooks/tool-hooks.ts';
import {ownFolders} from './tools/tools.ts';
import {offerManifest} from './trust/manifest.ts';
import {openTrustStore} from './trust/store.ts';
import {createTrust} from './trust/trust.ts';
import {
	abandonTurn,
	compactContext,
	runShell,
	startTurn,
	tellAlerts,
	tellLast,
	type CurrentRun,
	type Resolve,
	type Turns,
} from './turn/turns.ts';
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
		/** What its requests are made with: part of the setup, so that history says it. */
		readonly settings?: Settings;
	};
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Whether somebody can be asked. In print mode nobody can: what would ask is refused. */
	readonly attended: boolean;
	/** What needs trust is trusted as it is when it is first looked at, while this pod is open. */
	readonly trustPresent?: boolean;
	/**
	The person named the folder to work in. Else they are asked before a session goes on in another one than it was made
	in.
	*/
	readonly isFolderChosen?: boolean;
	readonly hook?: PromptHook;
	readonly compactHook?: CompactHook;
	readonly toolHooks?: ToolHooks;
	/** How calls that change something are judged. Default: all of them are asked about. */
	readonly approval?: Pick<ApprovalOptions, 'mode' | 'rules' | 'narrowedFrom'>;
	/** What of the project's file counts only when the person trusts it. They are asked when somebody first listens. */
	readonly untrusted?: UntrustedManifest;
	/** Tools beside the pod's own. */
	readonly moreTools?: readonly Tool[];
};

/** An agent on a session. Closing it with `shutdown` lets go of the session. */
export function openPod(options: PodOptions): PodClient {
	const {session, limits, clock, model} = options;
	const history = createHistory(session.log, session.items);
	const {scope, find} = createWidenableScope(withRoots(options.scope, keptOutputs(session.dir)), {
		home: homeOf(options.env),
		onChange: () => hub.renew(),
	});
	const hub = createHub(
		history,
		() => ({
			id: session.id,
			model: model.name,
			scope: {pwd: scope.pwd, writable: scope.writable, readRoots: scope.readRoots},
			prices: meter.prices(),
		}),
		{
			kind: standing(history),
			asks: [],
			queue: [],
			...(options.approval && options.approval.mode !== 'ask' && {approval: options.approval.mode}),
		},
	);
	const meter = createMeter({
		history,
		model,
		project: projectedItems,
		onUse: context => hub.setStatus({context}),
		onPrices: () => hub.renew(),
	});
	const asks = createAsks(clock.id, list => hub.setStatus({asks: list}));
	const run: CurrentRun = {};
	const warn = (text: string) => hub.alert({level: 'warn', text});
	const askHere = options.attended
		? {ask: async (question: Omit<Ask, 'id'>, signal: AbortSignal) => asks.ask(question, signal)}
		: {};
	const approvals = createApprovals({
		scope,
		env: options.env,
		mode: 'ask',
		rules: {person: [], project: []},
		...options.approval,
		...askHere,
		onMode: mode => hub.setStatus(approvalStatus(mode)),
		onTrouble: warn,
	});
	const closing = new AbortController();
	const trust = createTrust({
		store: async () => openTrustStore(options.env, scope.pwd),
		acceptPresent: options.trustPresent === true,
		onTrouble: warn,
		...askHere,
	});
	const workflows = createWorkflows({
		pwd: scope.pwd,
		env: options.env,
		owners: scope.owners,
		refusesReading: approvals.refusesReading,
		clock,
		trust,
		onWarning: warn,
	});
	const widen = async (items: readonly Item[]) => widenTo(workflows.folders(items), find, hub);
	const {tools, background} = createPodTools({
		scope,
		limits,
		env: options.env,
		clock,
		history,
		hub,
		sessionDir: session.dir,
		widen: async folders => widenTo(folders, find, hub),
		send: async method => controller.send(method),
		workflow: {workflows, clock, widen},
	});
	const mcp = createMcp({
		pwd: scope.pwd,
		env: options.env,
		owners: scope.owners,
		trust,
		attended: options.attended,
		onStart: () => hub.setStatus({step: 'resolving'}),
		onWarning: warn,
	});
	const offered = () => [...tools, ...(options.moreTools ?? []), ...mcp.tools()];
	const instructions = createInstructions({
		scope,
		items: () => history.items,
		clock,
		refusesReading: approvals.refusesReading,
		onWarning: warn,
	});
	const worker = createWorker({
		history,
		clock,
		origins: originRules,
		tools: offered,
		limits: workerLimits(limits),
		onDelta: delta => hub.delta(delta),
		onStep: step => tellStep(hub, step),
		random: Math.random,
	});
	const setup = async (): Promise<Draft<'setup'>> => ({
		type: 'setup',
		model: model.name,
		prompt: systemPrompt(withoutRoots(scope, keptOutputs(session.dir)), await workflows.offered(), {
			hasServers: mcp.tools().length > 0,
		}),
		tools: offered().map(tool => tool.definition),
		settings: {...model.settings, ...cacheSettings(model.name, history.items, session.id)},
	});
	const resolve: Resolve = async (segments, signal) =>
		resolved(
			hub,
			resolveSubmission(segments, {
				scope,
				limits: limits.fileRefs,
				clock,
				signal,
				workflows: workflows.source,
				...(options.hook && {hook: options.hook}),
			}),
		);
	const steering = createSteering({
		history,
		resolve,
		onQueue: queue => hub.setStatus({queue}),
		onCommit: submission => {
			tellAlerts(hub, submission);
			void widen(submission.attachments);
		},
	});
	const compaction = createCompaction({
		history,
		clock,
		scope,
		limits,
		random: Math.random,
		model: model.load,
		settings: model.settings ?? {},
		window: () => meter.window(),
		size: items => contextSize(items, projectedItems)?.tokens ?? 0,
		estimate: estimateTokens,
		guards: guardsOf(options, approvals, hub),
		hook: options.compactHook,
		onAlert: alert => hub.alert(alert),
		onBegin: () => hub.setStatus({step: 'compacting'}),
	});
	const turns: Turns = {
		options,
		history,
		hub,
		asks,
		worker,
		mcp,
		setup,
		resolve,
		steering,
		approvals,
		instructions,
		compaction,
		widen,
		run,
	};
	const completion = createCompletion({scope: () => scope, workflows: async () => pickable(await workflows.list())});
	const back = createRewindMethods({
		history,
		clock,
		scope,
		sessionDir: session.dir,
		apart: ownFolders(options.env),
		standing: () => standing(history),
		onTrouble: text => hub.alert({level: 'error', text}),
	});
	let looked = false;
	const controller = createController({
		hub,
		asks,
		start: async (pending, signal, committed) => startTurn(turns, pending, signal, committed),
		abandon: async () => abandonTurn(turns),
		steering,
		notify: async (text, {toRun, forRun}) =>
			notified(
				turns,
				notification(text, {clock, maxBytes: limits.tools.maxOutputBytes, forRun: toRun && forRun}),
				{toRun, forRun},
			),
		shell: async (command, signal) => runShell(turns, scope.pwd, command, signal),
		addDir: find,
		setApproval: mode => approvals.setMode(mode),
		compact: async (hint, signal) => compactContext(turns, hint, signal),
		...createLeave({background, ...(options.attended && {asks}), signal: closing.signal}),
		...back.methods,
		async close() {
			closing.abort();
			for (const part of [completion, meter]) part.close();
			const stopped = await background.close();
			await steering.settled();
			await mcp.close();
			await tellLast(turns, stopped).finally(async () => session.close());
		},
	});
	const stale = createStaleCheck({items: () => history.items, scope});
	return {
		subscribe(listener) {
			const undo = hub.subscribe(listener);
			// What is to be said of the documents is said to somebody, and before the first of them is invoked.
			if (!looked) setImmediate(() => void workflows.list());
			if (!looked && options.untrusted !== undefined && askHere.ask !== undefined)
				void offerManifest(options.untrusted, {
					env: options.env,
					ask: askHere.ask,
					hub,
					approvals,
					signal: closing.signal,
				});
			looked = true;
			return undo;
		},
		send: async method => controller.send(method),
		complete: async query => completion.complete(query),
		preflight: async (segments, signal) =>
			preflight(segments, {scope, limits: limits.fileRefs, signal, workflows: workflows.preview}),
		workflows: async () => workflows.list(),
		mcp: async () => mcp.list(),
		backgroundOutput: async id => background.output(id),
		stale,
		filesSince: back.filesSince,
		ledger: createLedger({items: () => history.items, setup, stale, window: () => meter.window()}),
	};
}

/** The worker that makes a summary passes the same rules and hooks as the conversation, and shows no card. */
function guardsOf({toolHooks = {}}: PodOptions, {unattended, refusesReading}: Approvals, hub: Hub): Guards {
	return {
		calls(signal, onRefused, own) {
			const hooks = hookCalls(toolHooks, signal, {onAlert: alert => hub.alert(alert), onRefused});
			return composeInterceptors(...hooks.first, unattended(onRefused, own), ...hooks.last);
		},
		refusesReading,
	};
}

/** Where a session stands that is opened: an interrupted turn can be gone on with; a cancelled one was given up. */
function standing(history: History): 'idle' | 'paused' {
	const cause = interruption(history.items);
	return cause === undefined || cause === 'cancelled' ? 'idle' : 'paused';
}

async function notified(
	{steering, history}: Turns,
	item: Message,
	{toRun, forRun}: {readonly toRun: boolean; readonly forRun: boolean},
): Promise<Receipt> {
	return toRun ? steering.notify(item, forRun) : commitNotifications(history, [item]);
}

function workerLimits({
	maxTurns = Number.POSITIVE_INFINITY,
	tools: {maxOutputBytes},
	retry: {maxAttempts},
}: Limits): WorkerLimits {
	return {maxTurns, maxOutputBytes, retry: {...retryWaits, maxAttempts}};
}

/** In the status nothing stands for `ask`. */
function approvalStatus(mode: ApprovalMode): Partial<Status> {
	return {approval: mode === 'ask' ? undefined : mode};
}

async function resolved(
	hub: Hub,
	resolving: ReturnType<typeof resolveSubmission>,
): ReturnType<typeof resolveSubmission> {
	const result = await resolving;
	if (!result.ok) tellAlerts(hub, result);
	return result;
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

function tellStep(hub: Hub, {step, retryAt, failure}: WorkerStep): void {
	hub.setStatus({step, retryAt});
	if (failure !== undefined) hub.alert({level: 'warn', text: failure.message});
}
