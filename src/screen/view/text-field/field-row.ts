import {makeRow, type Row} from '../../spans/row.ts';
import type {Span} from '../../../text/span.ts';

/** The row of a field: its label, its text and a text after them. */
export type FieldRow = Row & {readonly spans: readonly [label: Span, text: Span, after: Span]};

/** Returns the row of a field. The spans must already be inert and fit. */
export function fieldRow(label: Span, text: Span, after: Span = {text: ''}): FieldRow {
	return {...makeRow([]), spans: [label, text, after]};
}
