import type {ReactElement} from 'react';
import {useRows} from '../hooks/use-rows.ts';
import {RowsView} from '../transcript/rows-view.tsx';

/** The draft, and what is being sent. */
export function Composer(): ReactElement {
	return <RowsView rows={useRows(({composer}) => composer.rows)} />;
}
