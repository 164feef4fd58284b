import {Text, useIsScreenReaderEnabled} from 'ink';
import type {ReactElement} from 'react';
import {useFrame} from './hooks/use-frame.ts';
import {spokenComposer} from './spoken/spoken-composer.ts';
import {Region} from './region.tsx';

/** Shows the draft and the submission that is being sent. */
export function Composer(): ReactElement {
	return useIsScreenReaderEnabled() ? <SpokenDraft /> : <Region of={({composer}) => composer.rows} />;
}

function SpokenDraft(): ReactElement {
	return <Text>{useFrame(layout => spokenComposer(layout).lines.join('\n'))}</Text>;
}
