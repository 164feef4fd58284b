import {stricterMode} from '../../protocol/approval-mode.ts';
import {createCompletion} from '../../references/completion/completion.ts';
import {createLedger} from '../../context/ledger/ledger-query.ts';
import {createRequestView} from '../../context/ledger/request-view.ts';
import {createController, type Controller, type ControllerOptions} from '../../run/controller/controller.ts';
import {createExitMethods} from '../../run/controller/confirm-exit.ts';
import {createRemoval} from '../../run/controller/remove-permission.ts';
import {askToAddAgain} from '../../permissions/approval/read-roots.ts';
import {offeredPrompts, promptSlug} from '../../servers/mcp/prompt-source.ts';
import {offeredResources} from '../../servers/mcp/offered-resources.ts';
import {askToTrustManifest} from '../manifest/trust-manifest.ts';
import type {PodClient, WorkflowInfo} from '../../protocol.ts';
import {createRewindMethods, type RewindMethods} from '../../run/rewind/rewind-methods.ts';
import {keepPasted} from '../../disk/bodies/pasted.ts';
import {namedPath} from '../../references/submission/named-path.ts';
import {preflight} from '../../references/submission/preflight.ts';
import type {WorkflowSource} from '../../references/submission/workflow.ts';
import {createStaleCheck} from '../../references/submission/stale.ts';
import {ownFolders} from '../../tools/tools.ts';
import {compactJob} from '../../run/turn/compact-job.ts';
import {commitLast, commitNotifications} from '../../run/turn/notification.ts';
import {shellJob} from '../../run/turn/shell-job.ts';
import {assembleSideQuestions} from './side-questions.ts';
import {noOtherModels} from './texts.ts';
import type {PodOptions} from './options.ts';
import {assemblePromptHistory, type PromptHistoryParts} from './prompt-history.ts';
import {totalCost} from '../../ground/counts/spent.ts';
import {createFactStore, type FactStore} from '../../disk/conversations/facts.ts';
import {restingState, type SessionParts} from './session.ts';
import type {QueueParts} from './queue.ts';
import {launchWith} from './confine.ts';
import type {ChildParts} from './child-parts.ts';
import type {RequestParts} from './requests.ts';
import type {ToolParts} from './tools.ts';

type Completion = ReturnType<typeof createCompletion>;

/** The parts that only the client uses. */
type OwnParts = {
	readonly completion: Completion;
	readonly rewind: RewindMethods;
	readonly recorded: PromptHistoryParts['recorded'];
	readonly sideQuestions: ReturnType<typeof assembleSideQuestions>;
	readonly children: ChildParts;
	/** Absent for a child, which is no entry in the list of sessions. */
	readonly facts: FactStore | undefined;
};

/** Creates the client of a pod: its queries, its events and its methods. */
export function assembleClient(
	options: PodOptions,
	session: SessionParts,
	tools: ToolParts,
	requests: RequestParts & QueueParts,
	children: ChildParts,
): PodClient {
	const {scope, history, hub, meter, media, closing} = session;
	const {workflows, mcp, background} = tools;
	const completion = createCompletion({
		scope: () => scope,
		workflows: async () => [...pickable(await workflows.list()), ...(await offeredPrompts(mcp, closing.signal))],
		resources: async text => offeredResources(mcp, text, closing.signal),
	});
	const rewind = createRewind(options, session);
	const {searchPrompts, recorded} = assemblePromptHistory(options, session);
	const sideQuestions = assembleSideQuestions(options, session, tools, requests);
	const own = {completion, rewind, recorded, sideQuestions, children, facts: factStoreOf(options, session)};
	const controller = createSessionController(options, session, tools, requests, own);
	const stale = createStaleCheck({items: () => history.items, scope});
	const greet = once(() => greetFirst(options, session, tools, requests));
	return {
		subscribe(listener) {
			const undo = hub.subscribe(listener);
			greet();
			return undo;
		},
		send: async method => controller.send(method),
		child: async id => children.open(id),
		complete: async query => completion.complete(query),
		preflight: async (segments, signal = new AbortController().signal) =>
			preflight(segments, {
				scope,
				limits: options.limits.fileRefs,
				signal,
				workflows: previewOf(workflows, mcp),
				servers: async () => mcp.names(),
				media: media.check,
				pasted: media.pasted,
			}),
		keepImage: async data => keepPasted(media.pasted, data),
		prompts: searchPrompts,
		namedPath: async text => namedPath(text, scope),
		workflows: async () => workflows.list(),
		mcp: async () => mcp.list(),
		permissions: async () => tools.approvals.permissions(),
		models: async (asksLocal = true, signal) => (await options.models?.list(asksLocal, signal)) ?? [],
		backgroundOutput: async id => background.output(id),
		stale,
		filesSince: rewind.filesSince,
		changes: createChanges(options, session),
		async spending() {
			const unfinished = session.conversations.unfinished();
			return {models: meter.spending(), unfinished};
		},
		conversation: async id => session.conversations.read(id),
		btw: async step => sideQuestions.step(step),
		request: createRequestView(() => history.items, media.read),
		ledger: createLedger({
			items: () => history.items,
			setup: requests.setup,
			stale,
			window: () => meter.window(),
			unfinished: () => session.conversations.unfinished(),
		}),
	};
}

function createRewind(
	{session, clock, env}: PodOptions,
	{history, userScope: scope, hub}: SessionParts,
): RewindMethods {
	return createRewindMethods({
		history,
		clock,
		scope,
		sessionDir: session.dir,
		protectedFolders: ownFolders(env),
		statusAfterChange: () => restingState(history),
		onProblem: text => hub.alert({level: 'error', text}),
	});
}

/** Creates the query for the changes of the session. Its modules are loaded on demand, because few sessions need it. */
function createChanges(options: PodOptions, {history, scope}: SessionParts): PodClient['changes'] {
	const {session, env} = options;
	return async () => {
		const [{toolChanges}, {gitDiff}] = await Promise.all([
			import('../../run/rewind/tool-changes.ts'),
			import('../../scope/git/git-diff.ts'),
		]);
		const [changed, git] = await Promise.all([
			toolChanges(history.items, {scope, sessionDir: session.dir, protectedFolders: ownFolders(env)}),
			gitDiff(scope, env),
		]);
		return {...changed, git};
	};
}

function createSessionController(
	options: PodOptions,
	session: SessionParts,
	tools: ToolParts,
	requests: RequestParts & QueueParts,
	{completion, rewind, recorded, sideQuestions, children, facts}: OwnParts,
): Controller {
	const {hub, asks, history, scope, model, closing} = session;
	const {clock, env, limits, attended} = options;
	const {turns, steering, queue, boundary} = requests;
	const confinement = options.confine?.shell === true ? tools.confinement : undefined;
	const shell = {
		history,
		hub,
		clock,
		env,
		cwd: scope.pwd,
		maxBytes: limits.tools.maxOutputBytes,
		...(confinement !== undefined && {launch: launchWith(confinement, 'open')}),
	};
	const {child} = options;
	return createController({
		clock,
		hub,
		history,
		boundary,
		isChild: child !== undefined,
		asks,
		start: async (pending, signal, committed) => turns.start(pending, signal, committed),
		abandon: async () => turns.abandon(),
		steering,
		queue,
		sendsQueue: attended,
		notify: createNotify(session, requests),
		shell: async (command, signal, id) => shellJob(shell, command, signal, id),
		addDir: session.findFolder,
		openModel: async (name, effort) => options.models?.open(name, effort) ?? noModels,
		login: async (provider, key) => options.models?.login(provider, key) ?? noModels,
		saveModel: async (name, effort) =>
			options.models === undefined ? noModels.sentence : options.models.save(name, effort),
		chooseModel: model.choose,
		onJobEnd: model.settle,
		removePermission: createRemoval({
			permissions: async () => tools.approvals.permissions(),
			forget: async id => tools.approvals.forget(id),
			...(attended && {asks}),
			signal: closing.signal,
		}),
		changeMcp: async (server, action) => tools.mcp.change(server, action, closing.signal),
		setApproval: mode =>
			tools.approvals.setMode(child === undefined ? mode : stricterMode(mode, child.parentMode())),
		...children.methods,
		compact: async (hint, signal) => compactJob(requests, hint, signal),
		...createExitMethods({
			background: tools.background,
			children: () => children.running(),
			...(attended && {asks}),
			signal: closing.signal,
		}),
		...rewind.methods,
		close: async () =>
			closePod(options, session, tools, requests, {completion, recorded, sideQuestions, children, facts}),
	});
}

const noModels = {ok: false, sentence: noOtherModels} as const;

function createNotify({history}: SessionParts, {steering, notice}: RequestParts): ControllerOptions['notify'] {
	return async (text, {toRun, forRun}) => {
		const item = notice(text, toRun && forRun);
		return toRun ? steering.notify(item, forRun) : commitNotifications(history, [item]);
	};
}

function factStoreOf(
	{session, child}: PodOptions,
	{history, meter, conversations, userScope: scope}: SessionParts,
): FactStore | undefined {
	const usd = async () => {
		await conversations.counted;
		return totalCost(meter.spending()).usd;
	};
	return child === undefined ? createFactStore({dir: () => session.dir, history, usd, scope}) : undefined;
}

/**
Closes the pod. It first commits the ends of commands that end with the session, so that the next start shows them.
*/
async function closePod(
	{session, clock, limits}: PodOptions,
	{history, meter, closing}: SessionParts,
	{background, mcp}: ToolParts,
	{steering, settled}: RequestParts & QueueParts,
	{completion, recorded, sideQuestions, children, facts}: Omit<OwnParts, 'rewind'>,
): Promise<void> {
	await children.close();
	closing.abort();
	await sideQuestions.close();
	for (const part of [completion, meter]) part.close();
	const stopped = await background.close();
	await Promise.all([steering.settled(), settled()]);
	await Promise.all([mcp.close(), recorded()]);
	const notices = commitLast(history, stopped, {clock, maxBytes: limits.tools.maxOutputBytes});
	await notices.finally(async () => session.close());
	await facts?.store();
	facts?.stop();
}

/**
Shows workflow warnings and asks about the manifest at the first `subscribe`, because nobody can see them earlier.
*/
function greetFirst(
	{untrusted, env, child, askedDirs = []}: PodOptions,
	{user: {ask}, hub, warn, closing, findFolder}: SessionParts,
	{workflows, approvals, mcp}: ToolParts,
	{warning}: QueueParts,
): void {
	setImmediate(() => {
		if (warning !== undefined) warn(warning);
		void workflows.list();
	});
	if (ask === undefined) return;
	if (askedDirs.length > 0) void askToAddAgain(askedDirs, {ask, find: findFolder, warn, signal: closing.signal});
	// A child shares the servers of its parent, which has asked.
	if (child === undefined) void mcp.askTrust(closing.signal);
	if (untrusted === undefined) return;
	void askToTrustManifest(untrusted, {env, ask, hub, approvals, signal: closing.signal});
}

/** A preview asks no server, so it shows no messages of prompts. */
function previewOf({preview}: ToolParts['workflows'], mcp: ToolParts['mcp']): WorkflowSource {
	return {
		...preview,
		prompts: async () => mcp.names(),
		invoke: async (slug, args, signal) =>
			promptSlug.test(slug) ? {ok: true, drafts: []} : preview.invoke(slug, args, signal),
	};
}

/** Returns the workflows that a popup offers. It leaves out the workflows that a submission would refuse. */
function pickable(all: readonly WorkflowInfo[]): readonly WorkflowInfo[] {
	return all.filter(({userInvocable, error}) => userInvocable && error === undefined);
}

function once(action: () => void): () => void {
	let isDone = false;
	return () => {
		if (!isDone) action();
		isDone = true;
	};
}
