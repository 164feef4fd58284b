import {Box} from 'ink';
import type {ReactElement} from 'react';
import {useRows} from '../hooks/use-rows.ts';
import {FieldRowView} from '../text-field/field-row-view.tsx';

/** Shows the query, the count of its matches, and its keys. */
export function SearchBar(): ReactElement | null {
	const [row] = useRows(({above}) => above.search);
	if (row === undefined) return null;
	return (
		<Box flexShrink={0}>
			<FieldRowView row={row} />
		</Box>
	);
}
