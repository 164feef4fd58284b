import {Text, useIsScreenReaderEnabled} from 'ink';
import type {ReactElement} from 'react';
import {useFrame} from './hooks/use-frame.ts';
import {useRows} from './hooks/use-rows.ts';
import {spokenComposer} from './spoken/spoken-composer.ts';
import {RowsView} from './transcript/rows-view.tsx';

/** Shows the draft and the submission that is being sent. */
export function Composer(): ReactElement {
	return useIsScreenReaderEnabled() ? <SpokenDraft /> : <ShownDraft />;
}

function ShownDraft(): ReactElement {
	return <RowsView rows={useRows(({composer}) => composer.rows)} />;
}

function SpokenDraft(): ReactElement {
	return <Text>{useFrame(layout => spokenComposer(layout).lines.join('\n'))}</Text>;
}
