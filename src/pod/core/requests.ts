import {
	createWorker,
	moment,
	stamp,
	type Draft,
	type Item,
	type Message,
	type WorkerLimits,
} from '../../worker/index.ts';
import {keptOutputs} from '../tools/processes/output-file.ts';
import {createBudget, type Budget} from '../run/budget/budget.ts';
import {createCompaction, type Compaction} from '../context/compaction/automatic.ts';
import type {Guards} from '../context/compaction/summarise.ts';
import {retryWaits, type Limits} from '../config/limits.ts';
import {willRetry} from './session.ts';
import {cacheLongerAfterPause, cacheSettings} from '../context/prompt-cache.ts';
import {estimateTokens} from '../ground/text/tokens.ts';
import {requestSize} from '../ground/counts/usage.ts';
import {modeChange} from '../ground/history/recorded.ts';
import {originRules, projectedItems} from '../ground/history/reader.ts';
import {retryInOtherForm, withKnownForm} from '../ground/history/recorded.ts';
import {hookCalls} from '../run/hooks/hooks.ts';
import {createFallback} from '../models/fallback.ts';
import {confirmModel} from '../models/fallback.ts';
import {renewTools} from '../run/turn/turn.ts';
import {createInstructions} from '../references/instructions/instructions.ts';
import {systemPrompt, type PromptParts} from '../references/prompts/prompts.ts';
import type {Alert, Origin} from '../protocol.ts';
import {withoutRoots} from '../permissions/approval/path-readings.ts';
import type {Hub} from '../run/status/hub.ts';
import {resolveSubmission, type Rejection, type Submission} from '../references/submission/submission.ts';
import {createAnsweredGuard, type AnsweredGuard} from '../context/answered/answered.ts';
import {createTruncationGuard, type ServerFacts} from '../context/truncation/truncation.ts';
import {createBoundary} from '../run/turn/turn.ts';
import {composeInterceptors} from '../run/turn/interceptor.ts';
import {interceptorOf, type InterceptorOptions} from '../run/turn/interceptor.ts';
import {notification} from '../run/turn/recovery.ts';
import {createRecovery} from '../run/turn/recovery.ts';
import {createSteering} from '../run/turn/steering.ts';
import {createTurns, type TurnOptions} from '../run/turn/turn.ts';
import {confirmWorkingDirectory, type DirectoryConfirmed} from '../run/turn/working-directory.ts';
import type {CoreOptions} from './options.ts';
import {callableTools, calledTool, nextDefinitions} from './offered-tools.ts';
import type {PodParts, RequestParts} from './pod-parts.ts';

export function createRequests(pod: PodParts): RequestParts {
	const {options, session, features, references} = pod;
	const {history, hub} = session;
	const {clock, limits} = options;
	const asks = options.attended ? session.asks : undefined;
	const maxBytes = limits.tools.maxOutputBytes;
	const onAlert = (alert: Alert) => hub.alert(alert);
	const setup = async () => nextSetup(pod);
	const recovery = createRecovery({
		history,
		hub,
		clock,
		sessionDir: options.session.dir,
		maxBytes,
		lost: async how => (await Promise.all(features.map(async each => (await each.lost?.(how)) ?? []))).flat(),
	});
	const resolve = createResolve(pod);
	const notice = (text: string, forRun: boolean) => notification(text, {clock, maxBytes, forRun});
	const confirmDirectory = async (signal: AbortSignal) => confirmHere(pod, signal);
	const accept = async (submission: Submission) => {
		emitAlerts(hub, submission);
		await references.accept(submission.attachments);
	};
	const steering = createSteering({history, resolve, onCommit: submission => void accept(submission)});
	const boundary = createBoundary();
	const truncation = createTruncationGuard({
		history,
		clock,
		onAlert,
		onTruncated: () => session.meter.askAgain(),
		facts: () => serverFacts(pod),
		size: items => sizeOf(pod, items),
		learnWindow: async () => session.meter.learnWindow(),
		asks,
	});
	const answered = createAnswered(pod);
	const compaction = createSessionCompaction(pod, answered);
	const budget = options.child?.budget ?? createSessionBudget(pod);
	const {model} = session;
	const fallback = createFallback({history, clock, current: model, models: options.models, setup, onAlert, asks});
	const turns = createTurns({
		...turnSteps(pod, {
			steering,
			boundary,
			budget,
			compaction,
			truncation,
			answered,
			fallback,
			setup,
			asks,
			onAlert,
		}),
		worker: createSessionWorker(pod),
		recovery,
		confirmDirectory,
		confirmModel: async signal => confirmModel(model, asks, signal),
		modeChange: () => (options.mode === undefined ? [] : modeChange(history, session.mode(), clock)),
		confirmTruncated: async signal => truncation.confirm(signal),
		confirmExact: async signal => answered.confirm(signal),
		resolve,
		accept,
		notice: text => notice(text, true),
		task: text => taskMessage(text, options),
		setup,
	});
	return {
		turns,
		steering,
		boundary,
		compaction,
		answered,
		recovery,
		budget,
		resolve,
		setup,
		notice,
		confirmDirectory,
	};
}

function createAnswered({options, session: {history, hub, model, asks}}: PodParts): AnsweredGuard {
	return createAnsweredGuard({
		history,
		clock: options.clock,
		model: () => model.get().name,
		isExact: options.isExact === true,
		asks: options.attended ? asks : undefined,
		onAlert: alert => hub.alert(alert),
	});
}

function serverFacts({session: {meter}}: PodParts): ServerFacts {
	return {window: meter.window(), counts: meter.counts()};
}

function sizeOf({session: {meter}}: PodParts, items: readonly Item[]): number {
	return requestSize(items, projectedItems, meter.counts());
}

/** Creates the first message of a child session. */
function taskMessage(text: string, {clock, child}: CoreOptions): Message {
	const origin: Origin = {kind: 'task', parent: child?.parent ?? ''};
	return stamp(clock, {type: 'message', role: 'user', text, origin});
}

async function nextSetup(pod: PodParts): Promise<Draft<'setup'>> {
	const {session, systemPrompt: own} = pod.options;
	const {userScope: scope, history, media, model: current} = pod.session;
	const shown = withoutRoots(scope, keptOutputs(session.dir));
	const model = current.get();
	const settings = await media.settings(withKnownForm(model.name, model.settings ?? {}, history.items));
	const hasTools = settings['tools'] !== false;
	return {
		type: 'setup',
		model: model.name,
		prompt: own ?? systemPrompt(shown, {...(await promptParts(pod)), hasTools}),
		tools: hasTools ? [...(await nextDefinitions(pod))] : [],
		settings: {...settings, ...cacheSettings({model: model.name, settings}, history.items, session.id)},
	};
}

async function promptParts({features}: PodParts): Promise<PromptParts> {
	let parts: PromptParts = {};
	for (const feature of features) parts = {...parts, ...(await feature.setup?.())};
	return parts;
}

/**
Creates the step that resolves a submission. The alerts of a rejected submission appear immediately. Otherwise they
appear when the submission is committed.
*/
function createResolve({
	options: {limits, clock, hook},
	session: {scope, hub, media},
	references: {workflows, web, resources},
}: PodParts): TurnOptions['resolve'] {
	return async (segments, signal, id) => {
		const result = await resolveSubmission(segments, {
			scope,
			limits: limits.fileRefs,
			clock,
			signal,
			id,
			workflows,
			media: media.check,
			pasted: media.pasted,
			web,
			resources,
			hook,
		});
		if (!result.ok) emitAlerts(hub, result);
		return result;
	};
}

function emitAlerts(hub: Hub, {alerts = []}: Pick<Submission | Rejection, 'alerts'>): void {
	for (const alert of alerts) hub.alert(alert);
}

async function confirmHere(
	{options: {session, clock, attended, isFolderChosen = false}, session: {history, scope, asks}}: PodParts,
	signal: AbortSignal,
): Promise<DirectoryConfirmed> {
	return confirmWorkingDirectory(
		{history, clock, from: session.cwd, to: scope.pwd, isChosen: isFolderChosen, ...(attended && {asks})},
		signal,
	);
}

type Shared = Pick<
	InterceptorOptions,
	'steering' | 'boundary' | 'budget' | 'compaction' | 'truncation' | 'answered' | 'fallback' | 'asks' | 'onAlert'
> & {readonly setup: () => Promise<Draft<'setup'>>};

/** Creates the steps of a turn that need the instructions and the interceptors. */
function turnSteps(
	{
		options: {clock, toolHooks = {}},
		session: {scope, history, model, warn},
		permissions: {approvals},
		features,
	}: PodParts,
	{setup, ...shared}: Shared,
): Pick<TurnOptions, 'prepare' | 'instructions' | 'interceptor'> {
	const instructions = createInstructions({
		scope,
		items: () => history.items,
		clock,
		refusesReading: approvals.refusesReading,
		onWarning: warn,
	});
	const changing = features.flatMap(({changingTools}) => changingTools ?? []);
	async function renew(signal: AbortSignal): Promise<boolean> {
		const renewed = await Promise.all(changing.map(async tools => tools.renew(signal)));
		return renewed.includes(true);
	}
	const parts: InterceptorOptions = {
		tools: signal => renewTools({renew, history, clock, setup}, signal),
		calls: signal => features.flatMap(({interceptors}) => interceptors?.calls?.(signal) ?? []),
		requests: signal => features.flatMap(({interceptors}) => interceptors?.requests?.(signal) ?? []),
		approvals,
		toolHooks,
		otherForm: retryInOtherForm({history, clock}),
		promptCache: cacheLongerAfterPause({history, clock}),
		instructions,
		...shared,
	};
	return {
		async prepare(signal) {
			shared.fallback.begin();
			const loaded = await model.get().load();
			for (const tools of changing) await tools.prepare(signal);
			// inkpod connects now, so that the connection is open when the record of the request is durable. It does
			// not connect earlier, so the server cannot notice a user who has not pressed Enter.
			if (!signal.aborted) loaded.connect?.();
			return loaded;
		},
		instructions: async (attachments, signal) => instructions.due(attachments, signal),
		interceptor: (signal, attachments) => interceptorOf(parts, signal, attachments),
	};
}

function createSessionBudget({
	options: {clock, attended, limits, session, spendingDir},
	session: {history, hub, meter, model, asks, conversations},
}: PodParts): Budget {
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

function createSessionWorker(pod: PodParts): TurnOptions['worker'] {
	const {clock, limits} = pod.options;
	const {history, hub, media} = pod.session;
	return createWorker({
		history,
		clock,
		origins: originRules,
		tools: () => callableTools(pod),
		named: call => calledTool(pod, call),
		limits: workerLimits(limits),
		readMedia: media.read,
		onDelta: delta => hub.delta(delta),
		onStep({step, retryAt, failure}) {
			const now = moment(clock);
			const isWaiting = step === 'requesting' && retryAt === undefined;
			hub.setStatus({step, retryAt, requestedAt: isWaiting ? now : undefined, calls: undefined});
			if (failure === undefined) return;
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

function createSessionCompaction(pod: PodParts, answered: AnsweredGuard): Compaction {
	const {clock, limits, compactHook} = pod.options;
	const {history, scope, hub, meter, model, conversations} = pod.session;
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
		size: items => sizeOf(pod, items),
		server: () => serverFacts(pod),
		estimate: estimateTokens,
		guards: guardsOf(pod, answered),
		hook: compactHook,
		onAlert: alert => hub.alert(alert),
		onBegin: () => hub.setStatus({step: 'compacting'}),
		createConversation: id => conversations.create(id),
		onConversation: (items, isFinished) => conversations.add(items, isFinished),
	});
}

/**
Creates the guards of the worker that writes a summary. They apply the rules and hooks of the conversation, and never
ask the user.
*/
function guardsOf(
	{options: {toolHooks = {}}, session: {hub}, permissions: {approvals}}: PodParts,
	answered: AnsweredGuard,
): Guards {
	return {
		calls(signal, onRefused, own) {
			const hooks = hookCalls(toolHooks, signal, {onAlert: alert => hub.alert(alert), onRefused});
			return composeInterceptors(...hooks.first, approvals.unattended(onRefused, own), ...hooks.last);
		},
		refusesReading: approvals.refusesReading,
		answered,
	};
}
