export const recallTexts = {
	notStored: (why: string) => `Your prompts are not stored for later sessions. ${why}`,
} as const;
