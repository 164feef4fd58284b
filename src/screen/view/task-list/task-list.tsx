import type {ReactElement} from 'react';
import {useRows} from '../hooks/use-rows.ts';
import {RowsView} from '../transcript/rows-view.tsx';

/** Shows the model's list of tasks while a run is in progress. */
export function TaskList(): ReactElement {
	return <RowsView rows={useRows(({tasks}) => tasks)} />;
}
