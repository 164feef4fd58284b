import {invisibleClass} from '../../pod/first-frame.ts';
import {width} from '../../text/width.ts';

/** `process.stdout`, or a stub in tests. */
export type Output = {readonly write: (text: string) => unknown};

/**
Returns JSON that is safe to print and parses to the same value. Characters that a terminal may act on or does not draw
are escaped. `indent` sets the spaces per level. By default the JSON is one line.
*/
export function inertJson(value: unknown, indent?: number): string {
	return inertJsonText(JSON.stringify(value, undefined, indent));
}

/** Returns JSON that is safe to print and parses to the same value as `json`. */
export function inertJsonText(json: string): string {
	return json.replaceAll(special, escaped);
}

/** Returns the width of the widest text in each of the first `count` columns. The number of rows is not limited. */
export function columnWidths(rows: ReadonlyArray<readonly string[]>, count: number): readonly number[] {
	return Array.from({length: count}, (_, column) =>
		rows.reduce((widest, row) => Math.max(widest, width(row[column] ?? '')), 0),
	);
}

const special = new RegExp(String.raw`[\u007f-\u009f${invisibleClass}]`, 'gu');

function escaped(character: string): string {
	return Array.from(
		{length: character.length},
		(_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
	).join('');
}
