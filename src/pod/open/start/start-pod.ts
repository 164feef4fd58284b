import {systemClock, type Clock} from '../../../worker/index.ts';
import {withoutNamedKeys} from '../../ground/env/child-env.ts';
import type {Env} from '../../ground/env/env.ts';
import {createCompactHook, createPromptHook, createToolHooks} from '../../run/hooks/hooks.ts';
import type {AnsweredRules} from '../../permissions/approval/judge.ts';
import type {EditorServers} from '../../servers/mcp/editor-servers.ts';
import type {Models} from '../../models/models.ts';
import {openPod, type PodOptions} from '../../open.ts';
import type {PodClient} from '../../protocol.ts';
import {createSession} from '../../disk/log/open.ts';
import {openOrReadSession, type OpenedOrRead} from '../../disk/log/open-or-read.ts';
import {openSession} from '../../disk/log/open.ts';
import {sessionDir, sessionsRoot, spendingDir} from '../../disk/paths.ts';
import {withRescue} from '../../disk/check/rescue.ts';
import type {Session} from '../../disk/log/log.ts';
import {workingDirectoryOf} from '../../run/turn/working-directory.ts';
import {createModels} from './models.ts';
import {createOwnFeatures, ownPartsProblem, ownPodModel, withOwnModel, type OwnParts} from './local-pod.ts';
import type {Plan} from './plan.ts';
import {chooseForSession, type SessionChoice} from './session-choice.ts';
import {directoryWarning, startTexts} from './texts.ts';

/** `answered`: the rules that the user allows for this session. The pod changes this object. */
export type Started =
	| ({
			readonly ok: true;
			readonly pod: PodClient;
			readonly answered: AnsweredRules;
			/** The reason why the session's model cannot be used now, as a sentence. */
			readonly unusable?: string;
	  } & WithSession)
	| NotStarted;
/** `notice`: reports that the session was forked. */
type WithSession = {readonly session: Session; readonly notice?: string; readonly warnings: readonly string[]};
/** `held`: another process owns the session. */
type NotStarted = {readonly ok: false; readonly sentence: string; readonly held?: boolean};

type PodStartOptions = {
	readonly attended: boolean;
	/** The maximum number of model calls in one run, if nothing else sets it. */
	readonly maxTurns?: number;
	/** Whether to trust the project's current contents while the pod is open. */
	readonly trust?: boolean;
	/** Whether the user chose the folder with `--cwd`. */
	readonly isFolderChosen?: boolean;
	/** The rules that the user allowed for this session in another process. */
	readonly answered?: AnsweredRules;
	/** The MCP servers that an editor passed with the session. */
	readonly editorServers?: EditorServers | undefined;
	/** The model and the features of the program that opens the pod. */
	readonly own?: OwnParts;
};

/** Opens the plan's session and a pod on it. */
export async function startPod(plan: Plan, env: Env, options: PodStartOptions): Promise<Started> {
	const problem = ownPartsProblem(options.own ?? {});
	if (problem !== undefined) return {ok: false, sentence: problem};
	const clock = systemClock();
	const opened = await openPlannedSession(plan, env, clock, options.attended);
	if (!opened.ok) return opened;
	const session = withRescue(withWorkingDirectory(opened.session, plan.scope.pwd, env), clock);
	const own = options.own?.model;
	const chosen = await chooseForSession(plan, env, {
		items: session.items,
		own: own === undefined ? undefined : ownPodModel(own, plan.model.facts),
	});
	if (!chosen.ok) {
		await session.close();
		return chosen;
	}
	const {choice} = chosen;
	const moved = moveWarnings(workingDirectoryOf(session.items, session.cwd), plan.scope.pwd, options);
	// The plan has already read the model's API key. The pod gets an environment without this key, so that no process
	// that the pod starts can get it.
	const {answered = {rules: []}} = options;
	const parts = {session, clock, choice, models: modelsOf(plan, env, choice, own !== undefined), answered};
	const pod = openPlannedPod(plan, withoutNamedKeys(env, plan.keyNames), parts, options);
	const {notice} = opened;
	return {
		ok: true,
		pod,
		answered,
		session,
		notice,
		...(choice.model.hold?.kind === 'unusable' && {unusable: choice.model.hold.sentence}),
		warnings: [...opened.warnings, ...moved, ...choice.warnings, ...foldersLeft(choice, options)],
	};
}

/**
Returns the models that the user can choose later. They include the own model of the program that opened the session.
*/
function modelsOf(plan: Plan, env: Env, {model, modelSources}: SessionChoice, isOwn: boolean): Models {
	const models = createModels(env, plan.scope.pwd, modelSources);
	return isOwn ? withOwnModel(models, model) : models;
}

/** Returns a warning about the folders that the session could read before, if no user can allow them again. */
function foldersLeft({askedDirs}: SessionChoice, {attended}: PodStartOptions): readonly string[] {
	return attended || askedDirs.length === 0 ? [] : [startTexts.foldersAgain(askedDirs)];
}

async function openPlannedSession(
	plan: Plan,
	env: Env,
	clock: Clock,
	mayOnlyRead: boolean,
): Promise<({readonly ok: true} & WithSession) | NotStarted> {
	const found = await dirOf(plan.session, clock);
	if (!found.ok) return found;
	const {notice, warnings} = found;
	if (found.dir === undefined) {
		const session = createSession({root: sessionsRoot(env), cwd: plan.scope.pwd}, clock);
		return {ok: true, session, warnings};
	}
	const opened: OpenedOrRead = await (mayOnlyRead ? openOrReadSession : openSession)(found.dir, clock);
	if (!opened.ok) return {ok: false, sentence: opened.sentence, held: opened.reason === 'held'};
	const all = opened.warning ? [...warnings, opened.warning] : warnings;
	return {ok: true, session: opened.session, notice, warnings: all};
}

/**
Adds the working directory if a damaged header no longer contains it and the session belongs to the project of `pwd`.
*/
function withWorkingDirectory(session: Session, pwd: string, env: Env): Session {
	const isHere = session.cwd === '' && session.dir === sessionDir(sessionsRoot(env), pwd, session.id);
	return isHere ? {...session, cwd: pwd} : session;
}

function openPlannedPod(
	plan: Plan,
	env: Env,
	{
		choice,
		...parts
	}: Pick<PodOptions, 'session' | 'clock' | 'answered'> & {
		readonly models: Models;
		readonly choice: SessionChoice;
	},
	{attended, maxTurns, trust = false, isFolderChosen = false, editorServers, own}: PodStartOptions,
): PodClient {
	const {limits, model, approval, writable, mode, askedDirs} = choice;
	const hooks = {cwd: plan.scope.pwd, env, sessionId: parts.session.id};
	return openPod({
		...parts,
		model,
		mode,
		askedDirs,
		scope: {...plan.scope, writable, owners: plan.owners},
		limits: maxTurns === undefined ? limits : {...limits, maxTurns: limits.maxTurns ?? maxTurns},
		env,
		attended,
		isExact: plan.isExact,
		trustPresent: trust,
		isFolderChosen,
		approval: {...plan.approval, mode: approval},
		confine: plan.confine,
		systemPrompt: plan.systemPrompt,
		untrusted: plan.untrusted,
		hook: createPromptHook(plan.hooks, hooks),
		compactHook: createCompactHook(plan.hooks, hooks),
		toolHooks: createToolHooks(plan.hooks, hooks),
		diagnostics: plan.diagnostics,
		signKey: plan.record?.sign === true ? plan.record.key : undefined,
		spendingDir: spendingDir(env),
		editorServers,
		features: createOwnFeatures(own ?? {}),
	});
}

/**
Returns the folder of a stored session. If the plan contains a fork, the function creates the fork first and returns its
folder.
*/
async function dirOf(
	session: Plan['session'],
	clock: Clock,
): Promise<
	| {readonly ok: true; readonly dir?: string; readonly notice?: string; readonly warnings: readonly string[]}
	| {readonly ok: false; readonly sentence: string}
> {
	if (session.kind === 'new') return {ok: true, warnings: []};
	if (session.fork === undefined) return {ok: true, dir: session.dir, warnings: []};
	const {forkStored} = await import('./copy-session.ts');
	return forkStored({dir: session.dir, upTo: session.fork.upTo}, clock);
}

/**
Returns the warning about a session that moves to another directory. If no user can answer and the user did not choose
the directory, there is no warning: the pod refuses the turn and states the reason.
*/
function moveWarnings(
	from: string,
	to: string,
	{attended, isFolderChosen = false}: PodStartOptions,
): readonly string[] {
	return from === to || !(attended || isFolderChosen) ? [] : [directoryWarning(from, to, isFolderChosen)];
}
