import {t} from '../../../language/index.ts';

/** Why a conversation is not in an export. */
export const belongingTexts = {
	missing: t`Its history is missing.`,
	tooLarge: t`Left out, because the export would be too large. Export a bundle to keep everything.`,
} as const;
