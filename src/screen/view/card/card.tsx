import type {ReactElement} from 'react';
import {useRows} from '../hooks/use-rows.ts';
import {RowsView} from '../transcript/rows-view.tsx';
import {useFrame} from '../hooks/use-frame.ts';
import {cardLabelOf} from './card-facts.ts';

/** Shows the question: a title, the detail and the choices. */
export function Card(): ReactElement {
	const label = useFrame(({state}) => cardLabelOf(state));
	return <RowsView label={label} rows={useRows(({card}) => card?.rows)} />;
}
