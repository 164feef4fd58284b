import {Box, useIsScreenReaderEnabled} from 'ink';
import type {ReactElement} from 'react';
import type {Row} from '../../text/row.ts';
import {spokenLines} from '../../text/spoken.ts';
import type {BlockKind, BlockOf} from '../fold/block.ts';
import {RowView} from '../row-view.tsx';
import type {Phase} from '../fold/phase.ts';
import type {VisibleRow} from '../viewport/visible-rows.ts';

/** The props of a block's component. `phase` and `isContinued` are for screen readers. */
export type BlockProps<Kind extends BlockKind = BlockKind> = {
	readonly block: BlockOf<Kind>;
	/** The visible rows of the block. */
	readonly rows: readonly VisibleRow[];
	readonly phase?: Phase;
	/** Whether the screen reader has already read the beginning of the block. */
	readonly isContinued?: boolean;
};

/**
The label that a screen reader reads first. `before` precedes the first row and names, for example, the speaker. `title`
replaces the head.
*/
export type BlockLabel = {readonly before: string} | {readonly title: string};

type BlockRowsProps = Pick<BlockProps, 'rows' | 'isContinued'> & {readonly label: () => BlockLabel};

/** Shows the rows of a block. For a screen reader it shows the label and the text, without bars, signs and gutters. */
export function BlockRows({rows, label, isContinued = false}: BlockRowsProps): ReactElement {
	if (useIsScreenReaderEnabled()) return <Box aria-label={blockText(rows, isContinued ? {before: ''} : label())} />;
	return (
		<>
			{rows.map(({key, row, marks}) => (
				<RowView key={key} row={row} marks={marks} />
			))}
		</>
	);
}

function blockText(rows: readonly VisibleRow[], label: BlockLabel): string {
	const all = rows.map(({row}) => row);
	if ('title' in label) return [label.title, ...textsOf(withoutHead(all))].join('\n');
	const [first = '', ...rest] = textsOf(all);
	return [label.before === '' ? first : `${label.before}: ${first}`, ...rest].join('\n');
}

function textsOf(rows: readonly Row[]): readonly string[] {
	return spokenLines(rows).map(({text}) => text);
}

function withoutHead(rows: readonly Row[]): readonly Row[] {
	const head = rows.findIndex(({role}) => role === 'head');
	const next = rows.findIndex(({continued}, index) => index > head && !continued);
	return next === -1 ? [] : rows.slice(next);
}
