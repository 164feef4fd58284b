import type {ReactElement} from 'react';
import {useRows} from '../hooks/use-rows.ts';
import {RowsView} from '../transcript/rows-view.tsx';

/** What can complete the path, command or workflow that is being written. */
export function CompletionPopup(): ReactElement {
	return <RowsView rows={useRows(({above}) => above.completion)} />;
}
