import {listen, type Listening} from '../../remote/attach/server.ts';
import {socketFolder} from '../../platform/local-door.ts';
import {systemTimer, type Timer} from '../../ground/values/is-record.ts';
import type {Env} from '../../ground/env/env.ts';
import {errorCode} from '../../ground/files/fs-error.ts';
import type {PodClient, Status} from '../../protocol.ts';
import {planStart, type Plan} from '../start/plan.ts';
import {limitMemory} from '../start/limit-memory.ts';
import {startPod} from '../start/start-pod.ts';
import {messageOf} from '../../ground/values/is-record.ts';
import {startOptionsOf, type Transfer} from './transfer.ts';
import {serveTexts} from './texts.ts';
import {readdir, unlink} from 'node:fs/promises';
import {join} from 'node:path';
import {z} from 'zod';
import {sessionId, stateHome} from '../../disk/paths.ts';
import {readPrivateJson, writePrivateFile} from '../../permissions/trust/private-file.ts';

/** Keeps sessions open without a screen. Each session has its own pod and socket, as in a terminal. */
export type BackgroundHost = {
	/** Resolves with the reason why `open` would fail now, or with `undefined`. */
	check(order: Transfer): Promise<string | undefined>;
	/** Opens a session. Resolves when terminals can attach to the session and its first message is in history. */
	open(order: Transfer): Promise<KeptOrNot>;
	/**
	Opens the sessions that were unfinished when the last server ended. Their turns stay interrupted. The sessions stay
	open until the user continues or discards the turns.
	*/
	restore(): Promise<void>;
	/** Pauses and closes all sessions. */
	close(): Promise<void>;
};

type KeptOrNot = {readonly ok: true; readonly id: string} | {readonly ok: false; readonly sentence: string};

type BackgroundHostOptions = {
	readonly env: Env;
	/** The number of milliseconds after which the server closes an unused session. */
	readonly idleMs: number;
	/**
	Called with a line for the log, such as for each session that opens or closes. The line may contain untrusted text.
	*/
	readonly onLog: (line: string) => void;
	readonly timer?: Timer;
	/** Returns the time of a monotonic clock, in milliseconds. */
	readonly now?: () => number;
};

type Kept = {
	readonly id: string;
	readonly pod: PodClient;
	readonly listening: Extract<Listening, {readonly ok: true}>;
	status: Status;
	/** Whether `restore` opened the session, which then waits for the user. */
	isRestored: boolean;
	/** The last time when the session was in use, from `now`. */
	usedAt: number;
};

export function createBackgroundHost({env, idleMs, onLog, ...clock}: BackgroundHostOptions): BackgroundHost {
	const {timer = systemTimer, now = () => performance.now()} = clock;
	const kept = new Map<string, Kept>();
	const served = servedList(env);
	let isClosing = false;
	let stopTimer = timer(idleMs, closeIdle);

	function closeIdle(): void {
		const at = now();
		for (const each of kept.values()) {
			if (isUsed(each)) each.usedAt = at;
			else if (at - each.usedAt >= idleMs) void closeOne(each, 'idle');
		}
		if (!isClosing) stopTimer = timer(Math.max(minPauseMs, Math.min(idleMs / 2, maxPauseMs)), closeIdle);
	}

	async function closeOne({id, pod}: Kept, why: 'idle' | 'ended'): Promise<void> {
		kept.delete(id);
		await pod.send({method: 'shutdown'});
		if (!isClosing) await served.remove(id);
		onLog(serveTexts.closed(id, why));
	}

	async function plan(order: Transfer): Promise<{readonly plan: Plan} | Refused> {
		if (isClosing) return {problem: serveTexts.closing};
		if (kept.size >= maxServed) return {problem: serveTexts.full(maxServed)};
		const planned = await planStart(startOptionsOf(order), env);
		return planned.ok ? {plan: planned.plan} : {problem: planned.sentence};
	}

	function keep({id, pod, listening}: OpenedHere): Kept {
		const each: Kept = {id, pod, listening, status: atRest, isRestored: false, usedAt: now()};
		kept.set(id, each);
		pod.subscribe(event => {
			if ('status' in event) each.status = event.status;
			if (event.type === 'alert' && event.alert.level !== 'info') onLog(serveTexts.warned(id, event.alert.text));
			if (event.type !== 'closed') return;
			kept.delete(id);
			if (!isClosing) void served.remove(id);
		});
		return each;
	}

	async function openAndKeep(order: Transfer): Promise<Kept | Refused> {
		const planned = await plan(order);
		if ('problem' in planned) return planned;
		const opened = await openSession(planned.plan, order, {env, onLog});
		return opened.ok ? keep(opened) : {problem: opened.sentence};
	}

	return {
		async check(order) {
			const planned = await plan(order);
			return 'problem' in planned ? planned.problem : undefined;
		},
		async open(order) {
			const each = await openAndKeep(order);
			if ('problem' in each) return {ok: false, sentence: each.problem};
			const {id, pod} = each;
			await remember(served, id, order, onLog);
			const problem = await begin(pod, order);
			if (problem === undefined) return {ok: true, id};
			await closeOne(each, 'ended');
			return {ok: false, sentence: problem};
		},
		async restore() {
			const close = async (each: Kept) => closeOne(each, 'ended');
			for (const each of await served.read())
				if (!isClosing) await restoreOne(each, {served, open: openAndKeep, close, onLog});
		},
		async close() {
			isClosing = true;
			stopTimer();
			await Promise.all([...kept.values()].map(async each => isUnfinished(each) || served.remove(each.id)));
			await Promise.all([...kept.values()].map(async each => closeOne(each, 'ended')));
		},
	};
}

type Refused = {readonly problem: string};

/** Adds a session to the list for the next server. A failed write is only reported. */
async function remember(
	served: ServedList,
	id: string,
	{cwd, manifest}: Transfer,
	onLog: BackgroundHostOptions['onLog'],
): Promise<void> {
	try {
		await served.add({id, cwd, manifest});
	} catch (error) {
		if (errorCode(error) === '') throw error;
		onLog(serveTexts.warned(id, serveTexts.notRemembered(messageOf(error))));
	}
}

type Restoring = {
	readonly served: ServedList;
	readonly open: (order: Transfer) => Promise<Kept | Refused>;
	readonly close: (each: Kept) => Promise<void>;
	readonly onLog: BackgroundHostOptions['onLog'];
};

/** Opens a session of the last server again. Options that were given for one run do not apply again. */
async function restoreOne({id, cwd, manifest}: Served, {served, open, close, onLog}: Restoring): Promise<void> {
	const session = {kind: 'id', id} as const;
	const opened = await open({session, cwd, ...(manifest && {manifest}), readOnly: false, addDirs: []});
	if ('problem' in opened) {
		onLog(serveTexts.warned(id, opened.problem));
		await served.remove(id);
	} else if (isUnfinished(opened)) {
		opened.isRestored = true;
		onLog(serveTexts.restored(id));
	} else await close(opened);
}

/** Continues or begins the work of a session. Resolves with the reason if the session's message was refused. */
async function begin(pod: PodClient, {resumes = false, prompt}: Transfer): Promise<string | undefined> {
	if (resumes) void goOn(pod);
	if (prompt === undefined) return undefined;
	const receipt = await pod.send({method: 'run', segments: [{type: 'text', text: prompt}]});
	return receipt.accepted ? undefined : receipt.sentence;
}

/** Continues the run that was paused for the transfer. If that run had already ended, sends the next queued message. */
async function goOn(pod: PodClient): Promise<void> {
	const receipt = await pod.send({method: 'resume'});
	if (!receipt.accepted) await pod.send({method: 'send_queued'});
}

type OpenedHere = Pick<Kept, 'id' | 'pod' | 'listening'> & {readonly ok: true};

/** Opens a pod to which terminals can attach. If the socket cannot be opened, the function closes the pod again. */
async function openSession(
	plan: Plan,
	{rules = [], trust = false}: Transfer,
	{env, onLog}: Pick<BackgroundHostOptions, 'env' | 'onLog'>,
): Promise<OpenedHere | {readonly ok: false; readonly sentence: string}> {
	const folder = socketFolder(env);
	if (folder === undefined) return {ok: false, sentence: serveTexts.noFolder};
	limitMemory();
	const started = await startPod(plan, env, {attended: true, trust, answered: {rules}});
	if (!started.ok) return started;
	const {pod, session} = started;
	const listening = await listen(pod, {folder, session: session.id, pwd: plan.scope.pwd});
	if (!listening.ok) {
		await pod.send({method: 'shutdown'});
		return listening;
	}
	const {id} = session;
	onLog(serveTexts.opened(id, plan.scope.pwd));
	for (const warning of [...plan.warnings, ...started.warnings]) onLog(serveTexts.warned(id, warning));
	return {ok: true, id, pod, listening};
}

/** Tells whether the session has a running or interrupted turn, an open question, or a queued message. */
function isUnfinished({status: {kind, asks, queue}}: Kept): boolean {
	return kind !== 'idle' || asks.length > 0 || queue.length > 0;
}

/** Tells whether a terminal is attached, work is running, a question is open, or a restored session is unfinished. */
function isUsed(each: Kept): boolean {
	const {
		listening,
		status: {kind, asks, background, children},
	} = each;
	if (each.isRestored && isUnfinished(each)) return true;
	const isBusy = kind === 'running' || asks.length > 0 || background !== undefined || children !== undefined;
	return isBusy || listening.load().connections > 0;
}

const atRest: Status = {kind: 'idle', asks: [], queue: []};

const minPauseMs = 10;

const maxPauseMs = 60_000;

/** A session that is open in the server. All other facts are in the record of the session. */
type Served = z.infer<typeof servedSchema>;

const servedSchema = z.object({
	id: z.string().regex(sessionId),
	/** The directory of the terminal that started the session, as an absolute path. */
	cwd: z.string().max(8192),
	manifest: z.string().max(8192).optional(),
});

/**
The sessions that the server opens again after a restart. Each session has a file in `served/` of the state folder.
*/
type ServedList = {
	/** Returns the sessions in the order of their ids. */
	read(): Promise<readonly Served[]>;
	/** Rejects with the system's error. */
	add(served: Served): Promise<void>;
	remove(id: string): Promise<void>;
};

function servedList(env: Env): ServedList {
	const folder = join(stateHome(env), 'served');
	const fileOf = (id: string) => join(folder, `${id}.json`);
	return {
		async read() {
			const names = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.json')).toSorted();
			const found = await Promise.all(
				names
					.slice(0, maxServed)
					.map(
						async name => servedSchema.safeParse(await readPrivateJson(join(folder, name), maxBytes)).data,
					),
			);
			return found.filter(served => served !== undefined);
		},
		add: async served => writePrivateFile(fileOf(served.id), `${JSON.stringify(served)}\n`),
		remove: async id => unlink(fileOf(id)).catch(() => {}),
	};
}

/** The maximum number of sessions. Each session has its own pod in memory. */
const maxServed = 64;

const maxBytes = 65_536;
