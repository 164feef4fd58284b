import {
	type Message,
	quoted,
	rangeSuffix,
	type FileRef,
	type Origin,
	type Segment,
	type SegmentOf,
} from '../../pod/protocol.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import {blankRow, lineRows, type Layout, type Row, cellsOf, storedRows} from '../spans/row.ts';
import type {Span, Style} from '../../text/span.ts';
import {createMarkdownStream, markdownRows} from '../markdown/stream.ts';
import type {BlockOf} from '../../transcript/block.ts';
import {cutMiddle, noteRows, textRows, drawnLines} from './parts/long-text.ts';
import {bodyLayout, indent, type RenderContext, type Renderer} from './parts/render.ts';
import {
	hiddenCharacters,
	plainRest,
	stopText,
	unreadText,
	pasteChip,
	pasteTitle,
	refFailures,
	taskLabel,
} from '../../transcript/texts.ts';
import {webAddress} from '../spans/links.ts';

/** Renders the model's text as Markdown. While the text streams, rows that can no longer change are reused. */
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
		// If you stopped the answer, there is no note, because the row about the end of the run already says this.
		const note = stop === undefined || stop === 'aborted' ? [] : lineRows(cutNote(stop), layout);
		return [...rows, ...rest, ...note, ...citationRows(block, layout)];
	},
};

/**
Renders the user's message. Chips are shown as chips, and the reason follows a chip that failed. The detail view expands
pastes.
*/
export const userRenderer: Renderer<'user'> = {
	apart: true,
	folds: false,
	headless: true,
	head: ({item, origin}) => ({
		gutter,
		spans: linesOf(item, origin).flatMap((line, index) => (index === 0 ? line : [{text: ' '}, ...line])),
	}),
	body({item, origin}, context) {
		const layout = bodyLayout(context, gutter);
		return linesOf(item, origin)
			.flatMap(line => {
				const [only] = line;
				return line.length === 1 && only !== undefined && only.style === undefined
					? storedRows(only.text, layout)
					: lineRows(line, layout);
			})
			.map(row => (context.isSpoken === true ? row : tinted(row, context.columns)))
			.concat(context.view === 'detail' ? pasteRows(origin, context) : []);
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
Returns a blank row and the rows of `text`, which is the whole answer or its beginning. The first rendering of a
committed answer reuses the rows of its stream.
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

/**
Returns the citations of an answer, each on a numbered line. The lines include every text in the citations, because
providers send these texts back to the model. Encrypted data and type names are left out. A web page is shown as its
title and its address, like a link.
*/
function citationLines({provider = {}}: Pick<Message, 'provider'>): ReadonlyArray<readonly Span[]> {
	const citations = Object.values(provider).flatMap(data => (isRecord(data) ? elementsOf(data['citations']) : []));
	return citations.map((citation, index) => [{text: `[${index + 1}] `, style: 'dim'}, ...spansOf(citation)]);
}

function spansOf(citation: unknown): readonly Span[] {
	const texts = textsIn(citation);
	const url = texts.get('url');
	if (url === undefined) return [{text: [...texts.values()].join(' · '), style: 'dim'}];
	const title = texts.get('title') ?? url;
	texts.delete('url');
	texts.delete('title');
	const rest = [...texts.values()].map((text): Span => ({text: ` · ${text}`, style: 'dim'}));
	return [...(title === url ? [addressSpan(url, 'link')] : citedPage(title, url)), ...rest];
}

function citedPage(title: string, url: string): readonly Span[] {
	const bracket = (text: string): Span => ({text, style: 'path'});
	return [{text: title, style: 'link'}, bracket(' ('), addressSpan(url, 'path'), bracket(')')];
}

function addressSpan(url: string, style: Style): Span {
	const link = webAddress(url);
	return {text: url, style, link};
}

/** Returns the texts of a citation, by name. If the citation is a single text, that text is an address. */
function textsIn(citation: unknown): Map<string, string> {
	const fields = typeof citation === 'string' ? {url: citation} : isRecord(citation) ? citation : {};
	return new Map(
		Object.entries(fields).flatMap(([name, value]) =>
			typeof value === 'string' && value.trim() !== '' && name !== 'type' && !name.startsWith('encrypted')
				? [[name, onOneLine(value)] as const]
				: [],
		),
	);
}

function onOneLine(text: string): string {
	return text.replaceAll(/\s+/g, ' ').trim();
}

function elementsOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null;
}

/** Returns a row of the user's text, with a tint over the whole width of the screen. */
function tinted(row: Row, columns: number): Row {
	const {gutter: bar, spans} = row;
	return {
		...row,
		spans: spans.map(({text, style = []}): Span => ({text, style: ['user.words' as const, style].flat()})),
		...(bar !== undefined && {gutter: {text: bar.text, style: ['user.fill', 'user']}}),
		end: {text: ' '.repeat(Math.max(0, columns - cellsOf(row))), style: 'user.fill'},
	};
}

const gutter: Span = {text: '▌ ', style: 'user'};

function linesOf(item: Message, origin: Origin | undefined): Span[][] {
	if (origin?.kind === 'task') return [[{text: taskLabel, style: 'dim'}], ...spansOfLines(item.text)];
	if (origin?.kind !== 'submit') return spansOfLines(item.text);
	let line: Span[] = [];
	const lines = [line];
	let pastes = 0;
	for (const segment of origin.segments) {
		if (segment.type !== 'text') {
			if (segment.type === 'paste') pastes++;
			line.push(...chipOf(segment, pastes));
			continue;
		}
		for (const [index, spans] of spansOfLines(segment.text).entries()) {
			if (index > 0) lines.push((line = []));
			line.push(...spans.filter(({text}) => text !== ''));
		}
	}
	return lines;
}

function spansOfLines(text: string): Span[][] {
	const {head, note, tail} = drawnLines(text);
	const plain = (lines: readonly string[]) => lines.map((line): Span[] => [{text: line}]);
	return note === undefined ? plain(head) : [...plain(head), [{text: note, style: 'dim'}], ...plain(tail)];
}

function chipOf<Type extends ChipType>(segment: ChipOf<Type>, number: number): Span[] {
	const type: Type = segment.type;
	return chips[type](segment, number);
}

type ChipType = Exclude<Segment['type'], 'text'>;

type ChipOf<Type extends ChipType> = {readonly [Each in Type]: SegmentOf<Each> & {readonly type: Each}}[Type];

const chips: {readonly [Type in ChipType]: (segment: ChipOf<Type>, number: number) => Span[]} = {
	paste: ({lines}, number) => [{text: pasteChip(number, lines), style: 'chip'}],
	workflow: ({slug, arguments: args}) => [
		{text: `/${sanitizeLine(slug)}`, style: 'chip'},
		...(args === undefined || args === '' ? [] : [{text: ` ${sanitizeLine(args)}`}]),
	],
	file_ref: refChip,
};

function refChip({path, range, outcome}: FileRef): Span[] {
	const text = `@${sanitizeLine(quoted(path))}${rangeSuffix(range)}`;
	if (outcome === undefined || !('failed' in outcome)) return [{text, style: 'chip'}];
	return [
		{text, style: 'chip.failed'},
		{text: ` (${refFailures[outcome.failed]})`, style: 'error'},
	];
}

function pasteRows(origin: Origin | undefined, context: RenderContext): Row[] {
	if (origin?.kind !== 'submit') return [];
	const layout = bodyLayout(context);
	return origin.segments
		.filter(segment => segment.type === 'paste')
		.flatMap((paste, index) => [
			...lineRows([{text: pasteTitle(index + 1), style: 'dim'}], layout),
			...textRows(paste.content.replace(/\n$/, ''), layout),
		]);
}
