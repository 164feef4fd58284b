import type {ReactElement} from 'react';
import {useRows} from '../hooks/use-rows.ts';
import {RowsView} from '../transcript/rows-view.tsx';

/** Messages that wait, or are on their way to the pod. */
export function Queue(): ReactElement {
	return <RowsView rows={useRows(({queue}) => queue)} />;
}
