import {plainText, textOf, type Row} from './row.ts';
import {storedGap} from './stored/stored-text.ts';

/** A line as a screen reader says it: whole, without signs and gutters. */
export type SpokenLine = {
	readonly text: string;
	/** Whether it is the chosen entry of a list. */
	readonly isChosen: boolean;
	/** The row that it begins with. */
	readonly from: number;
};

/**
The lines of rows, from the first one that is not blank to the last one. What was wrapped is one line again.
`whole`: what is before the text is said, too, as the keys of a list of keys.
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

/** The sign before an entry of a list says which one is chosen. */
function isEntry({role}: Row): boolean {
	return role === 'chosen' || role === 'choice';
}

/** The spaces between a row and the one before it. */
function shownGap(row: Row): string {
	return ' '.repeat(storedGap(row).length);
}
