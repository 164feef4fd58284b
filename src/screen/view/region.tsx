import type {ReactElement} from 'react';
import type {Row} from '../spans/row.ts';
import {useRows} from './hooks/use-frame.ts';
import type {Layout} from './layout.ts';
import {RowsView} from './transcript/block-view.tsx';
import {Text, useIsScreenReaderEnabled} from 'ink';
import {useFrame} from './hooks/use-frame.ts';
import {spokenComposer} from './spoken/spoken-composer.ts';

type RegionProps = {
	/** Selects the rows of the region from a frame. */
	readonly of: (frame: Layout) => readonly Row[] | undefined;
	/** The label of the region for a screen reader. */
	readonly label?: string | undefined;
};

/** Shows a region of the screen that consists of rows. */
export function Region({of, label}: RegionProps): ReactElement {
	return <RowsView label={label} rows={useRows(of)} />;
}

/** Shows the draft and the held draft. */
export function Composer(): ReactElement {
	return useIsScreenReaderEnabled() ? <SpokenDraft /> : <Region of={({composer}) => composer.rows} />;
}

function SpokenDraft(): ReactElement {
	return <Text>{useFrame(layout => spokenComposer(layout).lines.join('\n'))}</Text>;
}
