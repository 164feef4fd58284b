import {Box, useIsScreenReaderEnabled} from 'ink';
import type {ReactElement} from 'react';
import type {BlockKind, BlockOf} from '../../../transcript/block.ts';
import {RowView} from './row-view.tsx';
import type {Phase} from '../../../transcript/phase.ts';
import {blockText, type BlockLabel} from '../../rows/spoken/spoken-block.ts';
import type {VisibleRow} from '../../rows/viewport/visible-rows.ts';

/** The props of a block's component. `phase` and `isContinued` are for screen readers. */
export type BlockProps<Kind extends BlockKind = BlockKind> = {
	readonly block: BlockOf<Kind>;
	/** The visible rows of the block. */
	readonly rows: readonly VisibleRow[];
	readonly phase?: Phase;
	/** Whether the screen reader has already read the beginning of the block. */
	readonly isContinued?: boolean;
};

type BlockRowsProps = Pick<BlockProps, 'rows' | 'isContinued'> & {readonly label: () => BlockLabel};

/** Shows the rows of a block. For a screen reader it shows the label and the text, without bars, signs and gutters. */
export function BlockRows({rows, label, isContinued = false}: BlockRowsProps): ReactElement {
	if (useIsScreenReaderEnabled()) {
		const all = rows.map(({row}) => row);
		return <Box aria-label={blockText(all, isContinued ? {before: ''} : label())} />;
	}
	return (
		<>
			{rows.map(({key, row, marks}) => (
				<RowView key={key} row={row} marks={marks} />
			))}
		</>
	);
}
