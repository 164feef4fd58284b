import {t} from '../../../language/index.ts';

export const searchLabel = t`Search: `;

/** In a key hint, these words follow the name of a key. */
export const searchKeys = {step: t`previous/next`, confirm: t`confirm`, close: t`close`} as const;

/** The key hints while keys move between matches. */
export const matchKeys = [t`n next`, t`N previous`, t`/ edit`] as const;

export const noMatch = t`no match`;
export const searching = t`searching…`;
export const hiddenMatch = t` (hidden in this view)`;

export function matchOf(at: number, count: string): string {
	return t`${at} of ${count}`;
}
