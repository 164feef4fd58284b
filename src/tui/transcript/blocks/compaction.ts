import {lineRows, storedRows} from '../../screen/row.ts';
import {sanitizeLine} from '../../screen/sanitize.ts';
import {formatCount, plural} from './format.ts';
import {bodyLayout, preview, type Renderer} from './render.ts';

/** Before and after in tokens, what was kept, what is referred to, what could not be read again; the summary below. */
export const compactionRenderer: Renderer<'compaction'> = {
	apart: true,
	head({item}) {
		const kept = item.keptIds.length === 0 ? '' : `, ${plural(item.keptIds.length, 'item')} kept`;
		return {gutter: {text: '◆ ', style: 'accent'}, spans: [{text: 'Compaction ', style: 'bold'}, {text: `${formatCount(item.before)} → ${formatCount(item.after)} tokens${kept}`, style: 'dim'}]};
	},
	body({item}, context) {
		const layout = bodyLayout(context);
		return [
			...preview(item.summary, context),
			...item.refs.flatMap(ref => lineRows([{text: 'see ', style: 'dim'}, {text: sanitizeLine(ref), style: 'path'}], layout)),
			...item.refused.flatMap(({path, reason}) => lineRows([{text: sanitizeLine(path), style: 'path'}, {text: ` was not read again: ${sanitizeLine(reason)}`, style: 'warn'}], layout)),
			...(context.view === 'detail' ? storedRows(`by ${item.model}; kept from ${item.firstKept} on`, layout, 'dim') : []),
		];
	},
};
