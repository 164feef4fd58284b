import type {ReactElement} from 'react';
import type {Row} from '../spans/row.ts';
import {useRows} from './hooks/use-rows.ts';
import type {Layout} from './layout.ts';
import {RowsView} from './transcript/rows-view.tsx';

type RegionProps = {
	/** Selects the rows of the region from a frame. */
	readonly of: (frame: Layout) => readonly Row[] | undefined;
	/** What the rows are, for a screen reader. */
	readonly label?: string | undefined;
};

/** Shows a region of the screen that consists of rows. */
export function Region({of, label}: RegionProps): ReactElement {
	return <RowsView label={label} rows={useRows(of)} />;
}
