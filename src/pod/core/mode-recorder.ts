import type {Clock, History} from '../../worker/index.ts';
import {modeChange, type SessionMode} from '../ground/history/recorded.ts';
import type {CommitBetweenRuns} from './between-runs.ts';

/** Records the settings of the user in the session's history. */
export type ModeRecorder = {
	/** Records the settings soon. The user may pass through several modes to reach one. */
	changed(): void;
	/** Records now what `changed` announced. */
	record(): Promise<void>;
};

type RecorderOptions = {
	readonly history: History;
	readonly clock: Clock;
	readonly commit: CommitBetweenRuns;
	readonly mode: () => SessionMode;
	/** Whether the session is one whose settings are recorded. */
	readonly isRecorded: boolean;
};

/**
Creates the recorder of a session. It records nothing in a session without items, because the first turn does so, and a
session without a message is not kept.
*/
export function createModeRecorder({history, clock, commit, mode, isRecorded}: RecorderOptions): ModeRecorder {
	let timer: NodeJS.Timeout | undefined;
	const record = async () => {
		if (timer === undefined) return;
		clearTimeout(timer);
		timer = undefined;
		if (isRecorded && history.items.length > 0) await commit(() => modeChange(history, mode(), clock));
	};
	return {
		changed() {
			clearTimeout(timer);
			timer = setTimeout(() => void record(), delay).unref();
		},
		record,
	};
}

/** The delay before a mode is recorded, in milliseconds. */
const delay = 500;
