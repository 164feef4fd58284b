import {createWorker, moment, stamp, type Draft, type Message, type WorkerLimits} from '../../../worker/index.ts';
import {keptOutputs} from '../../tools/processes/output-file.ts';
import {createBudget, type Budget} from '../../run/budget/budget.ts';
import {createCompaction, type Compaction} from '../../context/compaction/automatic.ts';
import type {Guards} from '../../context/compaction/summarise.ts';
import {retryWaits, type Limits} from '../../config/limits.ts';
import {willRetry} from './texts.ts';
import {cacheSettings} from '../../context/ledger/cache-key.ts';
import {estimateTokens} from '../../ground/text/tokens.ts';
import {contextSize} from '../../ground/counts/usage.ts';
import {modeChange} from '../../ground/history/recorded.ts';
import {originRules, projectedItems} from '../../ground/history/reader.ts';
import {retryInStricterForm, withKnownForm} from '../../ground/history/stricter-form.ts';
import {hookCalls} from '../../run/hooks/tool-hooks.ts';
import {createFallback} from '../../models/fallback.ts';
import {confirmModel} from '../../models/blocked-model.ts';
import {createDiagnostics} from '../../run/diagnostics/diagnostics.ts';
import {withPrompts} from '../../servers/mcp/prompt-source.ts';
import {resourceReader} from '../../servers/mcp/resource-reader.ts';
import {renewTools} from '../../servers/mcp/renew-tools.ts';
import {createInstructions} from '../../references/instructions/instructions.ts';
import {tellPlanMode} from '../../permissions/plan/plan-mode.ts';
import {systemPrompt} from '../../references/prompts/prompts.ts';
import type {Alert, Origin} from '../../protocol.ts';
import {withoutRoots} from '../../permissions/approval/read-roots.ts';
import type {Hub} from '../../run/status/hub.ts';
import {resolveSubmission, type Rejection, type Submission} from '../../references/submission/submission.ts';
import {createTruncationGuard, type TruncationGuard} from '../../context/truncation/guard.ts';
import {createBoundary, type Boundary} from '../../run/turn/boundary.ts';
import {composeInterceptors} from '../../run/turn/compose-interceptors.ts';
import {interceptorOf, type InterceptorOptions} from '../../run/turn/interceptor.ts';
import {notification} from '../../run/turn/notification.ts';
import {createRecovery, type Recovery} from '../../run/turn/recovery.ts';
import {createSteering, type Steering} from '../../run/turn/steering.ts';
import {createTurns, type TurnOptions, type Turns} from '../../run/turn/turn.ts';
import {confirmWorkingDirectory, type DirectoryConfirmed} from '../../run/turn/working-directory.ts';
import {launchWith} from './confine.ts';
import type {ChildParts} from './child-parts.ts';
import type {PodOptions} from './options.ts';
import type {SessionParts} from './session.ts';
import type {ToolParts} from './tools.ts';

/** The parts that send requests: turns, steering and compactions. */
export type RequestParts = {
	readonly turns: Turns;
	readonly steering: Steering;
	readonly boundary: Boundary;
	readonly compaction: Compaction;
	readonly recovery: Recovery;
	/** The limits of cost and requests, which children share. */
	readonly budget: Budget;
	readonly resolve: TurnOptions['resolve'];
	/** Returns the setup of the next request. */
	readonly setup: () => Promise<Draft<'setup'>>;
	/** Creates a message to the model that does not come from the user. `forRun`: a run answers it. */
	readonly notice: (text: string, forRun: boolean) => Message;
	readonly confirmDirectory: (signal: AbortSignal) => Promise<DirectoryConfirmed>;
};

export function assembleRequests(
	options: PodOptions,
	session: SessionParts,
	tools: ToolParts,
	children: Pick<ChildParts, 'lost'>,
): RequestParts {
	const {history, hub} = session;
	const {clock, limits} = options;
	const maxBytes = limits.tools.maxOutputBytes;
	const setup = async () => nextSetup(options, session, tools);
	const sessionDir = options.session.dir;
	const recovery = createRecovery({history, hub, clock, sessionDir, maxBytes, lostChildren: children.lost});
	const resolve = createResolve(options, session, tools);
	const notice = (text: string, forRun: boolean) => notification(text, {clock, maxBytes, forRun});
	const confirmDirectory = async (signal: AbortSignal) => confirmHere(options, session, signal);
	const steering = createSteering({
		history,
		resolve,
		onCommit: submission => void accept(submission, session, tools),
	});
	const boundary = createBoundary();
	const compaction = createSessionCompaction(options, session, tools);
	const truncation = createSessionGuard(options, session);
	const budget = options.child?.budget ?? createSessionBudget(options, session);
	const fallback = createFallback({
		history,
		clock,
		current: session.model,
		models: options.models,
		setup,
		onAlert: alert => hub.alert(alert),
		asks: options.attended ? session.asks : undefined,
	});
	const turns = createTurns({
		...turnSteps(options, session, tools, {steering, boundary, budget, compaction, truncation, fallback, setup}),
		worker: createSessionWorker(options, session, tools),
		recovery,
		confirmDirectory,
		confirmModel: async signal => confirmModel(session.model, options.attended ? session.asks : undefined, signal),
		modeChange: () => (options.mode === undefined ? [] : modeChange(history, session.mode(), clock)),
		confirmTruncated: async signal => truncation.confirm(signal),
		resolve,
		accept: async submission => accept(submission, session, tools),
		notice: text => notice(text, true),
		task: text => taskMessage(text, options),
		setup,
	});
	return {turns, steering, boundary, compaction, recovery, budget, resolve, setup, notice, confirmDirectory};
}

/** Creates the first message of a child session. */
function taskMessage(text: string, {clock, child}: PodOptions): Message {
	const origin: Origin = {kind: 'task', parent: child?.parent ?? ''};
	return stamp(clock, {type: 'message', role: 'user', text, origin});
}

async function nextSetup(
	{session, systemPrompt: own}: PodOptions,
	{userScope: scope, history, media, model: current}: SessionParts,
	{offered, workflows, mcp}: ToolParts,
): Promise<Draft<'setup'>> {
	const shown = withoutRoots(scope, keptOutputs(session.dir));
	const model = current.get();
	const settings = await media.settings(withKnownForm(model.name, model.settings ?? {}, history.items));
	const hasTools = settings['tools'] !== false;
	return {
		type: 'setup',
		model: model.name,
		prompt:
			own ??
			systemPrompt(shown, await workflows.offered(), {
				hasServers: hasTools && mcp.tools().length > 0,
				hasTools,
			}),
		tools: hasTools ? offered().map(tool => tool.definition) : [],
		settings: {...settings, ...cacheSettings({model: model.name, settings}, history.items, session.id)},
	};
}

/**
Creates the step that resolves a submission. Its alerts appear at once if it is rejected, and otherwise with its
commit.
*/
function createResolve(
	{limits, clock, hook}: PodOptions,
	{scope, hub, media}: SessionParts,
	{workflows, webRefs, mcp}: ToolParts,
): TurnOptions['resolve'] {
	return async (segments, signal, id) => {
		const result = await resolveSubmission(segments, {
			scope,
			limits: limits.fileRefs,
			clock,
			signal,
			id,
			workflows: withPrompts(workflows.source, mcp),
			media: media.check,
			pasted: media.pasted,
			web: webRefs,
			resources: resourceReader(mcp),
			hook,
		});
		if (!result.ok) emitAlerts(hub, result);
		return result;
	};
}

async function accept(submission: Submission, {hub}: SessionParts, {widenForSkills}: ToolParts): Promise<void> {
	emitAlerts(hub, submission);
	await widenForSkills(submission.attachments);
}

function emitAlerts(hub: Hub, {alerts = []}: Pick<Submission | Rejection, 'alerts'>): void {
	for (const alert of alerts) hub.alert(alert);
}

async function confirmHere(
	{session, clock, attended, isFolderChosen = false}: PodOptions,
	{history, scope, asks}: SessionParts,
	signal: AbortSignal,
): Promise<DirectoryConfirmed> {
	return confirmWorkingDirectory(
		{history, clock, from: session.cwd, to: scope.pwd, isChosen: isFolderChosen, ...(attended && {asks})},
		signal,
	);
}

type Shared = Pick<
	InterceptorOptions,
	'steering' | 'boundary' | 'budget' | 'compaction' | 'truncation' | 'fallback'
> & {readonly setup: () => Promise<Draft<'setup'>>};

/** Creates the steps of a turn that need the instructions and the interceptors. */
function turnSteps(
	{clock, attended, toolHooks = {}, diagnostics: commands = {}, env}: PodOptions,
	{scope, history, hub, model, asks, warn, planMode}: SessionParts,
	{approvals, mcp, confinement}: ToolParts,
	{setup, ...shared}: Shared,
): Pick<TurnOptions, 'prepare' | 'instructions' | 'interceptor'> {
	const instructions = createInstructions({
		scope,
		items: () => history.items,
		clock,
		refusesReading: approvals.refusesReading,
		onWarning: warn,
	});
	const onAlert = (alert: Alert) => hub.alert(alert);
	const stricterForm = retryInStricterForm({history, clock});
	const plan = tellPlanMode({history, clock, mode: planMode});
	const diagnostics = createDiagnostics({
		commands,
		cwd: scope.pwd,
		env,
		clock,
		onAlert,
		...(confinement !== undefined && {launch: launchWith(confinement, confinement.networkFor(false))}),
	});
	const parts = {
		tools: (signal: AbortSignal) => renewTools({mcp, history, clock, setup}, signal),
		diagnostics,
		approvals,
		toolHooks,
		stricterForm,
		plan,
		instructions,
		...shared,
		onAlert,
		...(attended && {asks}),
	};
	return {
		async prepare(signal) {
			shared.fallback.begin();
			const loaded = await model.get().load();
			await mcp.prepare(signal);
			return loaded;
		},
		instructions: async (attachments, signal) => instructions.due(attachments, signal),
		interceptor: (signal, attachments) => interceptorOf(parts, signal, attachments),
	};
}

function createSessionBudget(
	{clock, attended, limits, session, spendingDir}: PodOptions,
	{history, hub, meter, model, asks, conversations}: SessionParts,
): Budget {
	return createBudget({
		limits: limits.budget ?? {},
		history,
		meter,
		counted: conversations.counted,
		clock,
		session: session.id,
		model: () => model.get().name,
		folder: spendingDir,
		onAlert: alert => hub.alert(alert),
		...(attended && {asks}),
	});
}

function createSessionGuard({clock, attended}: PodOptions, {history, hub, meter, asks}: SessionParts): TruncationGuard {
	return createTruncationGuard({
		history,
		clock,
		onAlert: alert => hub.alert(alert),
		onTruncated: () => meter.askAgain(),
		...(attended && {asks}),
	});
}

function createSessionWorker(
	{clock, limits}: PodOptions,
	{history, hub, media}: SessionParts,
	{offered}: ToolParts,
): TurnOptions['worker'] {
	return createWorker({
		history,
		clock,
		origins: originRules,
		tools: offered,
		limits: workerLimits(limits),
		readMedia: media.read,
		onDelta: delta => hub.delta(delta),
		onStep({step, retryAt, failure}) {
			hub.setStatus({step, retryAt, calls: undefined});
			if (failure === undefined) return;
			const now = moment(clock);
			const seconds = Math.ceil(((retryAt ?? now) - now) / 1000);
			hub.alert({level: 'warn', text: willRetry(failure.message, seconds)});
		},
		onCallStart: call => hub.setStatus({calls: [...(hub.status().calls ?? []), call]}),
		random: Math.random,
	});
}

export function workerLimits({
	maxTurns = Number.POSITIVE_INFINITY,
	tools: {maxOutputBytes},
	retry,
}: Limits): WorkerLimits {
	return {maxTurns, maxOutputBytes, retry: {...retryWaits, ...retry}};
}

function createSessionCompaction(options: PodOptions, session: SessionParts, tools: ToolParts): Compaction {
	const {clock, limits, compactHook} = options;
	const {history, scope, hub, meter, model, conversations} = session;
	return createCompaction({
		history,
		clock,
		scope,
		limits,
		random: Math.random,
		model: async () => model.get().load(),
		settings() {
			const {name, settings = {}} = model.get();
			return withKnownForm(name, settings, history.items);
		},
		window: () => meter.window(),
		size: items => contextSize(items, projectedItems)?.tokens ?? 0,
		estimate: estimateTokens,
		guards: guardsOf(options, session, tools),
		hook: compactHook,
		onAlert: alert => hub.alert(alert),
		onBegin: () => hub.setStatus({step: 'compacting'}),
		createConversation: id => conversations.create(id),
		onConversation: (items, isFinished) => conversations.add(items, isFinished),
	});
}

/**
Creates the guards of the worker that writes a summary. They apply the same rules and hooks as in the conversation, and
ask nobody.
*/
function guardsOf({toolHooks = {}}: PodOptions, {hub}: SessionParts, {approvals}: ToolParts): Guards {
	return {
		calls(signal, onRefused, own) {
			const hooks = hookCalls(toolHooks, signal, {onAlert: alert => hub.alert(alert), onRefused});
			return composeInterceptors(...hooks.first, approvals.unattended(onRefused, own), ...hooks.last);
		},
		refusesReading: approvals.refusesReading,
	};
}
