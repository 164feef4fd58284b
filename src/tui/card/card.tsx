import type {ReactElement} from 'react';
import {useRows} from '../hooks/use-rows.ts';
import {RowsView} from '../transcript/rows-view.tsx';
import {cardLabel} from './texts.ts';

/** Shows the question: a title, the detail and the choices. */
export function Card(): ReactElement {
	return <RowsView label={cardLabel} rows={useRows(({card}) => card?.rows)} />;
}
