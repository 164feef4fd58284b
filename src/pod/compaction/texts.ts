/** The texts that a user reads about compactions. */
export const compactionTexts = {
	nothing: 'Nothing to compact yet.',
	aborted: 'Compaction interrupted. Nothing has changed.',
	notSmaller: 'The summary would not have made the context smaller.',
	notMade: 'The summary was not written.',
	truncated: 'The server read only the end of the part to summarise.',
	notFitting: 'The files read for the summary do not fit into the model’s context window.',
	/** `cause`: the reason why the last answer is incomplete. */
	noSummary: (cause = '') => `The model returned no summary.${cause === '' ? '' : ` ${cause}`}`,
	tooSmall: (threshold: number) =>
		`The context has passed ${percent(threshold)} of the model’s window, but there is too little to summarise.`,
	failed: (reason: string) => `Compaction failed: ${reason}`,
	off: (times: number) =>
		`Compaction failed ${times} times in a row, so automatic compaction is off in this session. Use /compact.`,
	summaryRefused: (reason: string) => `No summary was written: ${reason}`,
	tooManyRequests: (max: number) => `The summary took more than ${max} requests.`,
	tooMuchInput: (max: number) => `The summary took more than ${max} tokens of input.`,
};

function percent(share: number): string {
	return `${Math.round(share * 100)}%`;
}
