import type {ReactElement} from 'react';
import {useRows} from '../hooks/use-rows.ts';
import {RowsView} from './rows-view.tsx';

/** Says how much is new below the screen. */
export function Pill(): ReactElement {
	return <RowsView rows={useRows(({pill}) => pill)} />;
}
