import type {Item, ItemOf, Message, Origin, OriginOf} from '../../../pod/protocol.ts';
import {countBodyLines, splitHeader, withoutFinalNewline} from '../../text/lines.ts';
import type {Row} from '../../text/row.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Style} from '../../text/theme.ts';
import type {BlockOf} from '../fold/block.ts';
import {formatBytes, formatCount, plural} from '../../text/formats.ts';
import {textRows} from './parts/long-text.ts';
import {bodyLayout, headRow, headRows, type RenderContext, type Renderer} from './parts/render.ts';

/** One row; what it stands for in the detail view. */
export const noticeRenderer: Renderer<'notice'> = {
	apart: false,
	folds: true,
	headless: true,
	head(block) {
		const {text, style} = wordsOf(block);
		return {gutter: {text: '· ', style}, spans: [{text, style}]};
	},
	body(block, context) {
		const head = noticeRenderer.head(block, context);
		return context.view === 'detail'
			? [...headRows(head, context), ...detailRows(block, context)]
			: [headRow(head, context)];
	},
};

type Words = {readonly text: string; readonly style: Style};

const cutWords: Words = {text: 'Cut short: the process ended. Enter goes on with it.', style: 'warn'};

function wordsOf(block: BlockOf<'notice'>): Words {
	if ('derived' in block) return cutWords;
	const {item, origin, names = []} = block;
	if (item.type !== 'message')
		return (itemWords[item.type] as (item: Item, names: readonly string[]) => Words)(item, names);
	return (
		(origin === undefined
			? undefined
			: (originWords[origin.kind] as ((origin: Origin, item: Message) => Words) | undefined)?.(origin, item)) ?? {
			text: firstLine(item),
			style: 'dim',
		}
	);
}

const itemWords: {
	readonly [Type in 'setup' | 'rewind' | 'context']: (item: ItemOf<Type>, names: readonly string[]) => Words;
} = {
	setup: ({model, prompt, tools}) => ({
		text: `Setup: ${sanitizeLine(model)}, ${plural(tools.length, 'tool')}, prompt of ${formatCount(prompt.length)} characters`,
		style: 'dim',
	}),
	rewind: ({to}, [name]) => ({
		text: `Rewound: ${name === undefined ? `what came after ${sanitizeLine(to)}` : `${name} and what came after it`} is out of the context`,
		style: 'warn',
	}),
	context: ({op, ids}, names) => ({
		text: `Context: ${{drop: 'dropped', restore: 'restored', pin: 'pinned'}[op]} ${listOf(names, ids.length)}`,
		style: 'dim',
	}),
};

/** The first names, and how many there are beside them. */
function listOf(names: readonly string[], count: number): string {
	const different = [...new Set(names)];
	const shown = different.slice(0, maxShown);
	const more = different.length - shown.length + count - names.length;
	return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const maxShown = 3;

const originWords: {readonly [Kind in Origin['kind']]?: (origin: OriginOf<Kind>, item: Message) => Words} = {
	interrupt: (_, item) => ({text: firstLine(item), style: 'warn'}),
	instructions: (origin, item) => ({
		text: `Instructions ${sanitizeLine(origin.path)}: ${instructionFacts(origin, item)}`,
		style: 'dim',
	}),
	notice: (_, item) => ({text: firstLine(item), style: 'dim'}),
};

function instructionFacts(
	{path, truncated, gone, bytes, totalBytes}: OriginOf<'instructions'>,
	{text}: Message,
): string {
	if (gone === true) return 'no longer there';
	const body = countBodyLines(splitHeader(text, path.split('\n').length).body);
	// The last line of a truncated one says so, and is none of the file.
	const lines = plural(truncated && bytes !== undefined ? body - 1 : body, 'line');
	if (bytes === undefined || totalBytes === undefined) return `${lines}${truncated ? ', truncated' : ''}`;
	return `${lines}, ${truncated ? `truncated ${formatBytes(bytes)} of ${formatBytes(totalBytes)}` : formatBytes(bytes)}`;
}

function firstLine({text}: Message): string {
	return splitHeader(text).header.slice(0, 2000);
}

/** What the row does not say. */
function detailRows(block: BlockOf<'notice'>, context: RenderContext): Row[] {
	if ('derived' in block) return [];
	const text =
		block.item.type === 'message'
			? splitHeader(block.item.text).body
			: (itemDetails[block.item.type] as (item: Item, names: readonly string[]) => string)(
					block.item,
					block.names ?? [],
				);
	if (text === '') return [];
	return textRows(withoutFinalNewline(text), bodyLayout(context), () => 'dim');
}

const itemDetails: {
	readonly [Type in 'setup' | 'rewind' | 'context']: (item: ItemOf<Type>, names: readonly string[]) => string;
} = {
	setup: ({prompt, tools, settings}) =>
		[
			`settings ${JSON.stringify(settings)}`,
			...tools.map(
				({name, description, parameters}) => `tool ${name}: ${description} ${JSON.stringify(parameters)}`,
			),
			'',
			prompt,
		].join('\n'),
	rewind: () => '',
	context: ({ids}, names) =>
		ids
			.map((id, index) => (names[index] === undefined || names[index] === id ? id : `${names[index]} (${id})`))
			.join('\n'),
};
