import {t} from '../../../language/index.ts';

export const promptHistoryLabel = t`Prompts: `;

/** In a key hint, these words follow the name of a key. */
export const promptHistoryKeys = {
	use: t`use`,
	close: t`close`,
	everywhere: t`all projects`,
	here: t`this project`,
} as const;

export const searching = t`searching…`;
export const noPrompts = t`no match`;

/**
`at` is the position of the marked prompt, counted from 1. `total` prompts match, and `shown` of them are in the list.
*/
export function promptCount(at: number, shown: number, total: number): string {
	return shown < total ? t`${at} of ${shown} (${total.toLocaleString('en')} matches)` : t`${at} of ${total}`;
}

export function promptHistoryFailed(reason: string): string {
	return t`Earlier prompts could not be read: ${reason}`;
}
