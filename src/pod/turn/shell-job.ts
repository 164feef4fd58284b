import {HistoryError, type Clock, type Delta, type History} from '../../worker/index.ts';
import type {Env} from '../env/env.ts';
import type {Hub} from '../status/hub.ts';
import type {JobEnd} from '../status/job.ts';

export type ShellJobOptions = {
	readonly history: History;
	readonly hub: Hub;
	readonly clock: Clock;
	readonly env: Env;
	readonly cwd: string;
	/** The maximum bytes of kept output. */
	readonly maxBytes: number;
};

/** Runs a user's command beside the conversation. An interrupted turn remains interrupted. */
export async function shellJob(
	{history, hub, clock, env, cwd, maxBytes}: ShellJobOptions,
	command: string,
	signal: AbortSignal,
): Promise<JobEnd> {
	const {runCommand} = await import('../processes/shell.ts');
	try {
		const onDelta = (delta: Delta) => hub.delta(delta);
		const ran = await runCommand(command, {cwd, env, clock, maxBytes, signal, onDelta});
		if (!ran.ok) return {type: 'refused', code: ran.code, sentence: ran.sentence};
		await history.append([ran.item]);
		return {type: 'done'};
	} catch (error) {
		hub.dropTail();
		if (error instanceof HistoryError) return {type: 'unsaved', sentence: error.message};
		throw error;
	}
}
