import type {Span} from '../../text/span.ts';
import {formatDuration} from '../../text/formats.ts';
import type {BlockOf} from '../../transcript/block.ts';
import {textRows} from './parts/long-text.ts';
import {bodyGutter, bodyLayout, type Renderer} from './parts/render.ts';
import {encryptedWords, signatureWords, stopText, thinking, thoughtFor} from '../../transcript/texts.ts';

/** Renders thoughts as one dim row with the duration. The detail view adds the text of the thoughts. */
export const thinkingRenderer: Renderer<'thinking'> = {
	apart: true,
	folds: true,
	isLine: () => true,
	head: block => ({gutter, spans: [{text: thinkingWords(block), style: ['dim', 'italic']}]}),
	body({item}, context) {
		if (context.view !== 'detail') return [];
		const lines = [...(item.text === '' ? [] : [item.text.replace(/\n+$/, '')]), ...sealedWords(item.provider)];
		return lines.length === 0 ? [] : textRows(lines.join('\n'), bodyLayout(context, bodyGutter), () => 'dim');
	},
};

export function thinkingWords({item, open}: BlockOf<'thinking'>): string {
	if (open) return thinking;
	return [thoughtFor(formatDuration(item.ms)), item.stop === undefined ? '' : (stopText(item.stop) ?? item.stop)]
		.filter(text => text !== '')
		.join(', ');
}

/**
Returns one line for each signature and each encrypted reasoning in a provider's data. The data itself is not shown,
because nobody can read it.
*/
function sealedWords(data: unknown, key = '', depth = 0): readonly string[] {
	if (depth > maxDepth) return [];
	if (typeof data === 'object' && data !== null)
		return Object.entries(data).flatMap(([name, value]) =>
			sealedWords(value, Array.isArray(data) ? key : name, depth + 1),
		);
	if (typeof data !== 'string') return [];
	const bytes = new TextEncoder().encode(data).length;
	if (/signature/i.test(key)) return [signatureWords(bytes)];
	return /encrypt|redacted/i.test(key) ? [encryptedWords(bytes)] : [];
}

/** The maximum depth of a provider's data. A limit is needed because a provider may send any data. */
const maxDepth = 16;

const gutter: Span = {text: '◌ ', style: 'dim'};
