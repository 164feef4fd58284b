import {t} from '../../language/index.ts';
import type {ItemOf} from '../../worker/index.ts';

/** Says in one line what the user set for a session. The folders are untrusted text. */
export function modeText({approval = 'ask', readOnly, addDirs = [], limits}: ItemOf<'mode'>): string {
	return [
		t`Approval: ${approval}`,
		...(readOnly === true ? [t`read-only`] : []),
		...(addDirs.length > 0 ? [t`also reads ${addDirs.join(', ')}`] : []),
		...(limits?.maxTurns === undefined ? [] : [t`at most ${limits.maxTurns} requests in a turn`]),
		...(limits?.maxCost === undefined ? [] : [t`at most $${limits.maxCost} for the session`]),
	].join(' · ');
}
