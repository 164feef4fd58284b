import {t} from '../../../language/index.ts';

/** The texts of a replay. */
export const replayTexts = {
	readOnly: t`This is a replay: nothing can be changed.`,
	noChildren: t`Child sessions cannot be opened in a replay.`,
} as const;
