import {makeRow, type Row} from '../../spans/row.ts';
import type {Span} from '../../../text/span.ts';

/** The row of a field: a label, the field's text and another text at the end. */
export type FieldRow = Row & {readonly spans: readonly [label: Span, text: Span, after: Span]};

/** Returns the row of a field. The caller must have sanitized the spans and cut them to fit. */
export function fieldRow(label: Span, text: Span, after: Span = {text: ''}): FieldRow {
	return {...makeRow([]), spans: [label, text, after]};
}
