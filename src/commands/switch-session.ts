import type {Start} from '../args.ts';
import type {PodClient} from '../pod/protocol.ts';
import type {Destination, Switched} from '../tui/state/app.ts';
import type {ChatIo} from './chat-io.ts';
import {signalCodes} from './leave.ts';
import {openPlanned} from './open-planned.ts';
import type {ChatLaunch} from './own-pod.ts';
import {planStart} from './plan.ts';
import {viewKind} from './view-for.ts';
import type {OpenPod, Visit, Way} from './visit.ts';

/** Where the switch starts. */
export type Here = {
	readonly launch: ChatLaunch;
	readonly io: ChatIo;
	readonly visit: Visit;
	readonly open: OpenPod;
};

/**
Makes another session ready while this one is on the screen: what cannot be opened is a sentence, and the session stays.
`go` leaves the screen.
*/
export async function prepareSwitch(to: Destination, here: Here, go: (way: Way) => void): Promise<Switched> {
	if (to.kind === 'pick') return {ok: true, leave: (draft, typed) => go({kind: 'pick', draft, typed})};
	const prepared = await prepare(
		to.kind === 'id' ? {kind: 'id', id: to.id} : {kind: to.kind === 'fork' ? 'pick' : 'new'},
		here,
		to.kind === 'fork' ? {picked: here.open.session.dir, fork: true, upTo: to.upTo} : {},
	);
	return prepared.ok ? {ok: true, leave: draft => go({kind: 'visit', visit: {...prepared.visit, draft}})} : prepared;
}

/**
What comes after a screen that was left for another session: the visit, or the exit code when the terminal is gone. The
session that is left is closed first.
*/
export async function follow(way: Way, here: Here): Promise<{readonly next: Visit} | {readonly end: number}> {
	if (way.kind === 'visit') return {next: await leaveFor(way.visit, here)};
	const {
		launch,
		io: {env, stdin, stdout},
		visit,
		open,
	} = here;
	const back = (warnings: readonly string[]): {readonly next: Visit} => ({
		next: {...visit, open, prompt: '', draft: way.draft, warnings},
	});
	// Only here is there a list, whose screen takes more memory than any other.
	const {pickSession} = await import('./pick-session.ts');
	const {
		scope,
		screen: {reader, scrollRegions},
	} = visit.plan;
	const kind = viewKind({env, inline: launch.inline, screenReader: launch.screenReader, configured: reader});
	const choice = await pickSession({env, cwd: scope.pwd, stdin, stdout, kind, scrollRegions, typed: way.typed});
	if (!('picked' in choice))
		return choice.none === signalCodes.SIGHUP
			? {end: choice.none}
			: back(choice.sentence === undefined ? [] : [choice.sentence]);
	if (choice.picked === open.session.dir) return back([]);
	const prepared = await prepare({kind: 'pick'}, here, {picked: choice.picked});
	return prepared.ok
		? {next: await leaveFor({...prepared.visit, draft: way.draft}, here)}
		: back([prepared.sentence]);
}

/** Closes a pod. Resolves with what went wrong. */
export async function shutDown(pod: PodClient): Promise<string | undefined> {
	let problem: string | undefined;
	const stop = pod.subscribe(event => {
		if (event.type === 'closed') problem = event.sentence;
	});
	await pod.send({method: 'shutdown'});
	stop();
	return problem;
}

type Prepared = {readonly ok: true; readonly visit: Visit} | {readonly ok: false; readonly sentence: string};

/**
`picked`: the folder of a session that is not named. What the program was started with of sessions holds for the first
one only.
*/
type Picked = {readonly picked?: string; readonly fork?: boolean; readonly upTo?: string | undefined};

async function prepare(
	session: Start['session'],
	{launch: {attach: _first, fork: _fork, ...launch}, io: {env}, open}: Here,
	{fork = false, ...picked}: Picked,
): Promise<Prepared> {
	const planned = await planStart({...launch, session, fork}, env, picked);
	if (!planned.ok) return planned;
	const {plan} = planned;
	if (plan.session.kind === 'stored' && plan.session.fork === undefined && plan.session.dir === open.session.dir)
		return {ok: false, sentence: 'This is that session.'};
	const opened = await openPlanned(plan, launch, env);
	if (!opened.ok) return opened;
	return {
		ok: true,
		visit: {plan, open: opened.open, prompt: '', draft: [], warnings: [...plan.warnings, ...opened.warnings]},
	};
}

async function leaveFor(visit: Visit, {open}: Here): Promise<Visit> {
	const problem = await shutDown(open.pod);
	return problem === undefined ? visit : {...visit, warnings: [...visit.warnings, problem]};
}
