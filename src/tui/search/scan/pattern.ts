import {graphemesOf} from '../../text/graphemes.ts';
import {sanitize} from '../../text/sanitize.ts';

/**
Returns the pattern of a query. If the query has no capital letter, case is ignored. A letter with a combining mark
matches in both spellings, but never without its mark. Parts of an emoji sequence do not match.
*/
export function patternOf(query: string): RegExp | undefined {
	const text = sanitize(query.replaceAll(/[\r\n]+/g, ' '))
		.slice(0, maxQuery)
		.toWellFormed();
	if (text === '') return undefined;
	const source = Array.from(graphemesOf(text), ({segment}) => spellings(segment)).join('');
	return new RegExp(`(?<!\\u200d)${source}(?!${extending})`, /\p{Lu}/u.test(text) ? 'gu' : 'giu');
}

/** The maximum number of code units of a query that are used. */
export const maxQuery = 200;

const extending = String.raw`[\p{M}\p{Emoji_Modifier}\u200d]`;

function spellings(grapheme: string): string {
	const forms = [...new Set([grapheme, grapheme.normalize('NFC'), grapheme.normalize('NFD')])].map(form =>
		form.replaceAll(/[$()*+.?[\\\]^{|}/]/g, String.raw`\$&`),
	);
	const [form = '', ...others] = forms;
	return others.length === 0 ? form : `(?:${forms.join('|')})`;
}
