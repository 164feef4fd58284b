import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import {
	askServer,
	historyFile,
	openPlanned,
	planStart,
	startOptionsOf,
	type ChatOptions,
	type Transfer,
	type OpenPod,
} from '../../pod/index.ts';
import type {Switched} from '../../screen/control/app.ts';
import type {Here, NextScreen, SessionScreen} from './session-screen.ts';
import {shutDown} from './shut-down.ts';
import {choiceOf, snapshotOf} from './snapshot.ts';
import {detachTexts} from './texts.ts';

/** Asks whether the server would accept this session now. The screen stays until nothing runs in the session. */
export async function prepareDetach(
	{resumes}: {readonly resumes: boolean},
	{launch, io: {env}, open}: Here,
	go: (next: NextScreen) => void,
): Promise<Switched> {
	if (open.isAttached()) return {ok: false, sentence: detachTexts.attached};
	if (!existsSync(historyFile(open.session.dir))) return {ok: false, sentence: detachTexts.unsaved};
	const asked = await askServer(env, {check: orderOf(open, launch, resumes)});
	if (!asked.ok) return asked;
	return {ok: true, leave: () => go({kind: 'detach', resumes})};
}

export type Detached =
	/** The server has the session. */
	| {readonly detached: true}
	/** The server is gone or refuses the session. The session is open here again. */
	| {readonly next: SessionScreen}
	/** Neither this process nor the server could open it. Everything is saved. */
	| {readonly failed: string};

/**
Closes the session here and lets the server open it. Everything is on disk in between, so a crash loses nothing.
*/
export async function detach(resumes: boolean, {launch, io: {env}, open}: Here): Promise<Detached> {
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

/** Returns the data for the server: the options of this start, and the user's choices since then. */
function orderOf({pod, session, answered}: OpenPod, launch: ChatOptions, resumes: boolean): Transfer {
	const snapshot = snapshotOf(pod);
	const {session: info, status} = snapshot;
	const {manifest, maxTurns, maxCost, noConfine, trust, trustOwner} = launch;
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
		maxTurns,
		maxCost,
		noConfine,
		trust,
		trustOwner,
		// No user watches the calls that `auto` would allow.
		...(approval !== undefined && approval !== 'auto' && {approval}),
	};
}
