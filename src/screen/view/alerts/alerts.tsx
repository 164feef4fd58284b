import {useIsScreenReaderEnabled} from 'ink';
import type {ReactElement} from 'react';
import {useRows} from '../hooks/use-rows.ts';
import {RowsView} from '../transcript/rows-view.tsx';

/** Shows the latest alerts. A screen reader reads each alert once, with the transcript. */
export function Alerts(): ReactElement {
	const isSpoken = useIsScreenReaderEnabled();
	return <RowsView rows={useRows(({alerts}) => (isSpoken ? undefined : alerts))} />;
}
