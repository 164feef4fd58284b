import {sanitizeLine} from '../../../text/sanitize.ts';
import {formatCount, formatDuration} from '../../../text/formats.ts';
import {lineRow, type Row} from '../../../text/row.ts';
import type {Style} from '../../../text/theme.ts';
import type {BlockOf, ChildItems} from '../../fold/block.ts';
import {preview, type Head, type RenderContext, type Renderer} from './render.ts';
import {childStates, unknownChild} from '../../texts.ts';

/** Renders a child session that the user started: one row, and its task in the detail view. */
export const childRenderer: Renderer<'child'> = {
	apart: true,
	folds: true,
	isLine: () => true,
	head: ({child}) => childHead(child),
	body: ({child}, context) =>
		context.view === 'detail' && child.started !== undefined ? preview(child.started.task, context) : [],
};

/** Returns the row of a child session below the call that started it. */
export function childRow(child: ChildItems, context: RenderContext): Row {
	const {gutter, spans} = childHead(child);
	return lineRow([gutter, ...spans], {columns: context.columns, gutter: {text: '  '}});
}

/** Returns the text of a child session for a screen reader. */
export function childWords({child}: Pick<BlockOf<'child'>, 'child'>): string {
	return [titleOf(child), ...factsOf(child)].join(', ');
}

function childHead(child: ChildItems): Head {
	const {glyph, style} = signs[child.ended?.outcome ?? 'running'];
	return {
		gutter: {text: `${glyph} `, style},
		spans: [{text: titleOf(child)}, {text: ['', ...factsOf(child)].join(' · '), style: 'dim'}],
	};
}

function titleOf({started}: ChildItems): string {
	return started === undefined ? unknownChild : sanitizeLine(started.title);
}

function factsOf({ended}: ChildItems): readonly string[] {
	if (ended === undefined) return [childStates.running];
	const {input = 0, output = 0} = ended.usage;
	return [childStates[ended.outcome], formatDuration(ended.ms), `${formatCount(input + output)} tokens`];
}

const signs: {readonly [State in keyof typeof childStates]: {readonly glyph: string; readonly style: Style}} = {
	running: {glyph: '◔', style: 'info'},
	finished: {glyph: '●', style: 'ok'},
	failed: {glyph: '×', style: 'error'},
	stopped: {glyph: '■', style: 'warn'},
	interrupted: {glyph: '■', style: 'warn'},
};
