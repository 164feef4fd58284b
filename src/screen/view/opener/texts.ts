import {t} from '../../../language/index.ts';

export const nothingToOpen = t`Nothing to open here.`;
export const changesDiscarded = t`Your changes were discarded: you edited a copy, and stored items never change.`;

export function openedInLess(instead: string): string {
	return t`The text contains control characters. less shows it, because ${instead} may pass them on to the terminal.`;
}

export function openTitle(way: string, at: number, count: number): string {
	return t`View raw in ${way} · ${at} of ${count} · Enter open · Esc close`;
}
