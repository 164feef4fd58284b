import {sanitize} from '../../../../text/sanitize.ts';
import {itemsOf, type Block, type BlockOf} from '../../../../transcript/block.ts';
import {blockRows} from '../../../rows/index.ts';
import {cutMiddle} from '../../../rows/parts/long-text.ts';
import type {RenderContext} from '../../../rows/parts/render.ts';
import {openedResult, showsDiff} from '../../../rows/tool.ts';
import {linesOf} from './lines.ts';
import type {SearchForm} from './search-form.ts';

/** Returns the text of a block for the search, without wrapping. A long block has several pieces. */
export function searchTexts(block: Block, form: SearchForm): readonly string[] {
	const items = itemsOf(block);
	const size = items.reduce((sum, item) => sum + storedText(item).length, 0);
	const isOpened = form.view === 'opened';
	// Other blocks show the same at any width, and need less time where nothing is wrapped.
	const columns = block.kind === 'tool' ? form.columns : wideScreen;
	if (size > maxDrawn) return isOpened && block.kind === 'tool' ? openedPieces(block, columns) : piecesOf(items);
	return [drawn(block, {view: 'detail', isOpened, columns})];
}

function drawn(block: Block, how: Pick<RenderContext, 'view' | 'isOpened' | 'columns'>): string {
	const rows = blockRows(plain(block), {phase: 'waiting', isClose: true, ...how});
	return Array.from(linesOf(rows), line => line.text).join('\n');
}

function piecesOf(items: ReturnType<typeof itemsOf>): string[] {
	return items.flatMap(item => drawnPieces(storedText(item)));
}

/** Returns the title of a long call and its result, as an opened block shows them. */
function openedPieces(block: BlockOf<'tool'>, columns: number): readonly string[] {
	const {call, result} = block;
	const isDiff = showsDiff(block);
	if (result === undefined || (!isDiff && (call?.arguments.length ?? 0) > maxDrawn / 4))
		return piecesOf(itemsOf(block));
	const head = isDiff
		? drawn(block, {view: 'overview', isOpened: true, columns: wideScreen})
		: drawn({...block, result: {...result, content: result.summary}}, {view: 'detail', isOpened: true, columns});
	return [`${head}\n`, ...drawnPieces(openedResult(block))];
}

/** If a block is longer, its stored text is searched, because drawing it would take noticeable time. */
const maxDrawn = 48_000;
/** A width at which almost nothing is wrapped or cut. */
const wideScreen = 4000;
const pieceLength = 32_000;

/** Removes the languages of fences, because the search needs no colours. */
function plain(block: Block): Block {
	if (block.kind !== 'assistant') return block;
	return {
		...block,
		item: {...block.item, text: block.item.text.replaceAll(/^([ \t]*(?:`{3,}|~{3,}))[^`\n]*$/gm, '$1')},
	};
}

function storedText(item: ReturnType<typeof itemsOf>[number]): string {
	if (item.type === 'message' || item.type === 'reasoning') return item.text;
	if (item.type === 'tool_call') return item.arguments;
	if (item.type === 'tool_result') return item.content;
	if (item.type === 'setup') return item.prompt;
	return item.type === 'compaction' ? item.summary : '';
}

/** Returns the drawn parts of a text, because the search finds only text that is drawn. */
function drawnPieces(text: string): string[] {
	const {head, hidden, tail} = cutMiddle(text);
	return hidden === 0 ? pieces(text) : [...pieces(head), ...pieces(tail)];
}

/** Cuts a text into pieces, at the ends of lines if possible. */
function pieces(text: string): string[] {
	const cut: string[] = [];
	for (let from = 0; from < text.length;) {
		const end = text.lastIndexOf('\n', from + pieceLength);
		const to = from + pieceLength >= text.length ? text.length : end > from ? end + 1 : from + pieceLength;
		cut.push(sanitize(text.slice(from, to)));
		from = to;
	}
	return cut;
}
