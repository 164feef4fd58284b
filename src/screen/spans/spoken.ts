import {plainText, textOf, type Row} from './row.ts';
import {storedGap} from './links.ts';

/** A line for a screen reader: a whole line, without signs and gutters. */
type SpokenLine = {
	readonly text: string;
	/** Whether the line is the chosen entry of a list. */
	readonly isChosen: boolean;
	/** The index of the row with which the line begins. */
	readonly from: number;
};

/**
Returns the lines that these rows show, without blank rows at both ends. Rows of a wrapped line become one line again.
`whole` includes the text before the line, such as the keys in a list of keys.
*/
export function spokenLines(rows: readonly Row[], whole = false): readonly SpokenLine[] {
	const lines: SpokenLine[] = [];
	for (const [from, row] of rows.entries()) {
		const last = lines.at(-1);
		const text = whole && !row.continued && !isEntry(row) ? plainText(row).trim() : textOf(row);
		if (row.role === 'hint' || (text === '' && last === undefined)) continue;
		if (row.continued && last !== undefined)
			lines[lines.length - 1] = {...last, text: last.text + shownGap(row) + text};
		else lines.push({text: isEntry(row) ? text.trim() : text, isChosen: row.role === 'chosen', from});
	}
	while (lines.at(-1)?.text === '') lines.pop();
	return lines;
}

/** The sign before a list entry marks the chosen one. */
function isEntry({role}: Row): boolean {
	return role === 'chosen' || role === 'choice';
}

/** Returns the spaces that were dropped between a row and the previous one. */
function shownGap(row: Row): string {
	return ' '.repeat(storedGap(row).length);
}
