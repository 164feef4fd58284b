import {makeRow, type Row} from '../text/row.ts';
import type {Span} from '../text/span.ts';

/** The row of a field: what it asks for, what is written in it, and what follows. */
export type FieldRow = Row & {readonly spans: readonly [label: Span, text: Span, after: Span]};

/** The spans are inert and fit already. */
export function fieldRow(label: Span, text: Span, after: Span = {text: ''}): FieldRow {
	return {...makeRow([]), spans: [label, text, after]};
}
