import {dimRow, type Row} from '../spans/row.ts';
import type {BlockKind, BlockOf} from '../../transcript/block.ts';
import {assistantRenderer} from './assistant.ts';
import {childRenderer} from './parts/child.ts';
import {compactionRenderer} from './compaction.ts';
import {usageRenderer} from './usage.ts';
import {noticeRenderer} from './notice.ts';
import {renderBlock, type RenderContext, type Renderer} from './parts/render.ts';
import {systemRenderer} from './system.ts';
import {thinkingRenderer} from './thinking.ts';
import {toolRenderer} from './tool.ts';
import {userRenderer} from './user.ts';

/** The renderers, one for each kind of block. */
export const renderers: {readonly [Kind in BlockKind]: Renderer<Kind>} = {
	user: userRenderer,
	assistant: assistantRenderer,
	thinking: thinkingRenderer,
	tool: toolRenderer,
	system: systemRenderer,
	notice: noticeRenderer,
	usage: usageRenderer,
	compaction: compactionRenderer,
	child: childRenderer,
};

/** Tells whether a kind of block can be expanded. */
export function folds(kind: BlockKind): boolean {
	return renderers[kind].folds;
}

/** Tells whether the normal view shows only the head of a block, so that no blank row separates it from another one. */
export function isLine<Kind extends BlockKind>(block: BlockOf<Kind>): boolean {
	const kind: Kind = block.kind;
	return renderers[kind].isLine?.(block) === true;
}

/** Tells whether the normal view hides a block. */
export function isHidden<Kind extends BlockKind>(block: BlockOf<Kind>): boolean {
	const kind: Kind = block.kind;
	return renderers[kind].hidden?.(block) === true;
}

/**
Returns the rows of a block. The result depends only on the block and the context; `streams` only saves work. Blocks
that a rewind removed are dim.
*/
export function blockRows<Kind extends BlockKind>(block: BlockOf<Kind>, context: RenderContext): readonly Row[] {
	const kind: Kind = block.kind;
	const rows = renderBlock(renderers[kind], block, context);
	return block.rewound ? rows.map(dimRow) : rows;
}
