import {dimRow, type Row} from '../../text/row.ts';
import type {BlockKind, BlockOf} from '../fold/block.ts';
import {assistantRenderer} from './assistant.ts';
import {compactionRenderer} from './compaction.ts';
import {usageRenderer} from './usage.ts';
import {noticeRenderer} from './notice.ts';
import {renderBlock, type RenderContext, type Renderer} from './parts/render.ts';
import {systemRenderer} from './system.ts';
import {thinkingRenderer} from './thinking.ts';
import {toolRenderer} from './tool.ts';
import {userRenderer} from './user.ts';

/** What is drawn, by kind of block. */
const renderers: {readonly [Kind in BlockKind]: Renderer<Kind>} = {
	user: userRenderer,
	assistant: assistantRenderer,
	thinking: thinkingRenderer,
	tool: toolRenderer,
	system: systemRenderer,
	notice: noticeRenderer,
	usage: usageRenderer,
	compaction: compactionRenderer,
};

/** Whether a kind of block shows more when it is opened. */
export function folds(kind: BlockKind): boolean {
	return renderers[kind].folds;
}

/**
A block's rows: a pure function of the block and the context (its `streams` only save work). Those of one that was
rewound are dim.
*/
export function blockRows<Kind extends BlockKind>(block: BlockOf<Kind>, context: RenderContext): readonly Row[] {
	const kind: Kind = block.kind;
	const rows = renderBlock(renderers[kind], block, context);
	return block.rewound ? rows.map(dimRow) : rows;
}
