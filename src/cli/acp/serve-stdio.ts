import {ndJsonStream} from '@agentclientprotocol/sdk';
import {serveEditor} from '../../acp/agent.ts';
import {watchOutput, watchSignals} from '../output/signals.ts';
import type {Host, OpenOrder, Opened, StoredInfo} from '../../acp/host.ts';
import {escapeSeparators} from '../../pod/first-frame.ts';
import type {AcpOptions} from './options.ts';
import {readFile, realpath, stat} from 'node:fs/promises';
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
import {sessionDifferences, sessionName} from '../../pod/protocol.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {cut} from '../../text/width.ts';
import {t} from '../../language/index.ts';

type Input = {
	/** The first line, and the data that was read after it. */
	readonly read: readonly [first: Buffer, rest: Buffer];
	readonly chunks: AsyncGenerator<Buffer>;
	readonly initialize: Host['initialize'];
	/**
	Whether the editor already has the answer to the first line. If so, inkpod does not send the second answer, which
	comes from the protocol's code.
	*/
	readonly isAnswered: boolean;
};

/** Serves an editor until its stream ends. */
export async function serveStdio({stdout, exit, start, env}: AcpOptions, input: Input): Promise<void> {
	watchOutput(process, exit);
	watchSignals(exit, () => {});
	const answered = Promise.withResolvers<void>();
	const output = webOutput(stdout, input.isAnswered ? answered.resolve : undefined);
	if (!input.isAnswered) answered.resolve();
	const stream = ndJsonStream(output, webInput(input, answered.promise));
	await serveEditor(stream, createHost({start, env, initialize: input.initialize}), exit.signal);
}

/** Creates the functions that the ACP server needs from this program. */
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
			const differences = sessionDifferences(found);
			return found.flatMap(session => infoOf(session, differences.get(session.dir)));
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

/** Reads only as fast as the messages are handled. Data after the first line waits until the first line is answered. */
function webInput({read: [first, rest], chunks}: Input, answered: Promise<void>): ReadableStream<Uint8Array> {
	let isFirst = true;
	return new ReadableStream<Uint8Array>({
		start(controller) {
			if (first.length > 0) controller.enqueue(first);
		},
		async pull(controller) {
			await answered;
			const isRest = isFirst && rest.length > 0;
			isFirst = false;
			const {value, done} = isRest ? {value: rest, done: false} : await chunks.next();
			if (done === true) controller.close();
			else controller.enqueue(value);
		},
	});
}

/**
Writes to a stream and waits while it is full, so that a slow editor does not fill the memory of this process. With
`onFirst`, the first message is not written, because the editor already has it.
*/
function webOutput(stdout: NodeJS.WritableStream, onFirst: (() => void) | undefined): WritableStream<Uint8Array> {
	let isFirst = onFirst !== undefined;
	return new WritableStream<Uint8Array>({
		async write(chunk) {
			if (isFirst) {
				isFirst = false;
				// The protocol's code counts the answer as sent in the current turn of the event loop.
				setImmediate(() => onFirst?.());
				return;
			}
			// Each chunk is a whole message.
			const line = escapeSeparators(Buffer.from(chunk).toString());
			await new Promise<void>((resolve, reject) => {
				stdout.write(line, error => (error === null || error === undefined ? resolve() : reject(error)));
			});
		},
	});
}

type HostOptions = {
	/** The command-line options. They apply to all sessions. */
	readonly start: Start;
	readonly env: Env;
	readonly initialize: Host['initialize'];
};

async function openFor({id, cwd, addDirs, servers}: OpenOrder, start: Start, env: Env): Promise<Opened> {
	const session = id === undefined ? ({kind: 'new'} as const) : ({kind: 'id', id} as const);
	const order = {...start, cwd, addDirs: [...start.addDirs, ...addDirs], session};
	const planned = await planStart(order, env);
	if (!planned.ok) return planned;
	const {plan} = planned;
	// On the command line, the beginning of an id is enough. An editor must give the whole id.
	if (id !== undefined && plan.session.kind === 'stored' && idOf(plan.session.dir) !== id)
		return {ok: false, sentence: acpWarnings.unknown(id)};
	// An editor names the folder of each session. This does not mean that the user chose to move a session there.
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

function infoOf(session: SessionSummary, difference: string | undefined): readonly StoredInfo[] {
	const {id, cwd, changed} = session;
	const name = cut(sanitizeLine(sessionName(session)), maxTitle, '…');
	const title = difference === undefined ? name : `${name} · ${sanitizeLine(difference)}`;
	return cwd === undefined ? [] : [{id, cwd, title, changed}];
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

const acpWarnings = {
	attached: t`This session is open in another process, so inkpod does not use the MCP servers of the editor.`,
	unknown: (id: string) => t`There is no session with the id ${id}.`,
};
