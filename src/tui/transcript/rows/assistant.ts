import {blankRow, lineRows, type Row} from '../../text/row.ts';
import type {Span} from '../../text/span.ts';
import {createMarkdownStream, markdownRows} from '../markdown/stream.ts';
import type {BlockOf} from '../fold/block.ts';
import {bodyLayout, indent, type RenderContext, type Renderer} from './render.ts';

/** The model's words as markdown. While they stream, what is settled is kept. */
export const assistantRenderer: Renderer<'assistant'> = {
	apart: false,
	folds: false,
	headless: true,
	head: ({item}) => ({gutter: indent, spans: [{text: firstWords(item.text.slice(0, 2000))}]}),
	body(block, context) {
		const rows = answerRows(block, context);
		const {stop} = block.item;
		return stop === undefined ? rows : [...rows, ...lineRows(cutNote(stop), bodyLayout(context, indent))];
	},
};

function cutNote(stop: string): Span[] {
	return [{text: `… cut short: ${stop}`, style: 'warn'}];
}

/** A blank row and the answer's rows. The stream of an answer is used a last time when the answer is committed: its settled rows are the same rows. */
function answerRows(block: BlockOf<'assistant'>, context: RenderContext): readonly Row[] {
	const layout = bodyLayout(context, indent);
	const {streams} = context;
	const known = streams?.get(block.id);
	const fits = known !== undefined && known.layout.columns === layout.columns;
	if (!block.open) {
		streams?.delete(block.id);
		return fits && !known.hasCuts() ? known.rows(block.item.text) : [blankRow, ...markdownRows(block.item.text, layout)];
	}
	if (fits) return known.rows(block.item.text, true);
	const stream = createMarkdownStream(layout, [blankRow]);
	streams?.set(block.id, stream);
	return stream.rows(block.item.text);
}

/** The first line that says something, as stored, but for what makes it a heading, a quote, a list item or the fence of code. */
function firstWords(text: string): string {
	return /.*/.exec(text.replace(/^(?:\s|#{1,6}\s|>|[*+-]\s|(?:`{3,}|~{3,}).*\n|(?:-{3,}|\*{3,})\n)+/, ''))![0];
}
