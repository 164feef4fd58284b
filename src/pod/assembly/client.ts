import {createCompletion} from '../completion/completion.ts';
import {createLedger} from '../context/ledger-query.ts';
import {createController, type Controller, type ControllerOptions} from '../controller/controller.ts';
import {createLeave} from '../controller/leave.ts';
import {askToTrustManifest} from '../manifest/trust-manifest.ts';
import type {PodClient, WorkflowInfo} from '../protocol.ts';
import {createRewindMethods, type RewindMethods} from '../rewind/rewind-methods.ts';
import {preflight} from '../submission/preflight.ts';
import {createStaleCheck} from '../submission/stale.ts';
import {ownFolders} from '../tools/tools.ts';
import {compactJob} from '../turn/compact-job.ts';
import {commitLast, commitNotifications} from '../turn/notification.ts';
import {shellJob} from '../turn/shell-job.ts';
import type {PodOptions} from './options.ts';
import {restingState, type SessionParts} from './session.ts';
import type {RequestParts} from './requests.ts';
import type {ToolParts} from './tools.ts';

type Completion = ReturnType<typeof createCompletion>;

/** Creates the client of a pod: its queries, its events and its methods. */
export function assembleClient(
	options: PodOptions,
	session: SessionParts,
	tools: ToolParts,
	requests: RequestParts,
): PodClient {
	const {scope, history, hub, meter} = session;
	const {workflows, mcp, background} = tools;
	const completion = createCompletion({scope: () => scope, workflows: async () => pickable(await workflows.list())});
	const rewind = createRewind(options, session);
	const controller = createSessionController(options, session, tools, requests, {completion, rewind});
	const stale = createStaleCheck({items: () => history.items, scope});
	const greet = once(() => greetFirst(options, session, tools));
	return {
		subscribe(listener) {
			const undo = hub.subscribe(listener);
			greet();
			return undo;
		},
		send: async method => controller.send(method),
		complete: async query => completion.complete(query),
		preflight: async (segments, signal = new AbortController().signal) =>
			preflight(segments, {scope, limits: options.limits.fileRefs, signal, workflows: workflows.preview}),
		workflows: async () => workflows.list(),
		mcp: async () => mcp.list(),
		backgroundOutput: async id => background.output(id),
		stale,
		filesSince: rewind.filesSince,
		ledger: createLedger({items: () => history.items, setup: requests.setup, stale, window: () => meter.window()}),
	};
}

function createRewind({session, clock, env}: PodOptions, {history, scope, hub}: SessionParts): RewindMethods {
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

function createSessionController(
	options: PodOptions,
	session: SessionParts,
	tools: ToolParts,
	requests: RequestParts,
	{completion, rewind}: {readonly completion: Completion; readonly rewind: RewindMethods},
): Controller {
	const {hub, asks, history, scope, closing} = session;
	const {clock, env, limits, attended} = options;
	const {turns, steering} = requests;
	const shell = {history, hub, clock, env, cwd: scope.pwd, maxBytes: limits.tools.maxOutputBytes};
	return createController({
		hub,
		asks,
		start: async (pending, signal, committed) => turns.start(pending, signal, committed),
		abandon: async () => turns.abandon(),
		steering,
		notify: createNotify(session, requests),
		shell: async (command, signal) => shellJob(shell, command, signal),
		addDir: session.findFolder,
		setApproval: mode => tools.approvals.setMode(mode),
		compact: async (hint, signal) => compactJob(requests, hint, signal),
		...createLeave({background: tools.background, ...(attended && {asks}), signal: closing.signal}),
		...rewind.methods,
		close: async () => closePod(options, session, tools, requests, completion),
	});
}

function createNotify({history}: SessionParts, {steering, notice}: RequestParts): ControllerOptions['notify'] {
	return async (text, {toRun, forRun}) => {
		const item = notice(text, toRun && forRun);
		return toRun ? steering.notify(item, forRun) : commitNotifications(history, [item]);
	};
}

/** Closes the pod. It first commits what ended with the session, so that the next start shows it. */
async function closePod(
	{session, clock, limits}: PodOptions,
	{history, meter, closing}: SessionParts,
	{background, mcp}: ToolParts,
	{steering}: RequestParts,
	completion: Completion,
): Promise<void> {
	closing.abort();
	for (const part of [completion, meter]) part.close();
	const stopped = await background.close();
	await steering.settled();
	await mcp.close();
	const notices = commitLast(history, stopped, {clock, maxBytes: limits.tools.maxOutputBytes});
	await notices.finally(async () => session.close());
}

/** Shows workflow warnings and asks about the manifest at the first `subscribe`: before that, nobody can see them. */
function greetFirst(
	{untrusted, env}: PodOptions,
	{user: {ask}, hub, closing}: SessionParts,
	{workflows, approvals}: ToolParts,
): void {
	setImmediate(() => void workflows.list());
	if (untrusted === undefined || ask === undefined) return;
	void askToTrustManifest(untrusted, {env, ask, hub, approvals, signal: closing.signal});
}

/** Returns the workflows that a popup offers. It leaves out those that a submission would refuse. */
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
