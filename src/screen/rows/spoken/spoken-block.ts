import {lineRows, type Row} from '../../spans/row.ts';
import {spokenLines} from '../../spans/spoken.ts';
import type {BlockKind, BlockOf} from '../../../transcript/block.ts';
import type {Phase} from '../../../transcript/phase.ts';
import {systemWords} from '../../../transcript/system-title.ts';
import {spokenLabels} from '../../../transcript/texts.ts';
import {compactionWords} from '../compaction.ts';
import {childWords} from '../parts/tool-arguments.ts';
import {thinkingWords} from '../thinking.ts';
import {toolWords} from '../tool.ts';
import {usageWords} from '../usage.ts';

/**
The label that a screen reader reads first. `before` is put before the first row, and names the speaker, for example.
`title` replaces the head.
*/
type BlockLabel = {readonly before: string} | {readonly title: string};

/** Returns the label of a block for screen readers. */
export function labelOf<Kind extends BlockKind>(block: BlockOf<Kind>, phase: Phase = 'waiting'): BlockLabel {
	const kind: Kind = block.kind;
	return labels[kind](block, phase);
}

/** Returns the text of a block's rows for a screen reader: the label and the text, without bars, signs and gutters. */
export function blockText(rows: readonly Row[], label: BlockLabel): string {
	if ('title' in label) return [label.title, ...textsOf(withoutHead(rows))].join('\n');
	const [first = '', ...rest] = textsOf(rows);
	return [label.before === '' ? first : `${label.before}: ${first}`, ...rest].join('\n');
}

/** Returns the same text as rows. They are for a page that a screen reader reads as a whole. */
export function spokenRows<Kind extends BlockKind>(
	block: BlockOf<Kind>,
	rows: readonly Row[],
	columns: number,
): readonly Row[] {
	if (rows.length === 0) return [];
	return blockText(rows, labelOf(block))
		.split('\n')
		.flatMap(text => lineRows([{text}], {columns}));
}

/** The maximum number of columns of an argument for a screen reader. */
const spokenColumns = 80;

const labels: {readonly [Kind in BlockKind]: (block: BlockOf<Kind>, phase: Phase) => BlockLabel} = {
	user: () => ({before: spokenLabels.user}),
	assistant: () => ({before: spokenLabels.assistant}),
	thinking: block => ({title: `${spokenLabels.thinking}: ${thinkingWords(block)}`}),
	tool: (block, phase) => ({title: toolWords(block, {phase, columns: spokenColumns})}),
	system: block => ({title: systemWords(block)}),
	notice: () => ({before: spokenLabels.notice}),
	usage: block => ({title: usageWords(block)}),
	compaction: block => ({title: compactionWords(block)}),
	child: block => ({title: `${spokenLabels.child}: ${childWords(block)}`}),
};

function textsOf(rows: readonly Row[]): readonly string[] {
	return spokenLines(rows).map(({text}) => text);
}

function withoutHead(rows: readonly Row[]): readonly Row[] {
	const head = rows.findIndex(({role}) => role === 'head');
	const next = rows.findIndex(({continued}, index) => index > head && !continued);
	return next === -1 ? [] : rows.slice(next);
}
