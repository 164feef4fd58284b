import {plainText, textOf, type Row} from './row.ts';
import {storedGap} from './links.ts';

/** A whole line for a screen reader, without signs and gutters. */
type SpokenLine = {
	readonly text: string;
	/** Whether the line is the highlighted entry of a list. */
	readonly isChosen: boolean;
	/** The index of the first row of the line. */
	readonly from: number;
};

/**
Returns the lines that rows show, without blank lines at both ends. The rows of a wrapped line are joined. With `whole`,
lines also contain their gutters, such as the keys in a list of keys.
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

/**
Tells whether a row is an entry of a list. The gutter of an entry is never read, because it contains only the sign of
the highlighted entry.
*/
function isEntry({role}: Row): boolean {
	return role === 'chosen' || role === 'choice';
}

/** Returns the spaces that wrapping removed between a row and the previous row. */
function shownGap(row: Row): string {
	return ' '.repeat(storedGap(row).length);
}
