import {Box} from 'ink';
import type {ReactElement} from 'react';
import type {Row} from '../text/row.ts';
import {RowView} from './row-view.tsx';

/** Rows from top to bottom, as many as there are. */
export function RowsView({rows}: {readonly rows: readonly Row[]}): ReactElement | null {
	if (rows.length === 0) return null;
	return (
		<Box flexDirection="column" flexShrink={0}>
			{rows.map((row, index) => <RowView key={index} row={row} />)}
		</Box>
	);
}
