import type {History} from '../../../worker/index.ts';
import type {Receipt, Status} from '../../protocol.ts';
import type {Hub} from '../status/hub.ts';
import {accepted, type Jobs} from '../status/job.ts';
import type {Boundary} from '../turn/boundary.ts';
import {notRestingText} from './texts.ts';

export type TransferPauseOptions = {
	readonly hub: Hub;
	readonly history: History;
	readonly boundary: Boundary;
};

/** Brings a session to rest for another process, which continues it. */
type TransferPause = {
	/**
	Pauses the run at its next boundary, and resolves when nothing runs. No queued message is sent then. A run that only
	waits for an answer of the user, or for a retry, is paused at once. `isCancelled` takes the request back.
	*/
	rest(isCancelled: boolean): Promise<Receipt>;
	readonly isResting: () => boolean;
};

export function createTransferPause({hub, history, boundary}: TransferPauseOptions, jobs: Jobs): TransferPause {
	let cancel: (() => void) | undefined;

	async function untilRest(): Promise<boolean> {
		const cancelled = Promise.withResolvers<false>();
		cancel = () => cancelled.resolve(false);
		const unsubscribe = hub.subscribe(event => {
			if ('status' in event && isOnlyWaiting(event.status, history)) void jobs.stop('pause');
		});
		try {
			for (let job = jobs.current(); job !== undefined; job = jobs.current()) {
				const ended = await Promise.race([job.ended.then(() => true as const), cancelled.promise]);
				if (!ended) return false;
			}
			return true;
		} finally {
			unsubscribe();
			cancel = undefined;
		}
	}

	return {
		isResting: boundary.isWanted,
		async rest(isCancelled) {
			boundary.want(!isCancelled);
			cancel?.();
			if (isCancelled || (await untilRest())) return accepted;
			return {accepted: false, code: 'aborted', sentence: notRestingText};
		},
	};
}

/** Tells whether a run waits for the user or for a retry, and no call is being executed. */
function isOnlyWaiting({kind, asks, retryAt, calls = []}: Status, history: History): boolean {
	if (kind !== 'running') return false;
	if (retryAt !== undefined) return true;
	return asks.length > 0 && calls.every(({callId}) => isAnswered(callId, history));
}

function isAnswered(callId: string, {items}: History): boolean {
	return items.some(item => item.type === 'tool_result' && item.callId === callId);
}
