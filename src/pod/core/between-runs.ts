import {HistoryError, type History, type Item} from '../../worker/index.ts';
import type {Hub} from '../run/status/hub.ts';

/** Commits the items that `create` returns, between two runs. `create` is called at the time of the commit. */
export type CommitBetweenRuns = (create: () => readonly Item[]) => Promise<void>;

/**
Returns a function that commits items that do not belong to a run. During a run, these items wait for its end, because
they would separate the parts of an answer. The function resolves when the items are durable, or when they wait for the
end of the run. It ignores write errors, because the next write reports them again.
*/
export function commitBetweenRuns(history: History, hub: Pick<Hub, 'status'>): CommitBetweenRuns {
	const commit = async (create: () => readonly Item[]) => {
		await history.append(create()).catch(ignoreUnsaved);
	};
	return async create => {
		if (hub.status().kind !== 'running') {
			await commit(create);
			return;
		}
		const stop = history.observe(({type}) => {
			if (type !== 'run_end') return;
			stop();
			void commit(create);
		});
	};
}

function ignoreUnsaved(error: unknown): void {
	if (!(error instanceof HistoryError)) throw error;
}
