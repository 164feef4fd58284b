import {t} from '../../../language/index.ts';
import {sanitizeLine} from '../../../text/sanitize.ts';
import {formatCount, formatDuration} from '../../../text/formats.ts';
import type {Style} from '../../../text/span.ts';
import type {BlockOf, ChildItems} from '../../../transcript/block.ts';
import {preview, type Head, type Renderer} from './render.ts';
import {childStates, unknownChild} from '../../../transcript/texts.ts';

/** Renders a child session that the user started: one row, and its task in the detail view. */
export const childRenderer: Renderer<'child'> = {
	apart: true,
	folds: true,
	isLine: () => true,
	head: ({child}) => childHead(child),
	body: ({child}, context) =>
		context.view === 'detail' && child.started !== undefined ? preview(child.started.task, context) : [],
};

/** Returns the text of a child session for a screen reader. */
export function childWords({child}: Pick<BlockOf<'child'>, 'child'>): string {
	return [titleOf(child), ...(child.ended === undefined ? [childStates.running] : childFacts(child))].join(', ');
}

function childHead(child: ChildItems): Head {
	const {glyph, style: sign} = signs[child.ended?.outcome ?? 'running'];
	const facts = childFacts(child);
	const style = child.ended?.outcome === 'failed' ? 'error' : 'dim';
	return {
		gutter: {text: `${glyph} `, style: sign},
		spans: [
			{text: titleOf(child)},
			...(facts.length === 0 ? [] : [{text: ['', ...facts].join(' · '), style} as const]),
		],
	};
}

function titleOf({started}: ChildItems): string {
	return started === undefined ? unknownChild : sanitizeLine(started.title);
}

/** Returns how a child ended, its time and its tokens. The screen itself adds what a child without an end does now. */
export function childFacts({ended}: ChildItems): readonly string[] {
	if (ended === undefined) return [];
	const {outcome, usage, ms} = ended;
	const tokens = (usage.input ?? 0) + (usage.output ?? 0);
	return [
		...(outcome === 'finished' ? [] : [childStates[outcome]]),
		formatDuration(ms),
		...(tokens === 0 ? [] : [t`${formatCount(tokens)} tokens`]),
	];
}

const signs: {readonly [State in keyof typeof childStates]: {readonly glyph: string; readonly style: Style}} = {
	running: {glyph: '◔', style: 'info'},
	finished: {glyph: '●', style: 'ok'},
	failed: {glyph: '×', style: 'error'},
	stopped: {glyph: '■', style: 'warn'},
	interrupted: {glyph: '■', style: 'warn'},
};
