import type {ReactElement} from 'react';
import {useRows} from '../hooks/use-rows.ts';
import {RowsView} from '../transcript/rows-view.tsx';

/** Shows completions for the path, command or workflow at the caret. */
export function CompletionPopup(): ReactElement {
	return <RowsView rows={useRows(({above}) => above.completion)} />;
}
