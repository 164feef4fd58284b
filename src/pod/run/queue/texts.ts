import {t} from '../../../language/index.ts';

export const queueTexts = {
	full: t`The queue is full.`,
	notBegun: t`Not queued: the turn had ended before the session was saved.`,
	gone: t`This message is not in the queue any more.`,
};
