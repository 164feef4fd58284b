import {
	quoted,
	rangeSuffix,
	type FileRef,
	type Message,
	type Origin,
	type Segment,
	type SegmentOf,
} from '../../pod/protocol.ts';
import {cellsOf, lineRows, storedRows, type Row} from '../spans/row.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Span} from '../../text/span.ts';
import {drawnLines, textRows} from './parts/long-text.ts';
import {bodyLayout, type RenderContext, type Renderer} from './parts/render.ts';
import {pasteChip, pasteTitle, refFailures, taskLabel} from '../../transcript/texts.ts';

/**
Renders the user's message. Chips are drawn as chips, and failed ones are followed by the reason. The detail view
expands pastes.
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

/** Returns a row of the user's words, which stand out over the whole width of the screen. */
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
