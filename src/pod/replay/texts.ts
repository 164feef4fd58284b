/** The texts of a replay. */
export const replayTexts = {
	readOnly: 'This is a replay: nothing can be changed.',
	noChildren: 'Child sessions cannot be opened in a replay.',
} as const;
