import {Box} from 'ink';
import type {ReactElement} from 'react';
import {useRows} from '../hooks/use-frame.ts';
import {RowsView} from '../transcript/block-view.tsx';
import {FieldRowView} from '../text-field/field-row-view.tsx';

/** Shows the query, the number of matches, and the keys. A screen reader also gets the row of the current match. */
export function SearchBar(): ReactElement | null {
	const [row, ...match] = useRows(({above}) => above.search);
	if (row === undefined) return null;
	return (
		<Box flexShrink={0} flexDirection="column">
			<FieldRowView row={row} />
			{match.length > 0 && <RowsView rows={match} />}
		</Box>
	);
}
