import type {PriceList, StoredConversation} from '../../pod/protocol.ts';
import {lineRows, type Row} from '../spans/row.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {width} from '../../text/width.ts';
import type {Block} from '../../transcript/block.ts';
import {fold} from '../../transcript/fold.ts';
import {emptyFold} from '../../transcript/fold-state.ts';
import {blockRows} from './index.ts';
import {bodyGutter, bodyLayout, type RenderContext} from './parts/render.ts';
import {conversationTitle, loadingConversation} from './texts.ts';

/** The conversation in which a summary was written, or a sentence that tells why it cannot be shown. */
export type Conversation = {readonly blocks: readonly Block[]} | {readonly sentence: string};

/** Folds the items of a compaction's conversation into blocks, like those of a session. */
export function foldConversation(stored: StoredConversation, prices: PriceList | undefined): Conversation {
	if ('sentence' in stored) return stored;
	const folded = emptyFold(prices);
	for (const item of stored.items) fold(folded, item);
	return {blocks: folded.blocks};
}

/**
Returns the rows of the conversation that wrote a summary, for the body of its block. They are the rows that a session
with these items has in the detail view.
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

/** Puts the gutter of the body before that of the row. */
function indented(row: Row): Row {
	const {gutter} = row;
	const role = row.role === 'head' ? 'text' : row.role;
	if (gutter === undefined) return {...row, role, gutter: bodyGutter};
	return {...row, role, gutter: {...gutter, text: `${bodyGutter.text}${gutter.text}`}};
}
