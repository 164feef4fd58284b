import type {ReactElement} from 'react';
import {useRows} from '../hooks/use-rows.ts';
import {RowsView} from '../transcript/rows-view.tsx';

/** What each file of the draft will become, and what it costs. */
export function Preflight(): ReactElement {
	return <RowsView rows={useRows(({above}) => above.preflight)} />;
}
