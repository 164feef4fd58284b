import {rangeSuffix, type ItemOf} from '../../pod/protocol.ts';
import {lineRows, type Layout, type Row} from '../spans/row.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Span, Style} from '../../text/span.ts';
import type {BlockOf} from '../../transcript/block.ts';
import {bodyLayout, preview, type Renderer} from './parts/render.ts';
import {spokenLabels} from '../../transcript/texts.ts';
import {
	andMore,
	compacted,
	compactedBy,
	compactedTokens,
	compactedTokensSpoken,
	compactionLists,
	keptItems,
	summarisedItems,
} from './texts.ts';

/**
Renders a compaction: the tokens before and after it, and the numbers of summarised and kept items. Below the summary it
lists the kept items, the files that were read again, references, and files that could not be read. The detail view adds
the conversation in which the model wrote the summary.
*/
export const compactionRenderer: Renderer<'compaction'> = {
	apart: true,
	folds: true,
	head({item}) {
		const facts = [compactedTokens(item.before, item.after), ...countFacts(item)];
		return {
			gutter: {text: '◆ ', style: 'accent'},
			spans: [
				{text: compacted, style: 'bold'},
				{text: facts.map(fact => ` · ${fact}`).join(''), style: 'dim'},
			],
		};
	},
	body({item, read, kept, from}, context) {
		const layout = bodyLayout(context);
		const isDetail = context.view === 'detail';
		return [
			...preview(item.summary, context),
			...listRows(
				compactionLists.kept,
				keptNames(kept, item.keptIds.length, isDetail ? kept.length : maxShown),
				'plain',
				layout,
			),
			...listRows(
				compactionLists.read,
				read.map(({path, range}) => sanitizeLine(path) + rangeSuffix(range)),
				'path',
				layout,
			),
			...listRows(compactionLists.refs, item.refs.map(sanitizeLine), 'path', layout),
			...item.refused.flatMap(({path, reason}) =>
				lineRows(
					[
						{text: `${compactionLists.refused} `, style: 'dim'},
						{text: sanitizeLine(path), style: 'path'},
						{text: `: ${sanitizeLine(reason)}`, style: 'warn'},
					],
					layout,
				),
			),
			...(isDetail ? lineRows([{text: compactedBy(sanitizeLine(item.model), from), style: 'dim'}], layout) : []),
			...(isDetail && item.conversation !== undefined ? (context.conversation?.(item.id, context) ?? []) : []),
		];
	},
};

/** Returns the text of a compaction for a screen reader. */
export function compactionWords({item}: BlockOf<'compaction'>): string {
	const sizes = compactedTokensSpoken(item.before, item.after);
	return `${spokenLabels.compaction}: ${[sizes, ...countFacts(item)].join(', ')}`;
}

function countFacts({summarised, keptIds}: ItemOf<'compaction'>): readonly string[] {
	return [
		...(summarised === undefined ? [] : [summarisedItems(summarised)]),
		...(keptIds.length === 0 ? [] : [keptItems(keptIds.length)]),
	];
}

/** Returns the names of the kept items, without duplicates, because a call and its result have the same name. */
function keptNames(names: readonly string[], count: number, max: number): readonly string[] {
	const different = [...new Set(names)];
	const more = Math.max(0, different.length - max) + count - names.length;
	return [...different.slice(0, max), ...(more > 0 ? [andMore(more)] : [])];
}

const maxShown = 5;

function listRows(label: string, names: readonly string[], style: Style, layout: Layout): Row[] {
	if (names.length === 0) return [];
	const spans = names.flatMap((text, index): Span[] => [
		...(index === 0 ? [] : [{text: ', ', style: 'dim' as const}]),
		{text, style},
	]);
	return lineRows([{text: `${label} `, style: 'dim'}, ...spans], layout);
}
