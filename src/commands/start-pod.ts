import type {Env} from '../pod/home.ts';
import {createPromptHook} from '../pod/hook.ts';
import {openPod} from '../pod/pod.ts';
import type {PodClient} from '../pod/protocol.ts';
import {createSession} from '../pod/session/create.ts';
import {openSession} from '../pod/session/open.ts';
import {sessionsRoot} from '../pod/session/paths.ts';
import type {Session} from '../pod/session/session.ts';
import {describeModel, loadModel, systemClock} from '../worker/index.ts';
import type {Plan} from './plan.ts';

export type Started =
	| {readonly ok: true; readonly pod: PodClient; readonly session: Session; /** What the person is to be told of the session. */ readonly warnings: readonly string[]}
	| {readonly ok: false; readonly sentence: string; /** Another process has the session. */ readonly held?: boolean};

/** Opens the plan's session and a pod on it. `trust`: what needs trust is trusted as it is, while the pod is open. */
export async function startPod(plan: Plan, env: Env, {attended, maxTurns, trust = false}: {readonly attended: boolean; readonly maxTurns?: number; readonly trust?: boolean}): Promise<Started> {
	const clock = systemClock();
	const {pwd} = plan.scope;
	const opened = plan.session.kind === 'new' ? {ok: true as const, session: createSession({root: sessionsRoot(env), cwd: pwd}, clock)} : await openSession(plan.session.dir, clock);
	if (!opened.ok) return {ok: false, sentence: opened.sentence, held: opened.reason === 'held'};
	const {session} = opened;
	const limits = maxTurns === undefined ? plan.limits : {...plan.limits, maxTurns: plan.limits.maxTurns ?? maxTurns};
	const load = once(async () => loadModel(plan.model.spec));
	const pod = openPod({session, scope: plan.scope, limits, clock, env, attended, trustPresent: trust, hook: createPromptHook(plan.hooks, {cwd: pwd, env, sessionId: session.id}), model: {name: plan.model.name, facts: plan.model.facts, load, describe: async () => describeModel(plan.model.spec)}});
	const warnings = session.cwd === pwd ? [] : [`This session was made in ${session.cwd}; from now on it works in ${pwd}.`];
	return {ok: true, pod, session, warnings};
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
	let made: Promise<T> | undefined;
	return async () => (made ??= make());
}
