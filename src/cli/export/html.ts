import {type ExportedImage} from '../../pod/index.ts';
import {highlight} from '../../screen/markdown/highlight.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {ExportFacts} from './facts.ts';
import {inReadingOrder, isMarkdown, type Part, type Section} from './parts.ts';
import {blocksHtml, blocksOf, codeHtml, escaped, type Colour} from './prose.ts';
import {styleOf} from './style.ts';
import {exportTexts} from './texts.ts';

/**
Returns a session as one HTML page: its title, its conversation, and then its settings and its record, which are
collapsed. The page has no script and loads nothing, and its content security policy forbids scripts and loading. Images
are in the page itself. All texts are escaped, and invisible and control characters are visible, as on the screen.
*/
export function htmlOf({title, about, rows}: ExportFacts, parts: readonly Part[]): string {
	const colour = boundedColour();
	const {conversation, settings} = inReadingOrder(parts);
	return [
		'<!doctype html>',
		'<html lang="en">',
		'<head>',
		'<meta charset="utf-8">',
		`<meta http-equiv="Content-Security-Policy" content="${policy}">`,
		'<meta name="viewport" content="width=device-width">',
		'<meta name="color-scheme" content="light dark">',
		'<meta name="referrer" content="no-referrer">',
		'<meta name="generator" content="inkpod">',
		`<meta name="description" content="${escaped(about)}">`,
		`<title>${escaped(title)}</title>`,
		`<style>${styleOf()}</style>`,
		'</head>',
		'<body>',
		`<header><h1>${escaped(title)}</h1><p class="about">${escaped(about)}</p></header>`,
		'<main>',
		...conversation.map(part => partHtml(part, colour)),
		'</main>',
		'<footer>',
		...settings.map(part => partHtml(part, colour)),
		`<details><summary>${escaped(exportTexts.record)}</summary><dl>`,
		...rows.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`),
		'</dl></details>',
		'</footer>',
		'</body>',
		'</html>',
		'',
	].join('\n');
}

function partHtml(part: Part, colour: Colour): string {
	const {kind, id, title, sections, image, inner = [], isFolded, isRewound} = part;
	const name = escaped(isRewound ? `${title} (${exportTexts.rewound})` : title);
	const open = `<section class="${kind}${isRewound ? ' rewound' : ''}" id="${escaped(sanitizeLine(id))}">`;
	const {conversation, settings} = inReadingOrder(inner);
	const body = [
		...(image === undefined ? [] : [imageHtml(image, name)]),
		...sections.map(section => sectionHtml(section, isMarkdown(part), colour)),
		...[...conversation, ...settings].map(each => partHtml(each, colour)),
	].join('');
	if (body === '') return `${open}<p>${name}</p></section>`;
	return isFolded
		? `${open}<details><summary>${name}</summary>${body}</details></section>`
		: `${open}<h2>${name}</h2>${body}</section>`;
}

/**
Returns an image as HTML. Nothing is escaped, because the type is one of four, and base64 has no special characters.
*/
function imageHtml({mime, width, height, base64}: ExportedImage, name: string): string {
	return `<img alt="${name}" width="${width}" height="${height}" src="data:${mime};base64,${base64}">`;
}

function sectionHtml({label, text, language}: Section, isProse: boolean, colour: Colour): string {
	const name = label === undefined ? '' : `<p class="label">${escaped(label)}</p>`;
	if (isProse) return `${name}<div class="prose">${blocksHtml(blocksOf(text), colour)}</div>`;
	return name + codeHtml(text, language === undefined ? undefined : colour(text, language));
}

/**
Returns the highlighter of the screen with a time limit for the whole page, because many texts could be slow to colour.
After the limit, the rest of the page has no colours.
*/
function boundedColour(): Colour {
	let left = maxColouring;
	return (code, language) => {
		if (left <= 0) return undefined;
		const since = performance.now();
		const coloured = highlight(code, language);
		left -= performance.now() - since;
		return coloured;
	};
}

/** The time limit for colouring a page, in milliseconds. */
const maxColouring = 10_000;

/** The content security policy of the page: images may only come from the page itself. */
const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:`;
