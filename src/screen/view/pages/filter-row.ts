import {fieldText, viewField, type Field} from '../../model/field-state.ts';
import {pageHints} from '../../model/pages/texts.ts';
import {cut, width} from '../../../text/width.ts';
import {textRow, type Row} from '../../spans/row.ts';
import {fieldRow, type FieldRow} from '../text-field/field-row.ts';

/** The index of the row with the page's field, counted from 0. */
export const filterAt = 1;

/** The parts of a field's row: the text before the field, and the text that an empty field shows. */
type FilterLook = {readonly label?: string; readonly hint?: string};

/** Returns the row with the field of a page. */
export function filterRow(
	field: Field,
	columns: number,
	{label = filterSign, hint = pageHints.search}: FilterLook = {},
): FieldRow {
	const room = Math.max(0, columns - width(label));
	return fieldRow(
		{text: cut(label, columns), style: 'accent'},
		{text: cut(viewField(field, room).text, room)},
		{text: fieldText(field) === '' ? cut(hint, room, '…') : '', style: 'dim'},
	);
}

/** Returns the position of the cursor in the field of a page. */
export function filterCaret(
	field: Field,
	columns: number,
	label = filterSign,
): {readonly x: number; readonly y: number} {
	const start = width(label);
	return {x: start + viewField(field, columns - start).caret, y: filterAt};
}

/** Returns the row of a list without a match. */
export function noMatchRow(columns: number): Row {
	return textRow(cut(pageHints.noMatch, columns, '…'), 'dim');
}

/** The sign before the field. For a screen reader, a word replaces it. */
export const filterSign = '❯ ';
