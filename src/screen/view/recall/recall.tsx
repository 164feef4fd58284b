import type {ReactElement} from 'react';
import {useRows} from '../hooks/use-rows.ts';
import {RowsView} from '../transcript/rows-view.tsx';

/** Lists the earlier prompts that match the query above it. */
export function Recall(): ReactElement {
	return <RowsView rows={useRows(({above}) => above.recall)} />;
}
