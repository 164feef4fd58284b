import type {Span} from '../../text/span.ts';
import {formatDuration} from '../../text/formats.ts';
import type {BlockOf} from '../fold/block.ts';
import {textRows} from './parts/long-text.ts';
import {bodyGutter, bodyLayout, type Renderer} from './parts/render.ts';
import {stopText, thinking, thoughtFor} from '../texts.ts';

/** Renders one dim row with the duration. The detail view adds the thoughts. */
export const thinkingRenderer: Renderer<'thinking'> = {
	apart: true,
	folds: true,
	head: block => ({gutter, spans: [{text: thinkingWords(block), style: ['dim', 'italic']}]}),
	body({item}, context) {
		if (context.view !== 'detail' || item.text === '') return [];
		return textRows(item.text.replace(/\n+$/, ''), bodyLayout(context, bodyGutter), () => 'dim');
	},
};

export function thinkingWords({item, open}: BlockOf<'thinking'>): string {
	if (open) return thinking;
	return [thoughtFor(formatDuration(item.ms)), item.stop === undefined ? '' : (stopText(item.stop) ?? item.stop)]
		.filter(text => text !== '')
		.join(', ');
}

const gutter: Span = {text: '∴ ', style: 'dim'};
