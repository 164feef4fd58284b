import {stat} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {ulid} from 'ulid';
import {connectPod, type AttachedPod} from '../pod/attach/client.ts';
import {greeting, greetings} from '../pod/attach/knock.ts';
import {createLastingPod, type Successor} from '../pod/attach/lasting.ts';
import {socketFolder, socketPath} from '../pod/attach/socket-path.ts';
import type {Env} from '../pod/env/env.ts';
import {pathExists} from '../pod/files/path-exists.ts';
import type {Alert, SessionInfo} from '../pod/protocol.ts';
import type {Scope} from '../pod/scope/scope.ts';
import {realFiles} from '../pod/session/files.ts';
import {findSession} from '../pod/session/find.ts';
import {homeProblem} from '../pod/session/home-problem.ts';
import {lockOwner} from '../pod/session/lock.ts';
import {historyFile, idOf, projectDir, sessionDir, sessionsRoot} from '../pod/session/paths.ts';
import {createLocalPod, type ChatLaunch} from './local-pod.ts';
import {planStart, type Plan} from './plan.ts';
import {findProject, type ProjectOptions} from './find-project.ts';
import {startPod} from './start-pod.ts';
import type {OpenPod} from './open-pod.ts';

export type LiveFound =
	| {readonly ok: true; /** The session's folder, which is not there before anything is said. */ readonly dir: string}
	| {
			readonly ok: false;
			readonly sentence: string;
			/** The directory or its configuration is at fault. */ readonly isUsage?: boolean;
	  };

/**
The session that `inkpod attach` is about: open in another terminal that can be attached to. Without an id the latest of
this directory.
*/
export async function findLive(launch: ProjectOptions & Pick<ChatLaunch, 'attach'>, env: Env): Promise<LiveFound> {
	const project = await findProject(launch, env);
	if (!project.ok) return {...project, isUsage: true};
	const problem = await homeProblem(env);
	if (problem !== undefined) return {ok: false, sentence: problem, isUsage: true};
	const at = {root: sessionsRoot(env), cwd: project.manifest.pwd};
	const id = launch.attach?.id;
	return id === undefined ? latestLive(at, env) : liveById(at, id, env);
}

export type Attached =
	| {readonly ok: true; readonly open: OpenPod; readonly warnings: readonly string[]}
	| {readonly ok: false; readonly absent: boolean; readonly sentence: string};

/** Sits down at the plan's session beside the process that has it. When that one is gone, the session goes on here. */
export async function attachPlanned(plan: Plan, launch: ChatLaunch, env: Env): Promise<Attached> {
	const folder = socketFolder(env);
	if (plan.session.kind === 'new' || folder === undefined) return {ok: false, absent: true, sentence: nobody};
	const {dir} = plan.session;
	const connected = await connectPod(socketPath(folder, idOf(dir)));
	if (!connected.ok) return {ok: false, absent: connected.reason === 'absent', sentence: connected.sentence};
	const seat: Seat = {launch, env, folder, dir, own: plan.scope, open: undefined, isLost: false};
	const info = watchSession(connected.pod);
	const pod = createLastingPod(connected.pod, {
		alerts: [attachedTo(connected.pod)],
		async succeed(signal) {
			const found = await succeed(seat, info, signal);
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
Where a terminal beside another keeps its draft: under a name of its own, so that a new session of the project finds
what a crash left.
*/
export function draftDirBeside(dir: string): string {
	return join(dirname(dir), ulid());
}

type At = {readonly root: string; readonly cwd: string};

async function latestLive(at: At, env: Env): Promise<LiveFound> {
	const folder = socketFolder(env);
	const found = folder === undefined ? [] : await greetings(folder);
	const here = await Promise.all(
		found
			.filter(({hello}) => hello.pwd === at.cwd)
			.map(async ({path, hello: {session}}) => {
				const dir = sessionDir(at.root, at.cwd, session);
				return {dir, changed: Math.max(await changedAt(path), await changedAt(historyFile(dir)))};
			}),
	);
	const [latest] = here.toSorted((one, other) => other.changed - one.changed);
	return latest === undefined
		? {
				ok: false,
				sentence: 'No session of this directory is open in another terminal. inkpod -c opens the latest one.',
			}
		: existing(at, latest.dir);
}

/** A session that was made in another directory has its folder there. */
async function existing(at: At, dir: string): Promise<LiveFound> {
	if (await pathExists(dir)) return {ok: true, dir};
	const found = await findSession(at, idOf(dir));
	return {ok: true, dir: found.ok ? found.dir : dir};
}

async function liveById(at: At, prefix: string, env: Env): Promise<LiveFound> {
	const folder = socketFolder(env);
	const found = await findSession(at, prefix);
	if (!found.ok) {
		const unsaved =
			folder === undefined || found.reason !== 'unknown'
				? []
				: (await greetings(folder)).filter(({hello}) => hello.session.startsWith(prefix.toUpperCase()));
		const [only, ...others] = unsaved;
		return only !== undefined && others.length === 0
			? {ok: true, dir: sessionDir(at.root, only.hello.pwd, only.hello.session)}
			: found;
	}
	if (folder !== undefined && (await greeting(socketPath(folder, idOf(found.dir)))) !== undefined) return found;
	const owner = await lockOwner(found.dir, realFiles);
	if (owner === undefined)
		return {ok: false, sentence: `No terminal has this session open. inkpod -r ${idOf(found.dir)} opens it.`};
	return {
		ok: false,
		sentence: `This session is open in process ${owner.pid} on ${owner.host}, which lets no other terminal attach.`,
	};
}

async function changedAt(path: string): Promise<number> {
	return stat(path).then(
		({mtimeMs}) => mtimeMs,
		() => 0,
	);
}

/** Where a terminal sits: beside another process, until it has the session itself. */
type Seat = {
	readonly launch: ChatLaunch;
	readonly env: Env;
	readonly folder: string;
	/** Of the start of this process. */
	readonly own: Scope;
	dir: string;
	open: OpenPod | undefined;
	isLost: boolean;
};

function watchSession(pod: AttachedPod): () => SessionInfo {
	let info: SessionInfo | undefined;
	pod.subscribe(event => {
		if (event.type === 'snapshot') info = event.session;
	});
	return () => info!;
}

/** Of several terminals that were attached one gets the lock, and the others attach to it. */
async function succeed(seat: Seat, info: () => SessionInfo, signal: AbortSignal): Promise<Successor> {
	const until = Date.now() + patienceMs;
	for (let pause = 20; ; pause = Math.min(pause * 2, 500)) {
		const isSaved = await pathExists(historyFile(seat.dir));
		const taken = isSaved ? await takeOver(seat, info(), 'stored') : undefined;
		if (taken !== undefined) return taken;
		const connected = await connectPod(socketPath(seat.folder, idOf(seat.dir)), {patienceMs: 3000, signal});
		if (connected.ok) return {ok: true, pod: connected.pod, alerts: [attachedTo(connected.pod)]};
		if (signal.aborted) return {ok: false, sentence: nobody};
		if (!isSaved && connected.reason === 'absent')
			return (await takeOver(seat, info(), 'new')) ?? {ok: false, sentence: nobody};
		if (Date.now() > until) return {ok: false, sentence: `${lostForGood} ${connected.sentence}`};
		await wait(pause * (1 + Math.random()));
	}
}

/** Opens the session in this process, where it was at work. `undefined`: another process has it. */
async function takeOver(seat: Seat, {scope}: SessionInfo, kind: 'stored' | 'new'): Promise<Successor | undefined> {
	const {launch, env, dir} = seat;
	const {pwd, readRoots, left} = scopeHere(seat, scope);
	if (pwd === undefined) return {ok: false, sentence: `${nobody} Run inkpod -r ${idOf(dir)} to open the session.`};
	const start = {...launch, cwd: pwd, readOnly: launch.readOnly || !scope.writable, addDirs: readRoots};
	const planned = await planStart({...start, session: {kind: kind === 'new' ? 'new' : 'pick'}}, env, {picked: dir});
	if (!planned.ok) return planned;
	const started = await startPod(planned.plan, env, {attended: true, trust: launch.trust === true});
	if (!started.ok) return started.held === true ? undefined : started;
	seat.dir = started.session.dir;
	seat.open = createLocalPod(started.pod, started.session, planned.plan, launch, env);
	const deaf = await seat.open.listen();
	const warnings = [...left, ...planned.plan.warnings, ...started.warnings, ...(deaf === undefined ? [] : [deaf])];
	return {
		ok: true,
		pod: started.pod,
		alerts: [{level: 'info', text: goesOn[kind]}, ...warnings.map((text): Alert => ({level: 'warn', text}))],
	};
}

type ScopeHere = {
	readonly pwd?: string;
	readonly readRoots: readonly string[];
	/** What you are told of what was left out. */
	readonly left: readonly string[];
};

/**
The part of a scope told by a socket that counts when the session continues here. You set a scope when you start
inkpod: nothing that comes over a socket widens it. The working directory is the one of this start, or the one that
the session's folder is named after.
*/
function scopeHere({own, env, dir}: Seat, told: Scope): ScopeHere {
	const isKnown = told.pwd === own.pwd || dirname(dir) === projectDir(sessionsRoot(env), told.pwd);
	if (!isKnown) return {readRoots: [], left: []};
	const readRoots = told.readRoots.filter(root => own.readRoots.includes(root));
	const others = told.readRoots.length - readRoots.length;
	if (others === 0) return {pwd: told.pwd, readRoots, left: []};
	const more = `${others} ${others === 1 ? 'folder' : 'folders'} that the other terminal had added`;
	const sentence = `This terminal does not read ${more}. Start it with --add-dir to read more.`;
	return {pwd: told.pwd, readRoots, left: [sentence]};
}

function attachedTo({hello: {pid}}: AttachedPod): Alert {
	return {level: 'info', text: `Attached to the session in process ${pid}. Leaving this terminal leaves it running.`};
}

const lostForGood = 'The connection to the other terminal is lost, and there is no other one.';
const nobody = 'Nobody listens on the socket of this session.';
const goesOn = {
	stored: 'The other terminal is gone; the session goes on here.',
	new: 'The other terminal is gone, and nothing had been said in its session: this is a new one.',
};
/** How long a terminal that lost its pod looks for another one. */
const patienceMs = 15_000;
