import {useIsScreenReaderEnabled} from 'ink';
import type {ReactElement} from 'react';
import {useRows} from '../hooks/use-rows.ts';
import {RowsView} from '../transcript/rows-view.tsx';

/** What happened that you should know, the latest last. A screen reader says it once, with the transcript. */
export function Alerts(): ReactElement {
	const isSpoken = useIsScreenReaderEnabled();
	return <RowsView rows={useRows(({alerts}) => (isSpoken ? undefined : alerts))} />;
}
