import {Text, useIsScreenReaderEnabled} from 'ink';
import type {ReactElement} from 'react';
import {useFrame} from '../hooks/use-frame.ts';
import {Region} from '../region.tsx';
import {statusWords} from './spoken-status.ts';

/** Shows the model, the activity, the directory and the useful keys. */
export function StatusLine(): ReactElement {
	return useIsScreenReaderEnabled() ? <SpokenStatus /> : <Region of={({status}) => status} />;
}

function SpokenStatus(): ReactElement {
	return <Text>{useFrame(({facts}) => statusWords(facts))}</Text>;
}
