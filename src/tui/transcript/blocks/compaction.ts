import {rangeSuffix} from '../../../pod/protocol.ts';
import {lineRows, type Layout, type Row, type Span} from '../../screen/row.ts';
import {sanitizeLine} from '../../screen/sanitize.ts';
import type {Style} from '../../theme.ts';
import {formatCount, plural} from './format.ts';
import {bodyLayout, preview, type Renderer} from './render.ts';

/** Before and after in tokens, how much the summary stands for and what stayed beside it; below the summary what was read again, what is referred to, and what could not be read. */
export const compactionRenderer: Renderer<'compaction'> = {
	apart: true,
	head({item}) {
		const facts = [
			`${formatCount(item.before)} → ${formatCount(item.after)} tokens`,
			...(item.summarised === undefined ? [] : [`${plural(item.summarised, 'item')} summarised`]),
			...(item.keptIds.length === 0 ? [] : [`${item.keptIds.length} kept`]),
		];
		return {gutter: {text: '◆ ', style: 'accent'}, spans: [{text: 'Compaction', style: 'bold'}, {text: facts.map(fact => ` · ${fact}`).join(''), style: 'dim'}]};
	},
	body({item, read}, context) {
		const layout = bodyLayout(context);
		return [
			...preview(item.summary, context),
			...listRows('read again', read.map(({path, range}) => sanitizeLine(path) + rangeSuffix(range)), 'path', layout),
			...listRows('referred to', item.refs.map(sanitizeLine), 'path', layout),
			...item.refused.flatMap(({path, reason}) => lineRows([{text: 'not read again ', style: 'dim'}, {text: sanitizeLine(path), style: 'path'}, {text: `: ${sanitizeLine(reason)}`, style: 'warn'}], layout)),
			...(context.view === 'detail' ? [...listRows('kept', item.keptIds.map(sanitizeLine), 'plain', layout), ...lineRows([{text: `by ${sanitizeLine(item.model)}, kept from ${sanitizeLine(item.firstKept)} on`, style: 'dim'}], layout)] : []),
		];
	},
};

function listRows(label: string, names: readonly string[], style: Style, layout: Layout): Row[] {
	if (names.length === 0) return [];
	const spans = names.flatMap((text, index): Span[] => [...(index === 0 ? [] : [{text: ', ', style: 'dim' as const}]), {text, style}]);
	return lineRows([{text: `${label} `, style: 'dim'}, ...spans], layout);
}
