import type {ReactElement} from 'react';
import {useRows} from '../hooks/use-rows.ts';
import {RowsView} from '../transcript/rows-view.tsx';

/** Lists the texts to open in the pager or the editor. */
export function Opener(): ReactElement {
	return <RowsView rows={useRows(({above}) => above.opener)} />;
}
