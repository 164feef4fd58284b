import {readdir} from 'node:fs/promises';
import {socketFolder} from '../../platform/local-door.ts';
import type {Env} from '../../ground/env/env.ts';
import type {LiveState} from '../../protocol/live-state.ts';

/** A session that a process has open now. */
export type LiveSession = {
	/** Absent if the process runs an earlier version that does not report its state. */
	readonly state?: LiveState;
	readonly pid: number;
	/** The session's working directory, as untrusted text. */
	readonly pwd: string;
};

/**
Returns the sessions that other terminals can attach to, by their ids. The function asks their processes in parallel and
waits at most a second for each.
*/
export async function liveSessions(env: Env): Promise<ReadonlyMap<string, LiveSession>> {
	const folder = socketFolder(env);
	// Usually no session is open. In this case, the function does not load the code that asks the processes.
	if (folder === undefined || (await readdir(folder).catch(() => [])).length === 0) return new Map();
	const {probeAll} = await import('../../remote/attach/probe.ts');
	const found = await probeAll(folder);
	return new Map(found.map(({hello: {session, state, pid, pwd}}) => [session, {pid, pwd, state}]));
}
