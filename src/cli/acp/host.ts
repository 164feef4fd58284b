import {readFile, realpath, stat} from 'node:fs/promises';
import type {Host, OpenOrder, Opened, StoredInfo} from '../../acp/host.ts';
import type {Start} from '../start/launch.ts';
import {
	findStoredSession,
	idOf,
	listAllSessions,
	listSessions,
	trashSession,
	openPlanned,
	planStart,
	projectDir,
	providersWithKeys,
	sessionsRoot,
	type Env,
	type SessionSummary,
} from '../../pod/index.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {acpWarnings} from './texts.ts';

type HostOptions = {
	/** The options of the command line. They apply to all sessions. */
	readonly start: Start;
	readonly env: Env;
	readonly initialize: Host['initialize'];
};

/** Creates what the ACP server needs from this program. */
export function createHost({start, env, initialize}: HostOptions): Host {
	const root = sessionsRoot(env);
	return {
		initialize,
		providers: async () => providersWithKeys(undefined),
		open: async order => openFor(order, start, env),
		async list(cwd) {
			const found =
				cwd === undefined
					? await listAllSessions(root)
					: await listSessions(projectDir(root, await realpath(cwd).catch(() => cwd)));
			return found.flatMap(infoOf);
		},
		async remove(id) {
			const found = await findStoredSession({id, env});
			if (found.ok && idOf(found.dir) !== id)
				return {ok: false, reason: 'unknown', sentence: acpWarnings.unknown(id)};
			if (!found.ok) return {ok: false, reason: 'unknown', sentence: found.sentence};
			const moved = await trashSession(found.dir, env);
			return moved.ok ? {ok: true} : {ok: false, reason: 'failed', sentence: moved.sentence};
		},
		readText,
	};
}

async function openFor({id, cwd, addDirs, servers}: OpenOrder, start: Start, env: Env): Promise<Opened> {
	const session = id === undefined ? ({kind: 'new'} as const) : ({kind: 'id', id} as const);
	const order = {...start, cwd, addDirs: [...start.addDirs, ...addDirs], session};
	const planned = await planStart(order, env);
	if (!planned.ok) return planned;
	const {plan} = planned;
	// The start of an id is enough on the command line. An editor has the whole id.
	if (id !== undefined && plan.session.kind === 'stored' && idOf(plan.session.dir) !== id)
		return {ok: false, sentence: acpWarnings.unknown(id)};
	// An editor names the folder of each session, which is not the choice to move a session to it.
	const {cwd: _, ...options} = order;
	const opened = await openPlanned(plan, {...options, editorServers: servers}, env);
	if (!opened.ok) return opened;
	const {pod, session: stored} = opened.open;
	const socket = await opened.open.listen();
	const warnings = [
		...plan.warnings,
		...(plan.untrusted === undefined ? [] : [plan.untrusted.warning]),
		...opened.warnings,
		...(opened.notice === undefined ? [] : [opened.notice]),
		...(socket === undefined ? [] : [socket]),
		...(opened.open.isAttached() && servers.length > 0 ? [acpWarnings.attached] : []),
	];
	return {ok: true, id: stored.id, pod, warnings};
}

function infoOf({id, cwd, words, changed}: SessionSummary): readonly StoredInfo[] {
	return cwd === undefined ? [] : [{id, cwd, title: sanitizeLine(words).slice(0, maxTitle), changed}];
}

const maxTitle = 200;

async function readText(path: string): Promise<string | undefined> {
	try {
		const {size} = await stat(path);
		return size > maxText ? undefined : await readFile(path, 'utf8');
	} catch {
		return undefined;
	}
}

/** The maximum size of a file whose text is compared with the editor's buffer. */
const maxText = 4 * 1024 * 1024;
