import type {Env} from '../pod/env/env.ts';
import {createCompactHook, createPromptHook, createToolHooks} from '../pod/hooks/hooks.ts';
import {workingDirectoryOf} from '../pod/turn/working-directory.ts';
import {openPod} from '../pod/pod.ts';
import type {PodClient} from '../pod/protocol.ts';
import {createSession} from '../pod/session/create.ts';
import {openSession} from '../pod/session/open.ts';
import {sessionsRoot} from '../pod/session/paths.ts';
import type {Session} from '../pod/session/session.ts';
import {describeModel, loadModel, systemClock, type Clock, type Settings} from '../worker/index.ts';
import type {Plan} from './plan.ts';

export type Started =
	| {
			readonly ok: true;
			readonly pod: PodClient;
			readonly session: Session;
			/** What the person is to be told of the session. */ readonly warnings: readonly string[];
	  }
	| {readonly ok: false; readonly sentence: string; /** Another process has the session. */ readonly held?: boolean};

/**
Opens the plan's session and a pod on it. `trust`: what needs trust is trusted as it is, while the pod is open.
`isFolderChosen`: by --cwd.
*/
export async function startPod(
	plan: Plan,
	env: Env,
	{
		attended,
		maxTurns,
		trust = false,
		isFolderChosen = false,
	}: {
		readonly attended: boolean;
		readonly maxTurns?: number;
		readonly trust?: boolean;
		readonly isFolderChosen?: boolean;
	},
): Promise<Started> {
	const clock = systemClock();
	const {pwd} = plan.scope;
	const found = await dirOf(plan.session, clock);
	if (!found.ok) return found;
	const opened =
		found.dir === undefined
			? {ok: true as const, session: createSession({root: sessionsRoot(env), cwd: pwd}, clock)}
			: await openSession(found.dir, clock);
	if (!opened.ok) return {ok: false, sentence: opened.sentence, held: opened.reason === 'held'};
	const {session} = opened;
	const limits = maxTurns === undefined ? plan.limits : {...plan.limits, maxTurns: plan.limits.maxTurns ?? maxTurns};
	const load = once(async () => loadModel(plan.model.spec));
	const hooks = {cwd: pwd, env, sessionId: session.id};
	const pod = openPod({
		session,
		scope: {...plan.scope, owners: plan.owners},
		limits,
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
			name: plan.model.name,
			facts: plan.model.facts,
			load,
			describe: async () => describeModel(plan.model.spec),
			settings: settingsOf(plan),
		},
	});
	return {
		ok: true,
		pod,
		session,
		warnings: [
			...found.warnings,
			...moveWarnings(workingDirectoryOf(session.items, session.cwd), pwd, {attended, isFolderChosen}),
		],
	};
}

/** The folder of a stored session; a fork is made now. */
async function dirOf(
	session: Plan['session'],
	clock: Clock,
): Promise<
	| {readonly ok: true; readonly dir?: string; readonly warnings: readonly string[]}
	| {readonly ok: false; readonly sentence: string}
> {
	if (session.kind === 'new') return {ok: true, warnings: []};
	if (session.fork === undefined) return {ok: true, dir: session.dir, warnings: []};
	const [{forkSession}, {keptBy}] = await Promise.all([
		import('../pod/session/fork.ts'),
		import('../pod/rewind/traces.ts'),
	]);
	return forkSession(session.dir, {upTo: session.fork.upTo, keptBy}, clock);
}

/** Nothing where nobody can be asked: the pod refuses then, and says why. */
function moveWarnings(
	from: string,
	to: string,
	{attended, isFolderChosen}: {readonly attended: boolean; readonly isFolderChosen: boolean},
): readonly string[] {
	if (from === to || !(attended || isFolderChosen)) return [];
	return [
		`This session worked in ${from}; ${isFolderChosen ? 'from now on it works' : 'you are asked before it works'} in ${to}.`,
	];
}

/** What of the configuration shapes a request: history must say it, or the request could not be made again from it. */
function settingsOf({model: {spec}}: Plan): Settings {
	return spec.options?.mergeUser === true ? {mergeUser: true} : {};
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
	let made: Promise<T> | undefined;
	return async () => (made ??= make());
}
