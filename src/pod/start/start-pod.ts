import {describeModel, loadModel, requestSettings, systemClock, type Clock} from '../../worker/index.ts';
import {withoutNamedKeys} from '../env/child-env.ts';
import type {Env} from '../env/env.ts';
import {createCompactHook, createPromptHook, createToolHooks} from '../hooks/hooks.ts';
import {openPod} from '../pod.ts';
import type {PodClient} from '../protocol.ts';
import {createSession} from '../session/create.ts';
import {openOrReadSession, type OpenedOrRead} from '../session/open-or-read.ts';
import {openSession} from '../session/open.ts';
import {sessionDir, sessionsRoot} from '../session/paths.ts';
import type {Session} from '../session/session.ts';
import {guideTools} from '../tools/definitions.ts';
import {workingDirectoryOf} from '../turn/working-directory.ts';
import type {Plan} from './plan.ts';
import {directoryWarning} from './texts.ts';

export type Started = ({readonly ok: true; readonly pod: PodClient} & WithSession) | NotStarted;
type WithSession = {readonly session: Session; readonly warnings: readonly string[]};
/** `held`: another process owns the session. */
type NotStarted = {readonly ok: false; readonly sentence: string; readonly held?: boolean};

export type PodStartOptions = {
	readonly attended: boolean;
	/** The maximum number of turns if no file sets one. */
	readonly maxTurns?: number;
	/** Whether to trust the project's current contents while the pod is open. */
	readonly trust?: boolean;
	/** Whether the user chose the folder with --cwd. */
	readonly isFolderChosen?: boolean;
};

/** Opens the plan's session and a pod on it. */
export async function startPod(plan: Plan, env: Env, options: PodStartOptions): Promise<Started> {
	const clock = systemClock();
	const opened = await openPlannedSession(plan, env, clock, options.attended);
	if (!opened.ok) return opened;
	const session = withWorkingDirectory(opened.session, plan.scope.pwd, env);
	const moved = moveWarnings(workingDirectoryOf(session.items, session.cwd), plan.scope.pwd, options);
	// The plan has read the model's key. The pod does not need it, so nothing that the pod starts can get it.
	const pod = openPlannedPod(plan, withoutNamedKeys(env, plan.keyNames), {session, clock}, options);
	return {ok: true, pod, session, warnings: [...opened.warnings, ...moved]};
}

async function openPlannedSession(
	plan: Plan,
	env: Env,
	clock: Clock,
	mayOnlyRead: boolean,
): Promise<({readonly ok: true} & WithSession) | NotStarted> {
	const found = await dirOf(plan.session, clock);
	if (!found.ok) return found;
	const {warnings} = found;
	if (found.dir === undefined) {
		const session = createSession({root: sessionsRoot(env), cwd: plan.scope.pwd}, clock);
		return {ok: true, session, warnings};
	}
	const opened: OpenedOrRead = await (mayOnlyRead ? openOrReadSession : openSession)(found.dir, clock);
	return opened.ok
		? {ok: true, session: opened.session, warnings: opened.warning ? [...warnings, opened.warning] : warnings}
		: {ok: false, sentence: opened.sentence, held: opened.reason === 'held'};
}

/** Fills in the working directory that a damaged header no longer tells, if the session belongs to this folder. */
function withWorkingDirectory(session: Session, pwd: string, env: Env): Session {
	const isHere = session.cwd === '' && session.dir === sessionDir(sessionsRoot(env), pwd, session.id);
	return isHere ? {...session, cwd: pwd} : session;
}

function openPlannedPod(
	plan: Plan,
	env: Env,
	{session, clock}: {readonly session: Session; readonly clock: Clock},
	{attended, maxTurns, trust = false, isFolderChosen = false}: PodStartOptions,
): PodClient {
	const {limits, model} = plan;
	const hooks = {cwd: plan.scope.pwd, env, sessionId: session.id};
	return openPod({
		session,
		scope: {...plan.scope, owners: plan.owners},
		limits: maxTurns === undefined ? limits : {...limits, maxTurns: limits.maxTurns ?? maxTurns},
		clock,
		env,
		attended,
		trustPresent: trust,
		isFolderChosen,
		approval: plan.approval,
		...(plan.untrusted !== undefined && {untrusted: plan.untrusted}),
		hook: createPromptHook(plan.hooks, hooks),
		compactHook: createCompactHook(plan.hooks, hooks),
		toolHooks: createToolHooks(plan.hooks, hooks),
		model: {
			name: model.name,
			facts: model.facts,
			load: once(async () => loadModel({...model.spec, guideTools})),
			describe: async () => describeModel(model.spec),
			settings: requestSettings(model.spec),
		},
	});
}

/** Returns the folder of a stored session. It creates a fork first, if the plan has one. */
async function dirOf(
	session: Plan['session'],
	clock: Clock,
): Promise<
	| {readonly ok: true; readonly dir?: string; readonly warnings: readonly string[]}
	| {readonly ok: false; readonly sentence: string}
> {
	if (session.kind === 'new') return {ok: true, warnings: []};
	if (session.fork === undefined) return {ok: true, dir: session.dir, warnings: []};
	const [{forkSession}, {backupHashes}] = await Promise.all([
		import('../session/fork.ts'),
		import('../rewind/file-changes.ts'),
	]);
	return forkSession(session.dir, {upTo: session.fork.upTo, backupsOf: backupHashes}, clock);
}

/** Returns the warnings about a session in another folder. If a user can approve, the pod asks instead. */
function moveWarnings(
	from: string,
	to: string,
	{attended, isFolderChosen = false}: PodStartOptions,
): readonly string[] {
	return from === to || !(attended || isFolderChosen) ? [] : [directoryWarning(from, to, isFolderChosen)];
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
	let made: Promise<T> | undefined;
	return async () => (made ??= make());
}
