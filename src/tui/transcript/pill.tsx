import {useIsScreenReaderEnabled} from 'ink';
import type {ReactElement} from 'react';
import {useRows} from '../hooks/use-rows.ts';
import {RowsView} from './rows-view.tsx';

/** Says how much is new below the screen. A screen reader says what is new by itself. */
export function Pill(): ReactElement {
	const isSpoken = useIsScreenReaderEnabled();
	return <RowsView rows={useRows(({pill}) => (isSpoken ? undefined : pill))} />;
}
