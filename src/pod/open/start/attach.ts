import {type AttachedPod, connectPod, type Connected, type ConnectOptions} from '../../remote/attach/client.ts';
import {createReconnectingClient, type Reconnected} from '../../remote/attach/client-writer.ts';
import {socketFolder} from '../../platform/local-door.ts';
import type {Env} from '../../ground/env/env.ts';
import type {Alert, SessionInfo} from '../../protocol.ts';
import {idOf, historyFile, projectDir, sessionsRoot} from '../../disk/paths.ts';
import {type OpenPod, createLocalPod} from './local-pod.ts';
import type {ChatOptions} from './options.ts';
import {type Plan, planStart} from './plan.ts';
import {attachTexts} from './texts.ts';
import {dirname} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {pathExists} from '../../ground/files/path-exists.ts';
import type {Scope} from '../../scope/scope.ts';
import {startPod} from './start-pod.ts';
import {socketPath} from '../../remote/attach/socket-path.ts';
import {realFiles} from '../../disk/files.ts';
import {lockOwner} from '../../disk/log/lock.ts';

type Attached =
	| {readonly ok: true; readonly open: OpenPod; readonly warnings: readonly string[]}
	/** `absent`: no process responds for the session. */
	| {readonly ok: false; readonly absent: boolean; readonly sentence: string};

/**
Attaches to the process that owns the plan's session. When that process ends, this process or another attached process
continues the session.
*/
export async function attachPlanned(
	plan: Plan,
	options: ChatOptions,
	env: Env,
	signal?: AbortSignal,
): Promise<Attached> {
	const folder = socketFolder(env);
	if (plan.session.kind === 'new' || folder === undefined)
		return {ok: false, absent: true, sentence: attachTexts.nobody};
	const {dir} = plan.session;
	const connected = await connectOwner(folder, dir, {signal});
	if (!connected.ok) return {ok: false, absent: connected.reason === 'absent', sentence: connected.sentence};
	const seat: Seat = {options, env, folder, dir, own: plan.scope, open: undefined, isLost: false};
	const info = watchSession(connected.pod);
	const pod = createReconnectingClient(connected.pod, {
		alerts: [attachedAlert(connected.pod)],
		async reconnect(signal) {
			const found = await succeed(seat, info, signal, attachedAlert);
			seat.isLost = !found.ok;
			return found;
		},
	});
	const open: OpenPod = {
		pod,
		session: {
			get dir() {
				return seat.dir;
			},
			get id() {
				return idOf(seat.dir);
			},
		},
		isAttached: () => seat.open === undefined && !seat.isLost,
		listen: async () => seat.open?.listen(),
	};
	return {ok: true, open, warnings: []};
}

/**
Finds the successor of a pod that has ended. One of the attached terminals gets the lock of the session, and the other
terminals attach to it.
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

/**
Attaches to the process that owns a session's folder. The name of a socket contains only the session id, so the owner of
a copied folder listens under the same name. The function refuses this owner, because the user's input would go to the
other copy.
*/
export async function connectOwner(sockets: string, dir: string, options?: ConnectOptions): Promise<Connected> {
	const connected = await connectPod(socketPath(sockets, idOf(dir)), options);
	if (!connected.ok || (await isOwner(connected.pod.hello.pid, dir))) return connected;
	if (await ends(connected.pod)) return connected;
	// For an attached pod, `shutdown` only ends the connection.
	await connected.pod.send({method: 'shutdown'});
	return {ok: false, reason: 'refused', sentence: attachTexts.otherCopy(idOf(dir))};
}

/** Returns a function that returns the session info from the latest snapshot. The first event is a snapshot. */
function watchSession(pod: AttachedPod): () => SessionInfo | undefined {
	let info: SessionInfo | undefined;
	pod.subscribe(event => {
		if (event.type === 'snapshot') info = event.session;
	});
	return () => info;
}

function attachedAlert({hello: {pid}}: AttachedPod): Alert {
	return {level: 'info', text: attachTexts.attached(pid)};
}

/** The state of a terminal that is attached to another process or has taken the session over. */
type Seat = {
	readonly options: ChatOptions;
	readonly env: Env;
	readonly folder: string;
	/** The scope that this process started with. */
	readonly own: Scope;
	dir: string;
	open: OpenPod | undefined;
	isLost: boolean;
};

/** The number of milliseconds for which a terminal looks for the successor of a pod. */
const patienceMs = 15_000;

const gone: Reconnected = {ok: false, sentence: attachTexts.nobody};

/**
Opens the session in this process, in the session's working directory. Returns `undefined` if another process owns it.
*/
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

/**
Removes the options for the model, the mode and the limits. They never applied to this session, because this terminal
attached to it.
*/
function withoutChoice(options: ChatOptions): ChatOptions {
	const {model: _, effort: _e, options: _o, approval: _a, writable: _w, maxTurns: _t, maxCost: _c, ...rest} = options;
	return rest;
}

type ScopeHere = {
	/** The working directory. Absent if this process cannot confirm the reported directory. */
	readonly pwd?: string;
	readonly writable: boolean;
	readonly readRoots: readonly string[];
	readonly warnings: readonly string[];
};

/**
Returns the scope for a session that this process takes over. Facts from the socket never widen the scope with which
this process started. The function accepts the reported working directory only if it is the directory of this start or
matches the project folder of the session.
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

/**
Tells whether the connection ends within a short time. A process that is about to exit may have released its lock
already, so the caller still accepts this process as the owner.
*/
async function ends({closed}: AttachedPod): Promise<boolean> {
	return Promise.race([closed.then(() => true), wait(endMs, false)]);
}

const endMs = 500;

/**
Tells whether a process owns a session's folder. A session without a history file has no lock yet, so any process counts
as its owner.
*/
async function isOwner(pid: number, dir: string): Promise<boolean> {
	if (!(await pathExists(historyFile(dir)))) return true;
	return (await lockOwner(dir, realFiles))?.pid === pid;
}
