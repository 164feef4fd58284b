import type {ReactElement} from 'react';
import {useRows} from '../hooks/use-rows.ts';
import {RowsView} from '../transcript/rows-view.tsx';

/** The model, what goes on, where, and the keys that matter now. */
export function StatusLine(): ReactElement {
	return <RowsView rows={useRows(({status}) => status)} />;
}
