import type {ReactElement} from 'react';
import {useRows} from '../hooks/use-rows.ts';
import {RowsView} from '../transcript/rows-view.tsx';

/** What Enter would do with the draft while a card is up. */
export function CardHint(): ReactElement {
	return <RowsView rows={useRows(({above}) => above.hint)} />;
}
