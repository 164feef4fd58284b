import {Box} from 'ink';
import type {ReactElement} from 'react';
import type {Layout} from '../layout.ts';
import {useFrame} from '../hooks/use-frame.ts';
import {isSameMarks} from '../text/paint-row.ts';
import {isSameRow} from '../text/row.ts';
import {RowView} from './row-view.tsx';
import type {VisibleRow} from './viewport.ts';

/** The blocks that are on the screen, row by row; or what covers them: a page, or the welcome of an empty session. */
export function Transcript(): ReactElement {
	const height = useFrame(({transcriptHeight}) => transcriptHeight);
	const rows = useFrame(shownRows, isSameRows);
	return (
		<Box flexDirection="column" flexShrink={0} height={height}>
			{rows.map(({key, row, marks}) => <RowView key={key} row={row} marks={marks} />)}
		</Box>
	);
}

type ShownRow = Pick<VisibleRow, 'key' | 'row' | 'marks'>;

function shownRows({page, transcript, welcome}: Layout): readonly ShownRow[] {
	if (page === undefined && transcript.rows.length > 0) return transcript.rows;
	return (page ?? welcome).map((row, index) => ({key: String(index), row}));
}

function isSameRows(one: readonly ShownRow[], other: readonly ShownRow[]): boolean {
	return one.length === other.length && one.every(({key, row, marks}, index) => {
		const next = other[index]!;
		return key === next.key && isSameRow(row, next.row) && isSameMarks(marks, next.marks);
	});
}
