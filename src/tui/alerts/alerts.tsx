import type {ReactElement} from 'react';
import {useRows} from '../hooks/use-rows.ts';
import {RowsView} from '../transcript/rows-view.tsx';

/** What happened that you should know, the latest last. */
export function Alerts(): ReactElement {
	return <RowsView rows={useRows(({alerts}) => alerts)} />;
}
