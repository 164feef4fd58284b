import type {ReactElement} from 'react';
import {useRows} from '../hooks/use-rows.ts';
import {RowsView} from '../transcript/rows-view.tsx';

/** The query, the count of its matches, and its keys. */
export function SearchBar(): ReactElement {
	return <RowsView rows={useRows(({above}) => above.search)} />;
}
