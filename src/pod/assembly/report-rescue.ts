import {HistoryError, stamp, type Clock, type History} from '../../worker/index.ts';
import type {Hub} from '../status/hub.ts';

/**
Returns a listener for a session that was saved again. It alerts at once, and commits the sentence as a notice. During a
run it waits for the run's end, because a notice would separate the parts of an answer.
*/
export function createRescueReport(
	history: History,
	hub: Pick<Hub, 'alert' | 'renew' | 'status'>,
	clock: Clock,
): (sentence: string) => Promise<void> {
	const commit = async (sentence: string) => {
		const origin = {kind: 'notice', about: 'rescued'};
		const notice = stamp(clock, {type: 'message', role: 'system', text: sentence, origin});
		await history.append([notice]).catch(ignoreUnsaved);
	};
	return async sentence => {
		hub.renew();
		hub.alert({level: 'warn', text: sentence});
		if (hub.status().kind !== 'running') {
			await commit(sentence);
			return;
		}
		const stop = history.observe(({type}) => {
			if (type !== 'run_end') return;
			stop();
			void commit(sentence);
		});
	};
}

/** The next write reports a disk that fails again. */
function ignoreUnsaved(error: unknown): void {
	if (!(error instanceof HistoryError)) throw error;
}
