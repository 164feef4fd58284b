import type {Compacted, Compaction} from '../../context/compaction/automatic.ts';
import type {Refusal} from '../../protocol.ts';
import type {JobEnd} from '../status/job.ts';
import type {Recovery} from './recovery.ts';
import type {DirectoryConfirmed} from './working-directory.ts';
import {HistoryError, type Clock, type Delta, type History, type Item} from '../../../worker/index.ts';
import type {Env} from '../../ground/env/env.ts';
import type {CommandOptions} from '../../tools/processes/shell.ts';
import type {Hub} from '../status/hub.ts';

type CompactJobOptions = {
	readonly recovery: Recovery;
	readonly confirmDirectory: (signal: AbortSignal) => Promise<DirectoryConfirmed>;
	readonly compaction: Pick<Compaction, 'compact'>;
};

/** Compacts the context on the user's request. A stopped compaction does not change the history. */
export async function compactJob(
	{recovery, confirmDirectory, compaction}: CompactJobOptions,
	hint: string | undefined,
	signal: AbortSignal,
): Promise<JobEnd> {
	return recovery.orUnsaved(async () => {
		const confirmed = await confirmDirectory(signal);
		if (!confirmed.ok) return {type: 'refused', code: confirmed.code, sentence: confirmed.sentence};
		return endOf(await compaction.compact(hint, signal));
	});
}

/**
Runs a user's command outside of a turn. An interrupted turn stays interrupted. History contains the command from its
start, and its output after it has ended. If the start cannot be saved, the command does not run. `id`: the command's id
in the queue.
*/
export async function shellJob(
	{history, hub, clock, env, cwd, maxBytes, launch}: ShellJobOptions,
	command: string,
	signal: AbortSignal,
	id?: string,
): Promise<JobEnd> {
	const {runCommand} = await import('../../tools/processes/shell.ts');
	const onStart = async (item: Item) => history.append([item]);
	const onDelta = (delta: Delta) => hub.delta(delta);
	try {
		const ran = await runCommand(command, {
			cwd,
			env,
			clock,
			maxBytes,
			signal,
			id,
			launch,
			onStart,
			onDelta,
		});
		if (!ran.ok) return {type: 'refused', code: ran.code, sentence: ran.sentence};
		await history.append([ran.item]);
		return {type: 'done'};
	} catch (error) {
		hub.dropTail();
		if (error instanceof HistoryError) return {type: 'unsaved', sentence: error.message};
		throw error;
	}
}

function endOf(done: Compacted): JobEnd {
	if (done.ok) return {type: 'done'};
	return done.reason === 'unsaved'
		? {type: 'unsaved', sentence: done.sentence}
		: {type: 'refused', code: refusals[done.reason], sentence: done.sentence};
}

const refusals = {nothing: 'empty', aborted: 'aborted', hook: 'hook', failed: 'compaction'} as const satisfies {
	readonly [Reason in Exclude<Extract<Compacted, {ok: false}>['reason'], 'unsaved'>]: Refusal;
};

type ShellJobOptions = {
	readonly history: History;
	readonly hub: Hub;
	readonly clock: Clock;
	readonly env: Env;
	readonly cwd: string;
	/** The maximum number of bytes of output that inkpod stores. */
	readonly maxBytes: number;
	/** Confines the command. */
	readonly launch?: CommandOptions['launch'];
};
