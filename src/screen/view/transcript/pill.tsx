import {useIsScreenReaderEnabled} from 'ink';
import type {ReactElement} from 'react';
import {useRows} from '../hooks/use-rows.ts';
import {RowsView} from './rows-view.tsx';

/** Counts the new blocks below the screen. In the screen reader mode it is hidden, because new text is read anyway. */
export function Pill(): ReactElement {
	const isSpoken = useIsScreenReaderEnabled();
	return <RowsView rows={useRows(({pill}) => (isSpoken ? undefined : pill))} />;
}
