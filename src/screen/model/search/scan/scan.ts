import {type Block, itemsOf, type BlockOf} from '../../../../transcript/block.ts';
import type {RowSource} from '../../../rows/viewport/viewport.ts';
import type {SearchForm} from './search-form.ts';
import {countIn} from './count-matches.ts';
import {sanitize} from '../../../../text/sanitize.ts';
import {blockRows} from '../../../rows/conversation.ts';
import {cutMiddle} from '../../../rows/parts/long-text.ts';
import type {RenderContext} from '../../../rows/parts/render.ts';
import {openedResult, showsDiff} from '../../../rows/tool.ts';
import {linesOf} from './lines.ts';

/** The match with index `nth` in the block with index `index`. Both indexes start at 0. */
export type Match = {readonly index: number; readonly nth: number};

/**
Counts the matches of a pattern in a session. The scan works in slices of a few milliseconds, so that inkpod can handle
keys between the slices.
*/
export type Scan = {
	/** Returns the number of matches that the scan has found, and whether the scan is done. */
	readonly total: () => {readonly count: number; readonly isDone: boolean};
	/**
	Returns the first match in the blocks on the screen. If these blocks have no match, returns the nearest one above or
	else below.
	*/
	readonly first: () => Match | undefined;
	/** Returns the next or the previous match. The step wraps around at the ends. */
	readonly step: (from: Match, direction: 1 | -1) => Match | undefined;
	/** Returns the number of matches before this one. */
	readonly before: (match: Match) => number;
	/** Returns the texts of a block in which the scan counts matches. */
	readonly textsAt: (index: number) => readonly string[];
	/** Scans the changed blocks again. With `streaming`, this includes the blocks that are still streaming. */
	readonly refresh: (streaming: boolean) => void;
	readonly stop: () => void;
};

/** The texts of blocks in one search form, by block index. They are cached while a search is open. */
export type Texts = Map<number, {readonly block: Block; readonly texts: readonly string[]}>;

type ScanOptions = {
	readonly source: RowSource;
	readonly pattern: RegExp;
	readonly form: SearchForm;
	/** The blocks on the screen, `[from, to)`, are scanned first. */
	readonly from: number;
	readonly to: number;
	readonly texts: Texts;
	/** The function that is called after each slice that found something new. */
	readonly onProgress: () => void;
};

export function createScan({source, pattern, form, from, to, texts, onProgress}: ScanOptions): Scan {
	const seen: Array<Block | undefined> = [];
	const counts: number[] = [];
	let total = 0;
	let first: number | undefined;
	let work: Generator<void, void, undefined> | undefined;
	let next: NodeJS.Immediate | undefined;
	let again: {readonly streaming: boolean} | undefined;

	function* pass(streaming: boolean): Generator<void, void, undefined> {
		for (const index of order(source.count(), from, to)) {
			const block = source.block(index);
			if (block === undefined || seen[index] === block || (block.open && seen[index] !== undefined && !streaming))
				continue;
			let count = 0;
			for (const text of textsOf(texts, index, block, form)) {
				count += countIn(text, pattern);
				yield;
			}
			seen[index] = block;
			total += count - (counts[index] ?? 0);
			counts[index] = count;
			if (count > 0) first ??= index;
		}
		// Removes the counts of blocks that are no longer in the transcript.
		for (const gone of counts.splice(source.count())) total -= gone;
		seen.length = Math.min(seen.length, source.count());
	}

	function slice(): void {
		next = undefined;
		const end = performance.now() + budget;
		const before = total;
		while (work !== undefined && performance.now() < end) if (work.next().done === true) work = undefined;
		if (work === undefined && again !== undefined) begin(again.streaming);
		if (work !== undefined) next = setImmediate(slice);
		if (work === undefined || total !== before) onProgress();
	}

	function begin(streaming: boolean): void {
		again = undefined;
		work = pass(streaming);
		next ??= setImmediate(slice);
	}

	begin(true);
	return {
		total: () => ({count: total, isDone: work === undefined}),
		first() {
			const count = counts[first ?? -1] ?? 0;
			if (first === undefined || count === 0) return undefined;
			return {index: first, nth: first < from ? count - 1 : 0};
		},
		step({index, nth}, direction) {
			if (direction === 1 ? nth + 1 < (counts[index] ?? 0) : nth > 0) return {index, nth: nth + direction};
			for (let steps = 1; steps <= counts.length; steps++) {
				const at = (index + direction * steps + counts.length * 2) % counts.length;
				const count = counts[at] ?? 0;
				if (count > 0) return {index: at, nth: direction === 1 ? 0 : count - 1};
			}
			return undefined;
		},
		before({index, nth}) {
			let sum = nth;
			for (let at = 0; at < index; at++) sum += counts[at] ?? 0;
			return sum;
		},
		textsAt: index => textsOf(texts, index, source.block(index), form),
		refresh(streaming) {
			if (work === undefined) begin(streaming);
			else again = {streaming: streaming || again?.streaming === true};
		},
		stop() {
			work = undefined;
			again = undefined;
			if (next !== undefined) clearImmediate(next);
		},
	};
}

/**
Returns the text of a block for the search, without wrapping. The text of a long block is split into several pieces.
*/
export function searchTexts(block: Block, form: SearchForm): readonly string[] {
	const items = itemsOf(block);
	const size = items.reduce((sum, item) => sum + storedText(item).length, 0);
	const isOpened = form.view === 'opened';
	// Blocks of other kinds show the same text at any width. They are faster to draw on a screen so wide that nothing
	// wraps.
	const columns = block.kind === 'tool' ? form.columns : wideScreen;
	if (size > maxDrawn) return isOpened && block.kind === 'tool' ? openedPieces(block, columns) : piecesOf(items);
	return [drawn(block, {view: 'detail', isOpened, columns})];
}

/** The duration of a slice in milliseconds. */
const budget = 5;

/** The maximum number of code units in the cache. Texts that do not fit are created again for each query. */
const maxKept = 64_000_000;

function* order(count: number, from: number, to: number): Generator<number, void, undefined> {
	for (let index = from; index < Math.min(to, count); index++) yield index;
	for (let index = Math.min(from, count) - 1; index >= 0; index--) yield index;
	for (let index = to; index < count; index++) yield index;
}

const sizes = new WeakMap<Texts, number>();

function textsOf(known: Texts, index: number, block: Block | undefined, form: SearchForm): readonly string[] {
	if (block === undefined) return [];
	const found = known.get(index);
	if (found?.block === block) return found.texts;
	const texts = searchTexts(block, form);
	const size = (sizes.get(known) ?? 0) + lengthOf(texts) - lengthOf(found?.texts ?? []);
	if (size > maxKept) return texts;
	known.set(index, {block, texts});
	sizes.set(known, size);
	return texts;
}

function lengthOf(texts: readonly string[]): number {
	return texts.reduce((sum, text) => sum + text.length, 0);
}

function drawn(block: Block, how: Pick<RenderContext, 'view' | 'isOpened' | 'columns'>): string {
	const rows = blockRows(plain(block), {phase: 'waiting', isClose: true, ...how});
	return Array.from(linesOf(rows), line => line.text).join('\n');
}

function piecesOf(items: ReturnType<typeof itemsOf>): string[] {
	return items.flatMap(item => drawnPieces(storedText(item)));
}

/** Returns the title and the result of a long tool call in pieces, as the expanded block shows them. */
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

/**
The maximum length of a block that the search draws, in code units. The search reads the stored text of a longer block,
because drawing it would take noticeable time.
*/
const maxDrawn = 48_000;

/** A width at which almost nothing is wrapped or cut. */
const wideScreen = 4000;

const pieceLength = 32_000;

/** Removes the languages of code fences, so that no time is spent on syntax colours. */
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

/** Returns the parts of `text` that the screen draws. The search must not find the part that is cut from the middle. */
function drawnPieces(text: string): string[] {
	const {head, hidden, tail} = cutMiddle(text);
	return hidden === 0 ? pieces(text) : [...pieces(head), ...pieces(tail)];
}

/** Splits `text` into pieces of at most `pieceLength` code units, at the ends of lines if possible. */
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
