import {Text} from 'ink';
import {memo, type ReactElement} from 'react';
import {useTheme} from '../hooks/use-theme.ts';
import {isSameMarks, paintRow, type Mark} from '../../spans/paint-row.ts';
import {isSameRow, type Row} from '../../spans/row.ts';

type RowViewProps = {readonly row: Row; readonly marks?: readonly Mark[] | undefined};

/** Shows one row of spans and paints it. Within a frame, React renders only the rows that changed. */
export const RowView = memo(function RowView({row, marks}: RowViewProps): ReactElement {
	const ansi = paintRow(row, useTheme(), marks);
	return <Text wrap="truncate">{ansi === '' ? ' ' : ansi}</Text>;
}, isSameView);

function isSameView(one: RowViewProps, other: RowViewProps): boolean {
	return isSameRow(one.row, other.row) && isSameMarks(one.marks, other.marks);
}
