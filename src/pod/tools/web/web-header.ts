import type {WebFacts} from '../../protocol.ts';

/** Returns the line that inkpod puts before a page's text. The model reads it. */
export function webHeader({url, finalUrl}: Pick<WebFacts, 'url' | 'finalUrl'>): string {
	return finalUrl === url ? `[Web: ${url}]` : `[Web: ${url} → ${finalUrl}]`;
}
