import type {Compacted, Compaction} from '../../context/compaction/automatic.ts';
import type {Refusal} from '../../protocol.ts';
import type {JobEnd} from '../status/job.ts';
import type {Recovery} from './recovery.ts';
import type {DirectoryConfirmed} from './working-directory.ts';

type CompactJobOptions = {
	readonly recovery: Recovery;
	readonly confirmDirectory: (signal: AbortSignal) => Promise<DirectoryConfirmed>;
	readonly compaction: Pick<Compaction, 'compact'>;
};

/** Compacts the context on the user's request. A stopped compaction leaves no trace. */
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

function endOf(done: Compacted): JobEnd {
	if (done.ok) return {type: 'done'};
	return done.reason === 'unsaved'
		? {type: 'unsaved', sentence: done.sentence}
		: {type: 'refused', code: refusals[done.reason], sentence: done.sentence};
}

const refusals = {nothing: 'empty', aborted: 'aborted', hook: 'hook', failed: 'compaction'} as const satisfies {
	readonly [Reason in Exclude<Extract<Compacted, {ok: false}>['reason'], 'unsaved'>]: Refusal;
};
