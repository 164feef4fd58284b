import type {ReactElement} from 'react';
import {useRows} from './hooks/use-rows.ts';
import {RowsView} from './transcript/rows-view.tsx';

/** Sets a card apart from the transcript. */
export function CardRule(): ReactElement {
	return <RowsView rows={useRows(({cardRule}) => cardRule)} />;
}

/** Sets the composer, and what belongs to it, apart from the rest of the screen. */
export function ComposerRule(): ReactElement {
	return <RowsView rows={useRows(({rule}) => rule)} />;
}
