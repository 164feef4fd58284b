import type {ReactElement} from 'react';
import {useRows} from '../hooks/use-rows.ts';
import {RowsView} from '../transcript/rows-view.tsx';

/** What is asked: a title, the detail, and the choices. */
export function Card(): ReactElement {
	return <RowsView label="Approval needed" rows={useRows(({card}) => card?.rows)} />;
}
