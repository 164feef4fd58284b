import {t} from '../../language/index.ts';

/**
Returns the placeholder of an empty composer. `newline` is the key for a newline. The placeholder is short after the
first message (`isFirst` is false).
*/
export function placeholder(newline: string | undefined, isFirst: boolean): string {
	if (!isFirst) return t`Ask anything`;
	return [
		t`Ask anything`,
		t`@file to attach`,
		...(newline === undefined ? [] : [t`${newline} newline`]),
		t`/help`,
	].join(' · ');
}

export const sending = t`sending…`;

/**
Returns the text of a paste chip. For a paste of one line it contains the number of characters instead of the number of
lines.
*/
export function pasteChip(id: string, lines: number, chars: number): string {
	return t`[paste #${id}: ${pasteSize(lines, chars)}]`;
}

export function pasteSize(lines: number, chars: number): string {
	return lines === 1 ? t`${chars.toLocaleString('en')} characters` : t`${lines.toLocaleString('en')} lines`;
}

/** The names of vim's modes in the status line. */
export const modeNames = {
	normal: t`NORMAL`,
	insert: t`INSERT`,
	replace: t`REPLACE`,
	visual: t`VISUAL`,
	'visual line': t`VISUAL LINE`,
};
