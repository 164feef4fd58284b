import type {ReactElement} from 'react';
import {useRows} from '../hooks/use-rows.ts';
import {RowsView} from '../transcript/rows-view.tsx';

/** Shows what Enter does with the draft while a card is open. */
export function CardHint(): ReactElement {
	return <RowsView rows={useRows(({above}) => above.hint)} />;
}
