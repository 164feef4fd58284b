import type {ReactElement} from 'react';
import {useRows} from '../hooks/use-rows.ts';
import {RowsView} from '../transcript/rows-view.tsx';

/** Shows the messages that are queued or being sent to the pod. */
export function Queue(): ReactElement {
	return <RowsView rows={useRows(({queue}) => queue)} />;
}
