import {stricterMode} from '../protocol/approval-mode.ts';
import {createCompletion, type Completion} from '../references/completion/completion.ts';
import {createLedger} from '../context/ledger/ledger-query.ts';
import {createRequestView} from '../context/ledger/ledger-query.ts';
import {createController, type Controller, type ControllerOptions} from '../run/controller/controller.ts';
import {createLeave} from '../run/controller/run-methods.ts';
import {createRemoval} from '../run/controller/methods.ts';
import {askToAddAgain} from '../permissions/approval/path-readings.ts';
import {approvalsIn, type PodClient} from '../protocol.ts';
import {createRewindMethods, type RewindMethods} from '../run/rewind/rewind-methods.ts';
import {keepPasted} from '../disk/bodies/pasted.ts';
import {namedPath} from '../references/submission/token.ts';
import {preflight} from '../references/submission/preflight.ts';
import {createStaleCheck} from '../references/submission/stale.ts';
import {ownFolders} from '../tools/tools.ts';
import {compactJob} from '../run/turn/compact-job.ts';
import {commitLast, commitNotifications} from '../run/turn/recovery.ts';
import {shellJob} from '../run/turn/compact-job.ts';
import {totalCost} from '../ground/counts/spent.ts';
import {createFactStore, type FactStore} from '../disk/conversations/read-facts.ts';
import type {Queries} from './feature.ts';
import type {PodParts} from './pod-parts.ts';
import {restingState, type SessionParts} from './session.ts';
import {launchWith} from './confine.ts';
import {createMessageQueue, type MessageQueue} from '../run/queue/message-queue.ts';
import {createQueueFile, readQueue, type QueueFile, type QueueRead} from '../disk/log/queue-file.ts';
import type {CoreOptions} from './options.ts';

/** Creates the client of a pod: its queries, its events and its methods. */
export function createClient(pod: PodParts): PodClient {
	const {hub} = pod.session;
	const queue = createSessionQueue(pod.options, pod.session);
	const rewind = createRewind(pod);
	const completion = createSessionCompletion(pod);
	const controller = createSessionController(pod, queue, rewind, completion);
	const greet = once(() => greetFirst(pod, queue.warning));
	const ofFeatures: Omit<Queries, keyof ReturnType<typeof createQueries>> = Object.assign(
		{},
		...pod.features.map(({queries}) => queries),
	);
	return {
		subscribe(listener) {
			const undo = hub.subscribe(listener);
			greet();
			return undo;
		},
		send: async method => controller.send(method),
		...ofFeatures,
		...createQueries(pod, rewind, completion),
	};
}

function createSessionCompletion({session: {scope}, references}: PodParts): Completion {
	return createCompletion({
		scope: () => scope,
		workflows: references.offered,
		resources: references.offeredResources,
	});
}

/** Creates the queries that do not belong to a feature. */
function createQueries(pod: PodParts, rewind: RewindMethods, completion: Completion) {
	const {limits, models} = pod.options;
	const {scope, history, meter, media, conversations} = pod.session;
	const {preview, resources} = pod.references;
	const stale = createStaleCheck({items: () => history.items, scope});
	const unfinished = () => conversations.unfinished();
	return {
		complete: async query => completion.complete(query),
		preflight: async (segments, signal = new AbortController().signal) =>
			preflight(segments, {
				scope,
				limits: limits.fileRefs,
				signal,
				workflows: preview,
				...(resources !== undefined && {servers: async () => resources.servers()}),
				media: media.check,
				pasted: media.pasted,
			}),
		keepImage: async data => keepPasted(media.pasted, data),
		namedPath: async text => namedPath(text, scope),
		permissions: async () => pod.permissions.approvals.permissions(),
		approvals: async () => approvalsIn(history.items, maxShown),
		models: async (asked = 'local', signal) => (await models?.list(asked, signal)) ?? [],
		stale,
		filesSince: rewind.filesSince,
		changes: createChanges(pod),
		spending: async () => ({models: meter.spending(), unfinished: unfinished()}),
		conversation: async id => conversations.read(id),
		request: createRequestView(() => history.items, media.read),
		ledger: createLedger({
			items: () => history.items,
			setup: pod.requests.setup,
			stale,
			window: () => meter.window(),
			counts: () => meter.counts(),
			unfinished,
		}),
	} satisfies Partial<Queries>;
}

/** The maximum length of what a card showed, in a list of approvals. The page shows the beginning. */
const maxShown = 4000;

function createRewind({
	options: {session, clock, env},
	session: {history, userScope: scope, hub},
}: PodParts): RewindMethods {
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

/**
Creates the query for the changes of the session. The query loads its modules on demand, because few sessions need them.
*/
function createChanges({options: {session, env}, session: {history, scope}}: PodParts): PodClient['changes'] {
	return async () => {
		const [{toolChanges}, {gitDiff}] = await Promise.all([
			import('../run/rewind/tool-changes.ts'),
			import('../scope/git/git-diff.ts'),
		]);
		const [changed, git] = await Promise.all([
			toolChanges(history.items, {scope, sessionDir: session.dir, protectedFolders: ownFolders(env)}),
			gitDiff(scope, env),
		]);
		return {...changed, git};
	};
}

function createSessionController(
	pod: PodParts,
	queue: SessionQueue,
	rewind: RewindMethods,
	completion: Completion,
): Controller {
	const {options, session, permissions, features, requests} = pod;
	const {hub, history, scope, model, closing} = session;
	const {clock, env, limits, attended, child, models} = options;
	const {approvals} = permissions;
	const {turns, steering, boundary} = requests;
	const asks = attended ? session.asks : undefined;
	const confinement = options.confine?.shell === true ? permissions.confinement : undefined;
	const shell = {
		history,
		hub,
		clock,
		env,
		cwd: scope.pwd,
		maxBytes: limits.tools.maxOutputBytes,
		...(confinement !== undefined && {launch: launchWith(confinement, 'open')}),
	};
	return createController({
		clock,
		hub,
		history,
		boundary,
		isChild: child !== undefined,
		asks: session.asks,
		turns,
		steering,
		queue: queue.queue,
		sendsQueue: attended,
		notify: createNotify(pod),
		shell: async (command, signal, id) => shellJob(shell, command, signal, id),
		addDir: session.findFolder,
		models,
		model,
		removePermission: createRemoval({
			permissions: async () => approvals.permissions(),
			forget: async id => approvals.forget(id),
			asks,
			signal: closing.signal,
		}),
		setApproval: mode => approvals.setMode(child === undefined ? mode : stricterMode(mode, child.parentMode())),
		compact: async (hint, signal) => compactJob(requests, hint, signal),
		leave: createLeave({
			running: () => features.flatMap(each => each.running?.() ?? []),
			asks,
			signal: closing.signal,
		}),
		...rewind.methods,
		methods: Object.assign({}, ...features.map(({methods}) => methods)),
		close: createClose(pod, queue, completion),
	});
}

function createNotify({session: {history}, requests: {steering, notice}}: PodParts): ControllerOptions['notify'] {
	return async (text, {toRun, forRun}) => {
		const item = notice(text, toRun && forRun);
		return toRun ? steering.notify(item, forRun) : commitNotifications(history, [item]);
	};
}

/**
Creates the store for the facts that the list of sessions shows. Returns `undefined` for a child, because that list
contains no children.
*/
function factStoreOf({
	options: {session, child},
	session: {history, meter, conversations, userScope: scope},
}: PodParts): FactStore | undefined {
	const usd = async () => {
		await conversations.counted;
		return totalCost(meter.spending()).usd;
	};
	return child === undefined ? createFactStore({dir: () => session.dir, history, usd, scope}) : undefined;
}

/** Returns a function that closes the pod. The function releases the session even if stopping a feature fails. */
function createClose(pod: PodParts, queue: SessionQueue, completion: Completion): () => Promise<void> {
	const {session} = pod.options;
	const facts = factStoreOf(pod);
	return async () => {
		await stopAll(pod, queue, completion).finally(async () => session.close());
		await facts?.store();
		facts?.stop();
	};
}

/**
Stops all parts of the pod. Commits the notices about work that ended with the session, so that the next start shows
them.
*/
async function stopAll(pod: PodParts, queue: SessionQueue, completion: Completion): Promise<void> {
	const {clock, limits} = pod.options;
	const {history, meter, closing, recorder} = pod.session;
	const stopped: string[] = [];
	for (const feature of pod.features.toReversed()) stopped.push(...((await feature.stop?.()) ?? []));
	closing.abort();
	for (const part of [completion, meter]) part.close();
	await Promise.all([pod.requests.steering.settled(), queue.settled(), recorder.record()]);
	await commitLast(history, stopped, {clock, maxBytes: limits.tools.maxOutputBytes});
}

/** Shows warnings and asks questions at the first `subscribe`, because no client can show them earlier. */
function greetFirst(
	{
		options: {askedDirs = []},
		session: {
			user: {ask},
			warn,
			closing: {signal},
			findFolder: find,
		},
		features,
	}: PodParts,
	warning: string | undefined,
): void {
	setImmediate(() => {
		if (warning !== undefined) warn(warning);
	});
	if (ask !== undefined && askedDirs.length > 0) void askToAddAgain(askedDirs, {ask, find, warn, signal});
	for (const feature of features) feature.start?.();
}

function once(action: () => void): () => void {
	let isDone = false;
	return () => {
		if (!isDone) action();
		isDone = true;
	};
}

/** The queue of a session. `settled` resolves when the queue is saved. */
type SessionQueue = {
	readonly queue: MessageQueue;
	readonly settled: () => Promise<void>;
	/** A warning about queue.json. */
	readonly warning: string | undefined;
};

/** Creates the queue with the messages that an earlier process left. A session without items has no queued messages. */
function createSessionQueue({session: stored}: CoreOptions, session: SessionParts): SessionQueue {
	const {history, hub} = session;
	const {messages: left, warning}: QueueRead =
		stored.items.length === 0 ? {messages: []} : readQueue(stored.dir, stored.isReadOnly);
	let file: QueueFile | undefined;
	const queue = createMessageQueue({
		history,
		stored: left,
		createFile(messages) {
			file = createQueueFile({dir: () => stored.dir, messages, isMine: stored.isMine});
			return file;
		},
		onChange: rows => hub.setStatus({queue: rows}),
	});
	// Replaces the damaged file at once, so that the next start does not find the damage again.
	if (warning !== undefined && left.length > 0 && stored.isReadOnly !== true) void queue.save();
	return {queue, settled: async () => file?.settled(), warning};
}
