/** The texts of notifications on the desktop. */
export const desktopTexts = {
	ended: 'The turn has ended.',
	interrupted: 'The turn was interrupted.',
} as const;

/** `question` is the title of the card. */
export function approvalNeeded(question: string): string {
	return `Approval needed: ${question}`;
}
