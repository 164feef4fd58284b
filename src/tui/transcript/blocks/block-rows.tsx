import {Box, useIsScreenReaderEnabled} from 'ink';
import type {ReactElement} from 'react';
import type {Row} from '../../text/row.ts';
import {spokenLines} from '../../text/spoken.ts';
import type {BlockKind, BlockOf} from '../fold/block.ts';
import {RowView} from '../row-view.tsx';
import type {Phase} from '../fold/phase.ts';
import type {VisibleRow} from '../viewport/visible-rows.ts';

/** What a block's component is given. `phase` and `isContinued` are for a screen reader. */
export type BlockProps<Kind extends BlockKind = BlockKind> = {
	readonly block: BlockOf<Kind>;
	/** The rows to show: of a block that is partly on the screen only these. */
	readonly rows: readonly VisibleRow[];
	readonly phase?: Phase;
	/** Whether the beginning of the block was said before. */
	readonly isContinued?: boolean;
};

/** What a screen reader says first: `before` the first row, as who speaks; a `title` takes the place of the head. */
export type BlockLabel = {readonly before: string} | {readonly title: string};

type BlockRowsProps = Pick<BlockProps, 'rows' | 'isContinued'> & {readonly label: () => BlockLabel};

/** The rows of a block; to a screen reader its label and its text, without bars, signs and gutters. */
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
