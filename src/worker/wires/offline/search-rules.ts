import type {Intent} from './intent.ts';
import {fileKinds, group, pattern, quotedText, searchMarker, type Groups} from './patterns.ts';
import {escaped, looksLikePath, pathOf, patternOf, targetsIn, unquoted} from './targets.ts';

type Search = {
	readonly pattern: RegExp;
	readonly output?: Extract<Intent, {kind: 'search'}>['output'];
	/** A weak verb ("show me …") counts as a search only with a search marker. */
	readonly isWeak?: true;
	readonly isRegex?: true;
};

const searches: readonly Search[] = [
	{
		pattern: pattern(
			String.raw`\b(?:which|what)\s+files?\s+(?:contains?|mentions?|uses?|ha(?:ve|s)|imports?|`,
			String.raw`references?|calls?)\s+(?<what>.+)$`,
		),
		output: 'files',
	},
	{
		pattern: pattern(
			String.raw`\bhow\s+(?:many|often)\s+(?:times\s+)?(?<what>.+?)`,
			String.raw`(?:\s+(?:are|is|do|does|exist|appear|occur)\b.*?(?<place>\s+in\s+.+)?)?$`,
		),
		output: 'count',
	},
	{pattern: /\bcount\s+(?<what>.+)$/i, output: 'count'},
	{
		pattern: pattern(
			String.raw`\b(?:search|grep|look|scan|hunt)\s+(?:(?:through\s+|in\s+)?`,
			String.raw`(?:the\s+|this\s+|my\s+|all\s+)*`,
			String.raw`(?:code|codebase|project|repo(?:sitory)?|files?|folder|directory)\s+)?for\s+(?<what>.+)$`,
		),
	},
	{pattern: /\b(?:search|look)\s+(?:in\s+|through\s+)?(?<where>\S+)\s+for\s+(?<what>.+)$/i},
	{pattern: /\bgrep\s+(?:-\w+\s+)*(?<what>.+)$/i, isRegex: true},
	{pattern: /\b(?:find|locate)\s+(?:me\s+)?(?<what>.+)$/i},
	{
		pattern: pattern(
			String.raw`\bwhere\s+(?:is|are|do(?:es)?\s+\w+\s+(?:use|call|define|import))\s+(?<what>.+?)`,
			String.raw`(?:\s+(?:used|defined|declared|called|imported|mentioned|set))?$`,
		),
	},
	{
		pattern: pattern(
			String.raw`\b(?:list|show|get|give|collect|display|print|are\s+there|is\s+there|see|what|which)\s+`,
			String.raw`(?:me\s+)?(?<what>.+)$`,
		),
		isWeak: true,
	},
];

export function searchFor(clause: string): Intent | undefined {
	for (const search of searches) {
		const groups = search.pattern.exec(clause)?.groups;
		const intent = groups === undefined ? undefined : searchIntent(search, groups);
		if (intent !== undefined) return intent;
	}
	return undefined;
}

function searchIntent({output = 'content', isWeak, isRegex}: Search, groups: Groups): Intent | undefined {
	if (isWeak && !searchMarker.test(group(groups, 'what'))) return undefined;
	const {what, ...place} = splitPlace(`${group(groups, 'what')}${group(groups, 'place')}`);
	const {term, isLiteral} = termOf(what);
	if (term === '') return undefined;
	if (output === 'content' && !isWeak && looksLikePath(term) && targetsIn(term).length > 0)
		return {kind: 'list', pattern: term.includes('/') ? term : `**/${term}`};
	const where = groups['where'];
	return {
		kind: 'search',
		pattern: isRegex ? term : isLiteral ? escaped(term) : patternOf(term),
		...place,
		...(where === undefined ? {} : {path: pathOf(where)}),
		output,
	};
}

type Placed = {readonly what: string; readonly path?: string; readonly glob?: string};

const placeAfter = [
	String.raw`\s+(?:in|inside|within|under|across|from|throughout)\s+(?:all\s+)?`,
	String.raw`(?:the\s+|my\s+|our\s+|this\s+)?(?:(?:folder|directory|file|files)\s+)?`,
	String.raw`(?<where>${quotedText}|\S+)(?<rest>(?:\s+\S+){0,2})?.*$`,
].join('');
const quotedAndPlace = pattern(String.raw`^(?<what>${quotedText})`, placeAfter);
const termAndPlace = pattern(String.raw`^(?<what>.+?)`, placeAfter);
const usualFolder = /^(?:src|lib|test|tests|docs|app|bin|scripts|packages|examples)$/;
const everywhere = /^(?:code(?:base)?|project|repo(?:sitory)?|everything|files?|it|here|tree|workspace)$/i;

/** Splits "TODO in src/*.ts" into the term and the place. */
function splitPlace(text: string): Placed {
	const isQuoted = new RegExp(`^(?:${quotedText})`).test(text);
	const groups = (isQuoted ? quotedAndPlace : termAndPlace).exec(text)?.groups;
	if (groups === undefined) return {what: text};
	const what = group(groups, 'what');
	const rest = group(groups, 'rest');
	const place = pathOf(group(groups, 'where'));
	const kind = /^\s+files?\b/i.test(rest) ? fileKinds.get(place.toLowerCase()) : undefined;
	if (kind !== undefined) return {what, glob: kind};
	if (place.includes('*')) return {what, glob: place};
	if (looksLikePath(place) || /^\s+(?:folder|directory)\b/i.test(rest) || usualFolder.test(place))
		return {what, path: place.replace(/(?<=.)\/$/, '')};
	return {what: everywhere.test(place) ? what : text};
}

const wordsBefore = pattern(
	String.raw`^(?:all|every|any|each|the|me|a|an|some|of|for|my|our|words?|strings?|text|comments?|`,
	String.raw`with|containing|that|say|says|lines?|places?|where|we|i|use|uses|usages?|calls?|`,
	String.raw`references?|occurrences?|mentions?|instances?|function|class|variable|symbol|to|there|`,
	String.raw`still|left|open|do)\s+`,
);
const wordsAfter = pattern(
	String.raw`(?:^|[\s,]+)(?:comments?|markers?|notes?|items?|entries|lines?|calls?|usages?|matches|`,
	String.raw`anywhere|everywhere|here|please|for me|thanks|there|left|now|so (?:that|i)\b.*|`,
	String.raw`and (?:tell|show|report|list|count|let|give)\b.*|because\b.*)$`,
);

/** Returns the search term alone, without "all the … comments, please". A quoted term is searched for literally. */
function termOf(text: string): {readonly term: string; readonly isLiteral: boolean} {
	const quoted = new RegExp(quotedText).exec(text)?.[0];
	if (quoted !== undefined) return {term: unquoted(quoted), isLiteral: true};
	let term = text.trim();
	for (let before = ''; before !== term;) {
		before = term;
		term = term
			.replace(wordsBefore, '')
			.replace(wordsAfter, '')
			.replace(/[.,;:!?]+$/, '')
			.trim();
	}
	const singular = term.replaceAll(/\b(TODO|FIXME|HACK)s\b/gi, '$1');
	return {term: singular.replaceAll(/\b(?:todo|fixme)\b/gi, word => word.toUpperCase()), isLiteral: false};
}
