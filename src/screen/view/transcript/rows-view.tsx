import {Box, useIsScreenReaderEnabled} from 'ink';
import type {ReactElement} from 'react';
import type {Row} from '../../spans/row.ts';
import {RowView} from './row-view.tsx';
import {SpokenRows} from './spoken-rows.tsx';

/** Shows rows from top to bottom. `label` describes them for a screen reader. */
export function RowsView({rows, label}: {readonly rows: readonly Row[]; readonly label?: string}): ReactElement | null {
	const isReader = useIsScreenReaderEnabled();
	if (isReader) return <SpokenRows rows={rows} label={label} />;
	if (rows.length === 0) return null;
	return (
		<Box flexDirection="column" flexShrink={0}>
			{rows.map((row, index) => (
				<RowView key={index} row={row} />
			))}
		</Box>
	);
}
