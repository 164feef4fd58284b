import type {PriceList, StoredConversation} from '../../pod/protocol.ts';
import {lineRows, type Row, dimRow} from '../spans/row.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {width} from '../../text/width.ts';
import type {Block, BlockKind, BlockOf} from '../../transcript/block.ts';
import {fold} from '../../transcript/fold.ts';
import {emptyFold} from '../../transcript/fold-state.ts';
import {bodyGutter, bodyLayout, type RenderContext, renderBlock, type Renderer} from './parts/render.ts';
import {conversationTitle, loadingConversation} from './texts.ts';
import {assistantRenderer} from './assistant.ts';
import {childRenderer} from './parts/tool-arguments.ts';
import {compactionRenderer} from './compaction.ts';
import {usageRenderer} from './usage.ts';
import {noticeRenderer} from './notice.ts';
import {systemRenderer} from './system.ts';
import {thinkingRenderer} from './thinking.ts';
import {toolRenderer} from './tool.ts';
import {userRenderer} from './assistant.ts';

/** The conversation in which the model wrote a summary, or a sentence that says why it cannot be shown. */
export type Conversation = {readonly blocks: readonly Block[]} | {readonly sentence: string};

/** Turns the items of a compaction's conversation into blocks, in the same way as the items of a session. */
export function foldConversation(stored: StoredConversation, prices: PriceList | undefined): Conversation {
	if ('sentence' in stored) return stored;
	const folded = emptyFold(prices);
	for (const item of stored.items) fold(folded, item);
	return {blocks: folded.blocks};
}

/**
Returns the rows of the conversation in which the model wrote a summary. They are a part of the compaction's body, and
look like a session with these items in the detail view.
*/
export function conversationRows(conversation: Conversation | undefined, context: RenderContext): readonly Row[] {
	const layout = bodyLayout(context);
	const line = (text: string) => lineRows([{text, style: 'dim'}], layout);
	if (conversation === undefined) return line(loadingConversation);
	if ('sentence' in conversation) return line(sanitizeLine(conversation.sentence));
	const {isSpoken} = context;
	const inner: RenderContext = {
		columns: Math.max(1, context.columns - width(bodyGutter.text)),
		view: 'detail',
		phase: 'waiting',
		isSpoken,
	};
	return [...line(conversationTitle), ...conversation.blocks.flatMap(block => blockRows(block, inner).map(indented))];
}

/** The renderer for each kind of block. */
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

/** Tells whether the normal view shows only the head of a block. There is no blank row between two such blocks. */
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
Returns the rows of a block. The result depends only on the block and the context. The context's `streams` only save
time. A block that a rewind removed is dim.
*/
export function blockRows<Kind extends BlockKind>(block: BlockOf<Kind>, context: RenderContext): readonly Row[] {
	const kind: Kind = block.kind;
	const rows = renderBlock(renderers[kind], block, context);
	return block.rewound ? rows.map(dimRow) : rows;
}

/** Returns the row with the gutter of the body before the row's own gutter. */
function indented(row: Row): Row {
	const {gutter} = row;
	const role = row.role === 'head' ? 'text' : row.role;
	if (gutter === undefined) return {...row, role, gutter: bodyGutter};
	return {...row, role, gutter: {...gutter, text: `${bodyGutter.text}${gutter.text}`}};
}
