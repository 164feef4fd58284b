import {dirname} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import type {AttachedPod} from '../../remote/attach/client.ts';
import type {Reconnected} from '../../remote/attach/reconnecting-client.ts';
import type {Env} from '../../ground/env/env.ts';
import {pathExists} from '../../ground/files/path-exists.ts';
import type {Alert, SessionInfo} from '../../protocol.ts';
import type {Scope} from '../../scope/scope.ts';
import {historyFile, idOf, projectDir, sessionsRoot} from '../../disk/paths.ts';
import {connectOwner} from './connect-owner.ts';
import {createLocalPod, type OpenPod} from './local-pod.ts';
import type {ChatOptions} from './options.ts';
import {planStart} from './plan.ts';
import {startPod} from './start-pod.ts';
import {attachTexts} from './texts.ts';

/** The state of a terminal that is attached to another process, or has taken over the session itself. */
export type Seat = {
	readonly options: ChatOptions;
	readonly env: Env;
	readonly folder: string;
	/** The scope that this process started with. */
	readonly own: Scope;
	dir: string;
	open: OpenPod | undefined;
	isLost: boolean;
};

/**
Finds the successor of a pod that has ended. One of the attached terminals gets the lock, and the others attach to that
terminal.
*/
export async function succeed(
	seat: Seat,
	info: () => SessionInfo | undefined,
	signal: AbortSignal,
	attachedAlert: (pod: AttachedPod) => Alert,
): Promise<Reconnected> {
	const until = performance.now() + patienceMs;
	for (let pause = 20; ; pause = Math.min(pause * 2, 500)) {
		const isSaved = await pathExists(historyFile(seat.dir));
		const taken = isSaved ? await takeOver(seat, info(), 'stored') : undefined;
		if (taken !== undefined) return taken;
		const connected = await connectOwner(seat.folder, seat.dir, {timeoutMs: 3000, signal});
		if (connected.ok) return {ok: true, pod: connected.pod, alerts: [attachedAlert(connected.pod)]};
		if (signal.aborted) return gone;
		if (!isSaved && connected.reason === 'absent') return (await takeOver(seat, info(), 'new')) ?? gone;
		if (performance.now() > until) return {ok: false, sentence: `${attachTexts.lost} ${connected.sentence}`};
		await wait(pause * (1 + Math.random()));
	}
}

/** The number of milliseconds for which a terminal looks for a successor of its pod. */
const patienceMs = 15_000;

const gone: Reconnected = {ok: false, sentence: attachTexts.nobody};

/** Opens the session in this process, in its working directory. Returns `undefined` if another process owns it. */
async function takeOver(
	seat: Seat,
	info: SessionInfo | undefined,
	kind: 'stored' | 'new',
): Promise<Reconnected | undefined> {
	const {options, env, dir} = seat;
	const {pwd, writable, readRoots, warnings: left} = scopeHere(seat, info?.scope);
	if (pwd === undefined) return {ok: false, sentence: `${attachTexts.nobody} ${attachTexts.openWith(idOf(dir))}`};
	const start = {
		...withoutChoice(options),
		like: kind === 'new' && info ? {name: info.model, settings: info.settings ?? {}} : undefined,
		cwd: pwd,
		readOnly: options.readOnly || !writable,
		addDirs: readRoots,
	};
	const planned = await planStart({...start, session: {kind: kind === 'new' ? 'new' : 'pick'}}, env, {picked: dir});
	if (!planned.ok) return planned;
	const started = await startPod(planned.plan, env, {attended: true, trust: options.trust === true});
	if (!started.ok) return started.held === true ? undefined : started;
	const {pod, session, answered} = started;
	seat.dir = session.dir;
	seat.open = createLocalPod({pod, session, answered, pwd: planned.plan.scope.pwd}, options, env);
	const notListening = await seat.open.listen();
	const warnings = [...left, ...planned.plan.warnings, ...started.warnings, notListening ?? []].flat();
	return {
		ok: true,
		pod,
		alerts: [
			{level: 'info', text: attachTexts.tookOver[kind]},
			...warnings.map((text): Alert => ({level: 'warn', text})),
		],
	};
}

/** This terminal attached to the session, so what its command line says about a model or a mode never applied to it. */
function withoutChoice(options: ChatOptions): ChatOptions {
	const {model: _, effort: _e, options: _o, approval: _a, writable: _w, maxTurns: _t, maxCost: _c, ...rest} = options;
	return rest;
}

type ScopeHere = {
	/** The working directory. It is absent if the reported directory is unknown here. */
	readonly pwd?: string;
	readonly writable: boolean;
	readonly readRoots: readonly string[];
	readonly warnings: readonly string[];
};

/**
Returns the scope for a session that continues here. Nothing from the socket widens the scope of your own start. The
working directory is that of this start, or the one in the name of the session's folder.
*/
function scopeHere({own, env, dir}: Seat, reported: SessionInfo['scope'] | undefined): ScopeHere {
	const isKnown =
		reported !== undefined &&
		(reported.pwd === own.pwd || dirname(dir) === projectDir(sessionsRoot(env), reported.pwd));
	if (!isKnown) return {writable: false, readRoots: [], warnings: []};
	const {pwd, writable} = reported;
	const readRoots = reported.readRoots.filter(root => own.readRoots.includes(root));
	const others = reported.readRoots.length - readRoots.length;
	return {pwd, writable, readRoots, warnings: others === 0 ? [] : [attachTexts.fewerFolders(others)]};
}
