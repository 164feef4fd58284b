import type {ReactElement} from 'react';
import {useRows} from '../hooks/use-rows.ts';
import {RowsView} from '../transcript/rows-view.tsx';

/** Shows the forecast of each file in the draft, and its cost. */
export function Preflight(): ReactElement {
	return <RowsView rows={useRows(({above}) => above.preflight)} />;
}
