import {Box, useIsScreenReaderEnabled} from 'ink';
import {memo, type ReactElement} from 'react';
import type {Block} from '../../../transcript/block.ts';
import type {Phase} from '../../../transcript/phase.ts';
import {blockText, labelOf} from '../../rows/spoken/spoken-block.ts';
import {isSameVisible, type VisibleRow} from '../../rows/viewport/visible-rows.ts';
import {RowView} from './row-view.tsx';

/** `phase` and `isContinued` are for screen readers. */
export type BlockProps = {
	readonly block: Block;
	/** The visible rows of the block. */
	readonly rows: readonly VisibleRow[];
	readonly phase?: Phase;
	/** Whether the screen reader has already read the beginning of the block. */
	readonly isContinued?: boolean;
};

/** Shows a block of any kind. It renders again only when one of its rows looks different. */
export const BlockView = memo(ShownBlock, isSameBlock);

/** For a screen reader it shows the label and the text, without bars, signs and gutters. */
function ShownBlock({block, rows, phase, isContinued = false}: BlockProps): ReactElement {
	if (useIsScreenReaderEnabled()) {
		const all = rows.map(({row}) => row);
		return <Box aria-label={blockText(all, isContinued ? {before: ''} : labelOf(block, phase))} />;
	}
	return (
		<>
			{rows.map(({key, row, marks}) => (
				<RowView key={key} row={row} marks={marks} />
			))}
		</>
	);
}

function isSameBlock(one: BlockProps, other: BlockProps): boolean {
	return isSameVisible(one.rows, other.rows);
}
