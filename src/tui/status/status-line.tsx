import {Text, useIsScreenReaderEnabled} from 'ink';
import type {ReactElement} from 'react';
import {useFrame} from '../hooks/use-frame.ts';
import {useRows} from '../hooks/use-rows.ts';
import {RowsView} from '../transcript/rows-view.tsx';
import {statusWords} from './status-line.ts';

/** The model, what goes on, where, and the keys that matter now. */
export function StatusLine(): ReactElement {
	return useIsScreenReaderEnabled() ? <SpokenStatus /> : <ShownStatus />;
}

function ShownStatus(): ReactElement {
	return <RowsView rows={useRows(({status}) => status)} />;
}

function SpokenStatus(): ReactElement {
	return <Text>{useFrame(({facts}) => statusWords(facts))}</Text>;
}
