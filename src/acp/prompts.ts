import type {ContentBlock, PromptResponse} from '@agentclientprotocol/sdk';
import type {PodClient, Segment, Status} from '../pod/protocol.ts';
import type {Editor} from './initialize.ts';
import type {Host} from './host.ts';
import {withSecrets} from './prompt/secrets.ts';
import {segmentsOf, type Link} from './prompt/segments.ts';
import {acpTexts} from './texts.ts';
import {cancelledTurn, runTurn, type TurnEnd} from './turn.ts';
import {pathToFileURL} from 'node:url';

export type Prompted =
	| {readonly ok: true; readonly response: PromptResponse}
	| {
			readonly ok: false;
			readonly reason: 'invalid' | 'refused' | 'failed' | 'key' | 'closed';
			readonly sentence: string;
	  };

/** An open session and its prompts. The code changes this object in place. */
export type PromptState = {
	readonly pod: PodClient;
	readonly editor: Editor;
	readonly host: Pick<Host, 'readText'>;
	/** Whether the editor has passed MCP servers. */
	readonly hasServers: boolean;
	/** The working directory of the session. */
	pwd: string;
	isClosed: boolean;
	/** How often the editor has cancelled. A cancel cancels all earlier prompts. */
	cancelled: number;
	/** The number of prompts that are not answered yet. */
	waiting: number;
	/** The ids of the messages that the editor sent. */
	readonly own: Set<string>;
	/** Resolves when the last prompt is answered. */
	tail: Promise<unknown>;
	/** The functions to call when no turn or command runs. */
	readonly idle: Set<() => void>;
	status: Status | undefined;
};

/** Runs prompts one after another. A prompt that arrives during a turn waits for the end of the turn. */
export async function promptInOrder(
	state: PromptState,
	blocks: readonly ContentBlock[],
	signal: AbortSignal,
): Promise<Prompted> {
	const before = state.cancelled;
	const isCancelled = () => state.cancelled !== before || signal.aborted;
	state.waiting += 1;
	const prompted = state.tail.then(async () =>
		isCancelled() ? cancelledPrompt : promptNow(state, blocks, {signal, isCancelled}),
	);
	state.tail = prompted.catch(() => {});
	try {
		return await prompted;
	} finally {
		state.waiting -= 1;
	}
}

const cancelledPrompt: Prompted = {ok: true, response: {stopReason: 'cancelled'}};

type Prompting = {readonly signal: AbortSignal; readonly isCancelled: () => boolean};

async function promptNow(state: PromptState, blocks: readonly ContentBlock[], prompting: Prompting): Promise<Prompted> {
	const {pod, pwd} = state;
	if (state.isClosed) return {ok: false, reason: 'closed', sentence: acpTexts.closed};
	const made = await segmentsOf(blocks, {pod, pwd});
	if (!made.ok) return {ok: false, reason: 'invalid', sentence: made.sentence};
	const {signal} = prompting;
	const stop = () => void pod.send({method: 'cancel'});
	signal.addEventListener('abort', stop, {once: true});
	try {
		const withText = await withBuffers(made.segments, made.links, {...state, signal});
		const confirmed = await withSecrets(withText, {...state, signal});
		if (confirmed === undefined) return cancelledPrompt;
		return answerOf(await turnOf(state, confirmed, prompting));
	} catch (error) {
		if (prompting.isCancelled()) return cancelledPrompt;
		throw error;
	} finally {
		signal.removeEventListener('abort', stop);
	}
}

/** Sends the message when no other turn runs. A background command or another terminal may have started a turn. */
async function turnOf(state: PromptState, segments: readonly Segment[], {isCancelled}: Prompting): Promise<TurnEnd> {
	const {pod} = state;
	for (;;) {
		await untilIdle(state);
		if (state.isClosed) return {kind: 'closed'};
		if (isCancelled()) return cancelledTurn;
		await tellServers(state);
		const message = crypto.randomUUID();
		state.own.add(message);
		const end = await runTurn(pod, segments, message);
		if (end.kind !== 'busy') return end;
	}
}

async function untilIdle(state: PromptState): Promise<void> {
	while (state.status?.kind === 'running' && !state.isClosed) {
		const {promise, resolve} = Promise.withResolvers<void>();
		state.idle.add(resolve);
		await promise;
		state.idle.delete(resolve);
	}
}

/**
Sends a notification about the MCP servers that come from the editor, once for each session. The model and the user see
it.
*/
async function tellServers(state: PromptState): Promise<void> {
	if (!state.hasServers || told.has(state)) return;
	told.add(state);
	const {pod} = state;
	const servers = (await pod.mcp()).filter(({source}) => source === 'editor');
	if (servers.length === 0) return;
	const lines = servers.map(({name, transport, target}) => `- ${name} (${transport}): ${target}`);
	await pod.send({method: 'notify', text: acpTexts.servers(lines)});
}

const told = new WeakSet<PromptState>();

function answerOf(end: TurnEnd): Prompted {
	if (end.kind === 'ended') return {ok: true, response: end.response};
	if (end.kind === 'failed')
		return {
			ok: false,
			reason: end.keyRefused === true ? 'key' : 'failed',
			sentence: acpTexts.failedRun(end.sentence),
		};
	if (end.kind === 'closed') return {ok: false, reason: 'closed', sentence: end.sentence ?? acpTexts.closed};
	return {ok: false, reason: 'refused', sentence: end.kind === 'refused' ? end.sentence : acpTexts.busySession};
}

type Options = {
	readonly pod: Pick<PodClient, 'preflight'>;
	readonly editor: Editor;
	readonly host: Pick<Host, 'readText'>;
	readonly signal: AbortSignal;
};

/**
If a linked file has an unsaved buffer in the editor, replaces the link with the text of the buffer. The history stores
exactly this text. inkpod asks the editor only about files that the pod would attach, so it checks scope and secrets
first.
*/
async function withBuffers(
	segments: readonly Segment[],
	links: readonly Link[],
	options: Options,
): Promise<readonly Segment[]> {
	if (options.editor.readBuffer === undefined || links.length === 0) return segments;
	const allowed = new Set<string>();
	const {refs} = await options.pod.preflight([...segments], options.signal);
	for (const forecast of refs) if (forecast.ok && forecast.kind === 'file') allowed.add(forecast.ref.path);
	const paths = new Map(links.map(({segment, path}) => [segment, path]));
	return Promise.all(
		segments.map(async segment => {
			const path = segment.type === 'file_ref' && segment.range === undefined ? paths.get(segment) : undefined;
			if (segment.type !== 'file_ref' || path === undefined || !allowed.has(segment.path)) return segment;
			const text = await unsavedText(path, options);
			return text === undefined ? segment : {...segment, sent: {uri: pathToFileURL(path).href, text}};
		}),
	);
}

/** Returns the text of a buffer that differs from its file. */
async function unsavedText(path: string, {editor, host, signal}: Options): Promise<string | undefined> {
	const [buffer, saved] = await Promise.all([editor.readBuffer?.(path, signal), host.readText(path)]);
	return buffer === undefined || saved === undefined || buffer === saved ? undefined : buffer;
}
