import type {Env} from '../env/env.ts';
import type {McpServerInfo} from '../protocol/queries.ts';
import type {CallToolResult} from '@ai-sdk/mcp';
import type {Connected, Connection} from './connection.ts';
import type {McpEntry} from './entry.ts';
import {createScrubber} from './scrubber.ts';
import {inertLine} from './inert-text.ts';
import {filterTools, type UsableTool} from './tool-filter.ts';

/** Milliseconds. */
export type McpTimes = {
	/** How long a run waits for a server that starts, and for a new list of one that has started. */
	readonly patience: number;
	readonly listPatience: number;
	/** Until a start is given up, and a call. */
	readonly start: number;
	readonly call: number;
};

export type CallAnswer =
	| {readonly ok: true; readonly result: CallToolResult}
	| {readonly ok: false; readonly sentence: string};

/** One configured server, from its first start to its end. */
export type McpServer = {
	readonly entry: McpEntry;
	state(): {readonly state: Exclude<McpServerInfo['state'], 'untrusted'>; readonly sentence?: string};
	/** Starts it unless it runs, and waits a while: the run goes on without one that is slow. Never rejects. */
	prepare(signal: AbortSignal): Promise<void>;
	/** Empty unless it is ready. */
	tools(): readonly UsableTool[];
	/** Rejects with the signal's reason, and for nothing else. */
	call(tool: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<CallAnswer>;
	/** Resolves when nothing of it runs any more. */
	close(): Promise<void>;
};

export type McpServerOptions = {
	readonly pwd: string;
	readonly env: Env;
	readonly times: McpTimes;
	readonly onWarning: (sentence: string) => void;
};

type State =
	| {readonly state: 'idle'}
	| {readonly state: 'starting'; readonly begun: Promise<void>; readonly since: number}
	| {
			readonly state: 'ready';
			readonly connection: Connection;
			readonly tools: readonly UsableTool[];
			readonly remarks: readonly string[];
	  }
	| {readonly state: 'failed'; readonly sentence: string};

export function createMcpServer(entry: McpEntry, {pwd, env, times, onWarning}: McpServerOptions): McpServer {
	const closing = new AbortController();
	let state: State = {state: 'idle'};
	/** It was too slow once: no run waits for it again. */
	let isSlow = false;
	let starting: Promise<void> = Promise.resolve();
	const name = `The MCP server ${entry.name}`;
	const scrub = createScrubber(entry.start);

	function fail(what: string, why: string, words: string): void {
		if (closing.signal.aborted) return;
		const [reason, stderrTail] = [scrub(why), scrub(words)];
		state = {state: 'failed', sentence: withWords(`${name} ${what}: ${reason}.`, stderrTail, '\n')};
		onWarning(
			withWords(
				`${name} ${what}: ${reason}.`,
				inertLine(stderrTail.split('\n').findLast(line => line.trim() !== '') ?? '', 300),
				' ',
			),
		);
	}

	async function begin(): Promise<void> {
		const tooLong = AbortSignal.timeout(times.start);
		const signal = AbortSignal.any([closing.signal, tooLong]);
		const {connect, reasonOf} = await import('./connection.ts');
		const connected: Connected = await connect(entry.start, {pwd, env, signal});
		const late = `it did not answer within ${times.start / 1000} s`;
		if (!connected.ok)
			return fail('could not be started', tooLong.aborted ? late : connected.reason, connected.stderrTail);
		const {connection} = connected;
		try {
			take(connection, filterTools(await connection.list(signal)));
		} catch (error) {
			await connection.close();
			return fail('could not be started', tooLong.aborted ? late : reasonOf(error), connection.stderrTail());
		}
		void connection.ended.then(async reason => {
			if (state.state === 'ready' && state.connection === connection)
				fail('is gone', reason, connection.stderrTail());
			await connection.close();
		});
	}

	function take(connection: Connection, {tools, remarks}: ReturnType<typeof filterTools>): void {
		const before = state.state === 'ready' ? state.remarks : [];
		state = {state: 'ready', connection, tools, remarks};
		for (const remark of remarks.filter(text => !before.includes(text))) onWarning(`${name}: ${remark}.`);
	}

	async function renew(connection: Connection, signal: AbortSignal): Promise<void> {
		if (!connection.mayChange) return;
		try {
			const listed = await connection.list(
				AbortSignal.any([signal, closing.signal, AbortSignal.timeout(times.listPatience)]),
			);
			if (state.state === 'ready' && state.connection === connection) take(connection, filterTools(listed));
		} catch {
			// The list that is known stays. Whether the server is gone, its connection tells.
		}
	}

	return {
		entry,
		state: () => ({state: state.state, ...sentenceOf(state, entry.remarks)}),
		async prepare(signal) {
			if (closing.signal.aborted) return;
			if (state.state === 'ready') return renew(state.connection, signal);
			if (state.state !== 'starting') {
				starting = begin();
				state = {state: 'starting', begun: starting, since: Date.now()};
			}
			const {begun, since} = state;
			await Promise.race([begun, passed(isSlow ? 0 : since + times.patience - Date.now(), begun, signal)]);
			if (state.state !== 'starting' || signal.aborted || isSlow) return;
			isSlow = true;
			onWarning(
				`${name} has not answered for ${times.patience / 1000} s. The run goes on without it; its tools are there from the first run on that finds it ready.`,
			);
		},
		tools: () => (state.state === 'ready' ? state.tools : []),
		async call(tool, args, signal) {
			if (state.state !== 'ready') return {ok: false, sentence: `${name} does not run now.`};
			return callOf(state.connection, {name, tool, args, ms: times.call, scrub}, signal);
		},
		async close() {
			closing.abort(new Error('the session is closed'));
			await starting;
			if (state.state === 'ready') await state.connection.close();
		},
	};
}

type Call = {
	readonly name: string;
	readonly tool: string;
	readonly args: Readonly<Record<string, unknown>>;
	readonly ms: number;
	readonly scrub: (text: string) => string;
};

async function callOf(
	connection: Connection,
	{name, tool, args, ms, scrub}: Call,
	signal: AbortSignal,
): Promise<CallAnswer> {
	const tooLong = AbortSignal.timeout(ms);
	try {
		return {ok: true, result: await connection.call(tool, args, AbortSignal.any([signal, tooLong]))};
	} catch (error) {
		signal.throwIfAborted();
		const {reasonOf} = await import('./connection.ts');
		return {
			ok: false,
			sentence: `${name} did not do it: ${tooLong.aborted ? `there was no answer within ${ms / 1000} s` : scrub(reasonOf(error))}.`,
		};
	}
}

function withWords(sentence: string, stderrTail: string, between: string): string {
	return stderrTail === '' ? sentence : `${sentence} Its last words:${between}${stderrTail}`;
}

function sentenceOf(state: State, entryRemarks: readonly string[]): {readonly sentence?: string} {
	const remarks = [...entryRemarks, ...(state.state === 'ready' ? state.remarks : [])].map(
		remark => `${remark.charAt(0).toUpperCase()}${remark.slice(1)}.`,
	);
	const lines = state.state === 'failed' ? [state.sentence, ...remarks] : remarks;
	return lines.length === 0 ? {} : {sentence: lines.join('\n')};
}

/** Resolves after so many milliseconds, or when the signal is aborted, or when nobody waits any more. */
async function passed(ms: number, begun: Promise<void>, signal: AbortSignal): Promise<void> {
	if (ms <= 0 || signal.aborted) return;
	const {promise, resolve} = Promise.withResolvers<void>();
	const timer = setTimeout(resolve, ms);
	signal.addEventListener('abort', () => resolve(), {once: true});
	void begun.then(resolve);
	await promise;
	clearTimeout(timer);
}
