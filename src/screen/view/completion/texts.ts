import {t} from '../../../language/index.ts';

export const noMatches = t`No matching files or directories.`;
export const indexing = t`indexing…`;
export const searching = t`searching…`;
export const openingSession = t`Opening the session…`;

export function completionFailed(reason: string): string {
	return t`Completion failed: ${reason}`;
}
