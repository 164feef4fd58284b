import type {Message} from '../../pod/protocol.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {blankRow, lineRows, type Layout, type Row} from '../spans/row.ts';
import type {Span} from '../../text/span.ts';
import {createMarkdownStream, markdownRows} from '../markdown/stream.ts';
import type {BlockOf} from '../../transcript/block.ts';
import {citationLines} from './parts/citations.ts';
import {cutMiddle, noteRows, textRows} from './parts/long-text.ts';
import {bodyLayout, indent, type RenderContext, type Renderer} from './parts/render.ts';
import {hiddenCharacters, plainRest, stopText, unreadText} from '../../transcript/texts.ts';

/** Renders the model's text as Markdown. While the text streams, its final rows are kept. */
export const assistantRenderer: Renderer<'assistant'> = {
	apart: false,
	folds: false,
	headless: true,
	head: ({item}) => ({
		gutter: indent,
		spans: [item.unread === undefined ? {text: firstWords(item.text.slice(0, 2000))} : unreadNote(item.unread)],
	}),
	body(block, context) {
		const layout = bodyLayout(context, indent);
		if (block.item.unread !== undefined) return [blankRow, ...lineRows([unreadNote(block.item.unread)], layout)];
		const {head, hidden, tail} = cutMiddle(block.item.text);
		const rows = answerRows(block, head, context);
		const {stop, provider} = block.item;
		if (tail === '' && stop === undefined && provider === undefined) return rows;
		const rest =
			tail === ''
				? []
				: [...noteRows(hidden === 0 ? plainRest : hiddenCharacters(hidden), layout), ...textRows(tail, layout)];
		// The end of the run says that you interrupted it.
		const note = stop === undefined || stop === 'aborted' ? [] : lineRows(cutNote(stop), layout);
		return [...rows, ...rest, ...note, ...citationRows(block, layout)];
	},
};

/** Returns the numbered citations below the answer. */
function citationRows({item}: BlockOf<'assistant'>, layout: Layout): readonly Row[] {
	const lines = citationLines(item);
	return lines.length === 0 ? [] : [blankRow, ...lines.flatMap(line => lineRows(line, layout))];
}

function unreadNote({type, data}: NonNullable<Message['unread']>): Span {
	const bytes = data === undefined ? undefined : Buffer.byteLength(data);
	return {text: unreadText(sanitizeLine(type), bytes), style: 'warn'};
}

function cutNote(stop: string): Span[] {
	return [{text: `… ${stopText(stop) ?? stop}`, style: 'warn'}];
}

/**
Returns a blank row and the rows of `text`, which is the whole answer or the beginning of it. A committed answer reuses
the final rows of its stream once.
*/
function answerRows(block: BlockOf<'assistant'>, text: string, context: RenderContext): readonly Row[] {
	const layout = bodyLayout(context, indent);
	const {streams} = context;
	const known = streams?.get(block.id);
	const fits = known !== undefined && known.layout.columns === layout.columns;
	if (!block.open) {
		streams?.delete(block.id);
		return fits && !known.hasCuts() ? known.rows(text) : [blankRow, ...markdownRows(text, layout)];
	}
	if (fits) return known.rows(text, true);
	const stream = createMarkdownStream(layout, [blankRow]);
	streams?.set(block.id, stream);
	return stream.rows(text);
}

/** Returns the first line with text, without the signs of a heading, quote, list item or fence. */
function firstWords(text: string): string {
	const [words = ''] =
		/.*/.exec(text.replace(/^(?:\s|#{1,6}\s|>|[*+-]\s|(?:`{3,}|~{3,}).*\n|(?:-{3,}|\*{3,})\n)+/, '')) ?? [];
	return words;
}
