import {sanitize} from '../../text/sanitize.ts';
import {itemsOf, type Block} from '../../transcript/fold/block.ts';
import {blockRows} from '../../transcript/rows/index.ts';
import {cutMiddle} from '../../transcript/rows/parts/long-text.ts';
import {linesOf} from './lines.ts';

/**
The text of a block in which matches are counted: all that the detail view shows of it, line by line, however wide the
screen is. In several pieces where it is long.
*/
export function searchTexts(block: Block): readonly string[] {
	const items = itemsOf(block);
	const size = items.reduce((sum, item) => sum + storedText(item).length, 0);
	if (size > maxDrawn) return items.flatMap(item => drawnPieces(storedText(item)));
	const rows = blockRows(plain(block), {columns: wideScreen, view: 'detail', phase: 'waiting'});
	return [Array.from(linesOf(rows), line => line.text).join('\n')];
}

/** What is longer is not drawn to be searched, which would be felt, but searched as it is stored. */
const maxDrawn = 48_000;
/** So wide that next to nothing is wrapped or cut. */
const wideScreen = 4000;
const pieceLength = 32_000;

/** Without the languages of its fences: nobody needs colours here. */
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

/** Of what the rows of the block hold: what is not drawn is not found either. */
function drawnPieces(text: string): string[] {
	const {head, hidden, tail} = cutMiddle(text);
	return hidden === 0 ? pieces(text) : [...pieces(head), ...pieces(tail)];
}

/** Cut at the ends of lines, where there are any. */
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
