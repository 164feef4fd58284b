import {en, t} from '../../../language/index.ts';

/** The texts that a user reads about compactions. */
export const compactionTexts = {
	/** `retained`: the number of tokens at the end of the context that are always kept. */
	nothing: (retained: number) =>
		t`Nothing to compact yet: the last ${retained.toLocaleString('en')} tokens always stay.`,
	aborted: t`Compaction interrupted. Nothing has changed.`,
	notSmaller: t`The summary would not have made the context smaller.`,
	notMade: t`The summary was not written.`,
	truncated: en`The server read only the end of the part to summarise.`,
	notFitting: en`The files read for the summary do not fit into the model’s context window.`,
	/** `cause`: the reason why the model's last answer is incomplete. */
	noSummary: (cause = '') => t`The model returned no summary.${cause === '' ? '' : ` ${cause}`}`,
	tooSmall: (threshold: number) =>
		t`The context has passed ${percent(threshold)} of the model’s window, but there is too little to summarise.`,
	failed: (reason: string) => t`Compaction failed: ${reason}`,
	off: (times: number) =>
		t`Compaction failed ${times} times in a row, so automatic compaction is off in this session. Use /compact.`,
	summaryRefused: (reason: string) => t`No summary was written: ${reason}`,
	tooManyRequests: (max: number) => en`The summary took more than ${max} requests.`,
	tooMuchInput: (max: number) => en`The summary took more than ${max} tokens of input.`,
};

function percent(share: number): string {
	return `${Math.round(share * 100)}%`;
}
