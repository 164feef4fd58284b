import {dirname} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {connectPod, type AttachedPod} from '../attach/client.ts';
import type {Reconnected} from '../attach/reconnecting-client.ts';
import {socketPath} from '../attach/socket-path.ts';
import type {Env} from '../env/env.ts';
import {pathExists} from '../files/path-exists.ts';
import type {Alert, SessionInfo} from '../protocol.ts';
import type {Scope} from '../scope/scope.ts';
import {historyFile, idOf, projectDir, sessionsRoot} from '../session/paths.ts';
import {createLocalPod, type OpenPod} from './local-pod.ts';
import type {ChatOptions} from './options.ts';
import {planStart} from './plan.ts';
import {startPod} from './start-pod.ts';
import {attachTexts} from './texts.ts';

/** The place of a terminal: attached to another process, until it has the session itself. */
export type Seat = {
	readonly options: ChatOptions;
	readonly env: Env;
	readonly folder: string;
	/** Of the start of this process. */
	readonly own: Scope;
	dir: string;
	open: OpenPod | undefined;
	isLost: boolean;
};

/** What follows a pod that is gone. Of several attached terminals one gets the lock, the others attach to it. */
export async function succeed(
	seat: Seat,
	info: () => SessionInfo | undefined,
	signal: AbortSignal,
	attachedAlert: (pod: AttachedPod) => Alert,
): Promise<Reconnected> {
	const until = Date.now() + patienceMs;
	for (let pause = 20; ; pause = Math.min(pause * 2, 500)) {
		const isSaved = await pathExists(historyFile(seat.dir));
		const taken = isSaved ? await takeOver(seat, info(), 'stored') : undefined;
		if (taken !== undefined) return taken;
		const connected = await connectPod(socketPath(seat.folder, idOf(seat.dir)), {timeoutMs: 3000, signal});
		if (connected.ok) return {ok: true, pod: connected.pod, alerts: [attachedAlert(connected.pod)]};
		if (signal.aborted) return gone;
		if (!isSaved && connected.reason === 'absent') return (await takeOver(seat, info(), 'new')) ?? gone;
		if (Date.now() > until) return {ok: false, sentence: `${attachTexts.lost} ${connected.sentence}`};
		await wait(pause * (1 + Math.random()));
	}
}

/** How long a terminal that lost its pod looks for another one. */
const patienceMs = 15_000;

const gone: Reconnected = {ok: false, sentence: attachTexts.nobody};

/** Opens the session in this process, in the directory where it worked. `undefined`: another process has it. */
async function takeOver(
	seat: Seat,
	info: SessionInfo | undefined,
	kind: 'stored' | 'new',
): Promise<Reconnected | undefined> {
	const {options, env, dir} = seat;
	const {pwd, writable, readRoots, warnings: left} = scopeHere(seat, info?.scope);
	if (pwd === undefined) return {ok: false, sentence: `${attachTexts.nobody} ${attachTexts.openWith(idOf(dir))}`};
	const start = {...options, cwd: pwd, readOnly: options.readOnly || !writable, addDirs: readRoots};
	const planned = await planStart({...start, session: {kind: kind === 'new' ? 'new' : 'pick'}}, env, {picked: dir});
	if (!planned.ok) return planned;
	const started = await startPod(planned.plan, env, {attended: true, trust: options.trust === true});
	if (!started.ok) return started.held === true ? undefined : started;
	const {pod, session} = started;
	seat.dir = session.dir;
	seat.open = createLocalPod({pod, session, pwd: planned.plan.scope.pwd}, options, env);
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

type ScopeHere = {
	/** Absent: the directory that was told is not known here. */
	readonly pwd?: string;
	readonly writable: boolean;
	readonly readRoots: readonly string[];
	readonly warnings: readonly string[];
};

/**
The part of a scope told by a socket that counts when the session continues here. You set a scope when you start
inkpod: nothing that comes over a socket widens it. The working directory is the one of this start, or the one that
the session's folder is named after.
*/
function scopeHere({own, env, dir}: Seat, told: SessionInfo['scope'] | undefined): ScopeHere {
	const isKnown =
		told !== undefined && (told.pwd === own.pwd || dirname(dir) === projectDir(sessionsRoot(env), told.pwd));
	if (!isKnown) return {writable: false, readRoots: [], warnings: []};
	const {pwd, writable} = told;
	const readRoots = told.readRoots.filter(root => own.readRoots.includes(root));
	const others = told.readRoots.length - readRoots.length;
	return {pwd, writable, readRoots, warnings: others === 0 ? [] : [attachTexts.fewerFolders(others)]};
}
