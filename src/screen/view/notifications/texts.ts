import {t} from '../../../language/index.ts';

/** The texts of notifications on the desktop. */
export const desktopTexts = {
	ended: t`The turn has ended.`,
	interrupted: t`The turn was interrupted.`,
} as const;

/** `question` is the title of the card. */
export function approvalNeeded(question: string): string {
	return t`Approval needed: ${question}`;
}
