import {t} from '../../../language/index.ts';

export const promptHistoryTexts = {
	notStored: (why: string) => t`Your prompts are not stored for later sessions. ${why}`,
} as const;
