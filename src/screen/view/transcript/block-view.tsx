import {Box, useIsScreenReaderEnabled, Text} from 'ink';
import {memo, type ReactElement} from 'react';
import type {Block} from '../../../transcript/block.ts';
import type {Phase} from '../../../transcript/phase.ts';
import {blockText, labelOf} from '../../rows/spoken/spoken-block.ts';
import {isSameVisible, type VisibleRow} from '../../rows/viewport/viewport.ts';
import {type Row, isSameRow} from '../../spans/row.ts';
import {useTheme} from '../hooks/use-frame.ts';
import {isSameMarks, paintRow, type Mark} from '../../spans/paint-row.ts';
import {spokenLines} from '../../spans/spoken.ts';

/** `phase` and `isContinued` are for screen readers. */
type BlockProps = {
	readonly block: Block;
	/** The visible rows of the block. */
	readonly rows: readonly VisibleRow[];
	readonly phase?: Phase;
	/** Whether the screen reader has already read the beginning of the block. */
	readonly isContinued?: boolean;
};

/** Shows a block of any kind. The component renders again only when one of its rows looks different. */
export const BlockView = memo(ShownBlock, isSameBlock);

/** Shows rows from top to bottom. `label` describes the rows for a screen reader. */
export function RowsView({rows, label}: {readonly rows: readonly Row[]; readonly label?: string}): ReactElement | null {
	const isReader = useIsScreenReaderEnabled();
	if (isReader) return <SpokenRows rows={rows} label={label} />;
	if (rows.length === 0) return null;
	return (
		<Box flexDirection="column" flexShrink={0}>
			{rows.map((row, index) => (
				<RowView key={index} row={row} />
			))}
		</Box>
	);
}

/**
Shows rows as lines for a screen reader. The label is before the first line. The highlighted entry of a list is marked.
*/
export function SpokenRows({rows, label, whole}: SpokenRowsProps): ReactElement | null {
	const lines = spokenLines(rows, whole);
	if (lines.length === 0) return null;
	return (
		<Box flexDirection="column">
			{lines.map(({text, isChosen}, index) => (
				<Box key={index} aria-state={{selected: isChosen}}>
					<Text>{index === 0 && label !== undefined ? `${label}: ${text}` : text}</Text>
				</Box>
			))}
		</Box>
	);
}

/** Shows a block. For a screen reader it shows the label and the text, without bars, signs and gutters. */
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

/** Paints one row of spans. Within a frame, React renders only the rows that changed. */
const RowView = memo(function RowView({row, marks}: RowViewProps): ReactElement {
	const ansi = paintRow(row, useTheme(), marks);
	return <Text wrap="truncate">{ansi === '' ? ' ' : ansi}</Text>;
}, isSameView);

type RowViewProps = {readonly row: Row; readonly marks?: readonly Mark[] | undefined};

function isSameView(one: RowViewProps, other: RowViewProps): boolean {
	return isSameRow(one.row, other.row) && isSameMarks(one.marks, other.marks);
}

type SpokenRowsProps = {
	readonly rows: readonly Row[];
	readonly label?: string | undefined;
	/** Whether the lines also contain the gutters, such as the keys in a list of keys. */
	readonly whole?: boolean;
};
