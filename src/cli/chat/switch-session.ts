import type {Start} from '../start/launch.ts';
import type {Destination, Switched} from '../../screen/control/app.ts';
import {
	openPlanned,
	planStart,
	type OpenPod,
	askServer,
	historyFile,
	startOptionsOf,
	type ChatOptions,
	type Transfer,
} from '../../pod/index.ts';
import {themeNamed, type PodClient, type Receipt} from '../../pod/protocol.ts';
import type {FoundText} from '../../screen/model/search/search-state.ts';
import {signalExitCodes} from '../output/signals.ts';
import {viewKind} from './load-view.ts';
import {type Here, type NextScreen, type SessionScreen, choiceOf, snapshotOf} from './session-screen.ts';
import {shutDown} from './exit-signals.ts';
import {alreadyOpen, familyTexts, detachTexts} from './texts.ts';
import {join, resolve} from 'node:path';
import {existsSync} from 'node:fs';

/**
Opens another session while this screen is still visible. If the session cannot be opened, returns a sentence, and the
screen stays. `go` leaves the current screen.
*/
export async function prepareSwitch(to: Destination, here: Here, go: (next: NextScreen) => void): Promise<Switched> {
	if (isFamilyStep(to)) {
		const found = await familyScreen(to, here.screen, here.open);
		if (!found.ok) return found;
		return {ok: true, leave: () => go({kind: 'family', screen: found.screen})};
	}
	if (to.kind === 'detach') return prepareDetach(to, here, go);
	if (here.open.parent !== undefined) return {ok: false, sentence: familyTexts.leaveFirst};
	if (to.kind === 'pick') {
		const {isByNeed} = to;
		return {ok: true, leave: (draft, typed) => go({kind: 'pick', ...(isByNeed && {isByNeed}), draft, typed})};
	}
	const prepared = await prepare(
		to.kind === 'id' ? {kind: 'id', id: to.id} : {kind: to.kind === 'fork' ? 'pick' : 'new'},
		here,
		to.kind === 'fork' ? {picked: here.open.session.dir, fork: true, upTo: to.upTo} : {},
	);
	if (!prepared.ok) return prepared;
	return {ok: true, leave: draft => go({kind: 'session', screen: {...prepared.screen, draft}})};
}

/** The next screen, the exit code when the terminal has disappeared, or the result of a detach. */
type Followed = Detached | {readonly end: number};

/** Closes the old session and returns the next screen. */
export async function follow(next: NextScreen, here: Here): Promise<Followed> {
	if (next.kind === 'pick') return pickNext(next, here);
	if (next.kind === 'detach') return detach(next.resumes, here);
	if (next.kind === 'session') return {next: await leaveFor(next.screen, here)};
	await leaveForFamily(here.open);
	return {next: next.screen};
}

async function pickNext({isByNeed, draft, typed}: Extract<NextScreen, {kind: 'pick'}>, here: Here): Promise<Followed> {
	const {launch, io, open} = here;
	const {env, stdin, stdout} = io;
	const back = (warnings: readonly string[], found?: FoundText): Followed => ({
		next: {...here.screen, open, prompt: '', draft, warnings, found},
	});
	// The list is loaded only when the user opens it, because it loads Ink, which takes 16 MB.
	const {pickSession} = await import('./pick-session.ts');
	const {scope, screen} = here.screen.plan;
	const kind = viewKind({env, inline: launch.inline, screenReader: launch.screenReader, configured: screen.reader});
	const {scrollRegions, glyphs, links} = screen;
	const theme = themeNamed(screen.theme ?? 'auto', screen.themes);
	const list = {kind, scrollRegions, glyphs, links, theme, isByNeed, typed};
	const choice = await pickSession({env, cwd: scope.pwd, stdin, stdout, ...list});
	if (!('picked' in choice)) {
		if (choice.none === signalExitCodes.SIGHUP) return {end: choice.none};
		return back(choice.sentence === undefined ? [] : [choice.sentence]);
	}
	const {picked, found} = choice;
	if (picked === open.session.dir) return back([], found);
	const prepared = await prepare({kind: 'pick'}, here, {picked});
	return prepared.ok ? {next: await leaveFor({...prepared.screen, draft, found}, here)} : back([prepared.sentence]);
}

type Prepared = {readonly ok: true; readonly screen: SessionScreen} | {readonly ok: false; readonly sentence: string};

/** `picked`: the folder of a session that the launch does not name. */
type Picked = {readonly picked?: string; readonly fork?: boolean; readonly upTo?: string | undefined};

/** Opens the next session. */
async function prepare(
	session: Start['session'],
	{launch: first, io: {env}, open}: Here,
	{fork = false, ...picked}: Picked,
): Promise<Prepared> {
	const launch = nextLaunch(first, session.kind === 'new' || fork ? open : undefined);
	const planned = await planStart({...launch, session, fork}, env, picked);
	if (!planned.ok) return planned;
	const {plan} = planned;
	if (plan.session.kind === 'stored' && plan.session.fork === undefined && plan.session.dir === open.session.dir)
		return {ok: false, sentence: alreadyOpen};
	const opened = await openPlanned(plan, launch, env);
	if (!opened.ok) return opened;
	const {notice} = opened;
	const warnings = [...plan.warnings, ...opened.warnings];
	const said = notice === undefined ? {} : {notice};
	return {ok: true, screen: {plan, open: opened.open, prompt: '', draft: [], ...said, warnings}};
}

/**
Returns the launch of the next session. The command line's options for the first session no longer apply. A new session
and a fork continue with the model of the open session. A stored session has its own model.
*/
function nextLaunch(first: Here['launch'], open: Here['open'] | undefined): Here['launch'] {
	const {attach: _attach, fork: _fork, model: _model, effort: _effort, options: _options, ...launch} = first;
	if (open !== undefined) return {...launch, ...choiceOf(snapshotOf(open.pod))};
	const {approval: _approval, writable: _writable, maxTurns: _turns, maxCost: _cost, ...rest} = launch;
	return rest;
}

async function leaveFor(screen: SessionScreen, {open}: Here): Promise<SessionScreen> {
	const problem = await shutDown(open.pod);
	return problem === undefined ? screen : {...screen, warnings: [...screen.warnings, problem]};
}

/** A step from a parent to a child, from a child to the next child, or back to the parent. */
type FamilyStep = Extract<Destination, {readonly kind: 'child' | 'next child' | 'parent'}>;

function isFamilyStep(to: Destination): to is FamilyStep {
	return to.kind === 'child' || to.kind === 'next child' || to.kind === 'parent';
}

type FamilyScreen =
	| {readonly ok: true; readonly screen: SessionScreen}
	| {readonly ok: false; readonly sentence: string};

/** Opens the screen of the parent or of a child. The pods of all these sessions stay open. */
async function familyScreen(to: FamilyStep, {plan}: SessionScreen, open: OpenPod): Promise<FamilyScreen> {
	const parent = open.parent ?? open;
	const shared = {plan, prompt: '', draft: [], warnings: []};
	if (to.kind === 'parent')
		return open.parent === undefined
			? {ok: false, sentence: familyTexts.noParent}
			: {ok: true, screen: {...shared, open: parent}};
	const id = to.kind === 'child' ? to.id : nextChild(parent.pod, open.session.id);
	if (id === undefined) return {ok: false, sentence: familyTexts.noChildren};
	if (id === open.session.id) return {ok: false, sentence: familyTexts.onlyChild};
	const opened = await parent.pod.child(id);
	if (!opened.ok) return opened;
	return {ok: true, screen: {...shared, open: childOpen(parent, id, opened.pod)}};
}

/** Leaves the session for its parent or a child. A parent stays open, and a child continues to work. */
async function leaveForFamily({release}: OpenPod): Promise<void> {
	await release?.();
}

/** Returns the child after the current one, in the order of their starts. */
function nextChild(parent: PodClient, current: string): string | undefined {
	const ids: string[] = [];
	parent.subscribe(event => {
		if (event.type !== 'snapshot') return;
		for (const item of event.items) if (item.type === 'child_started') ids.push(item.child);
	})();
	return ids[(ids.indexOf(current) + 1) % Math.max(1, ids.length)];
}

/** Returns the open pod of a child. If the user quits on the child's screen, the whole session quits. */
function childOpen(parent: OpenPod, id: string, child: PodClient): OpenPod {
	const pod: PodClient = {
		...child,
		async send(method): Promise<Receipt> {
			const isForParent = method.method === 'shutdown' || method.method === 'leave';
			return isForParent ? parent.pod.send(method) : child.send(method);
		},
	};
	return {
		pod,
		session: {id, dir: join(parent.session.dir, 'children', id)},
		listen: async () => undefined,
		parent,
		release: async () => void (await child.send({method: 'shutdown'})),
		isAttached: parent.isAttached,
	};
}

/** Asks whether the server would accept this session now. The screen stays until nothing runs in the session. */
async function prepareDetach(
	{resumes}: {readonly resumes: boolean},
	{launch, io: {env}, screen, open}: Here,
	go: (next: NextScreen) => void,
): Promise<Switched> {
	if (open.isAttached()) return {ok: false, sentence: detachTexts.attached};
	if (!existsSync(historyFile(open.session.dir))) return {ok: false, sentence: detachTexts.unsaved};
	const asked = await askServer(env, {check: orderOf(open, launch, resumes)});
	if (!asked.ok) {
		if (asked.reason !== 'absent') return asked;
		const {serviceRemedy} = await import('../serve/commands.ts');
		return {...asked, ...(await serviceRemedy({env, cwd: screen.plan.scope.pwd}))};
	}
	return {ok: true, leave: () => go({kind: 'detach', resumes})};
}

type Detached =
	/** The server has the session. */
	| {readonly detached: true}
	/** The server is gone or refuses the session. The session is open here again. */
	| {readonly next: SessionScreen}
	/** Neither this process nor the server could open the session. Everything is saved. */
	| {readonly failed: string};

/**
Closes the session here and lets the server open it. Between the two steps everything is on disk, so a crash loses
nothing.
*/
async function detach(resumes: boolean, {launch, io: {env}, open}: Here): Promise<Detached> {
	const order = orderOf(open, launch, resumes);
	const unsaved = await shutDown(open.pod);
	const asked = unsaved === undefined ? await askServer(env, {open: order}) : {ok: false as const, sentence: unsaved};
	if (asked.ok) return {detached: true};
	return openAgain(order, open.session.dir, launch, {env, sentence: asked.sentence});
}

/** Opens the session in this process again, with the choices that the user has made since its start. */
async function openAgain(
	order: Transfer,
	dir: string,
	{noSocket, trust}: ChatOptions,
	{env, sentence}: {readonly env: Parameters<typeof planStart>[1]; readonly sentence: string},
): Promise<Detached> {
	const options: ChatOptions = {
		...startOptionsOf(order),
		session: {kind: 'pick'},
		noSocket,
		...(trust !== undefined && {trust}),
	};
	const planned = await planStart(options, env, {picked: dir});
	if (!planned.ok) return {failed: `${sentence} ${planned.sentence}`};
	const opened = await openPlanned(planned.plan, options, env);
	if (!opened.ok) return {failed: `${sentence} ${opened.sentence}`};
	const warnings = [detachTexts.stays(sentence), ...planned.plan.warnings, ...opened.warnings];
	return {next: {plan: planned.plan, open: opened.open, prompt: '', draft: [], warnings}};
}

/**
Returns the data that the server needs: the options of this start, and the choices that the user has made since then.
*/
function orderOf({pod, session, answered}: OpenPod, launch: ChatOptions, resumes: boolean): Transfer {
	const snapshot = snapshotOf(pod);
	const {session: info, status} = snapshot;
	const {manifest, isExact, maxTurns, maxCost, noConfine, trust, trustOwner} = launch;
	const {approval} = status;
	return {
		cwd: resolve(launch.cwd ?? '.'),
		session: {kind: 'id', id: session.id},
		...choiceOf(snapshot),
		readOnly: launch.readOnly || !info.scope.writable,
		addDirs: [...info.scope.readRoots],
		resumes,
		rules: [...(answered?.rules ?? [])].map(rule => ({
			tool: rule.tool,
			action: 'allow',
			exact: rule.exact,
			...(rule.begins !== undefined && {begins: [...rule.begins]}),
		})),
		...(manifest !== undefined && {manifest: resolve(manifest)}),
		isExact,
		maxTurns,
		maxCost,
		noConfine,
		trust,
		trustOwner,
		// No user watches the calls that `auto` would allow.
		...(approval !== undefined && approval !== 'auto' && {approval}),
	};
}
