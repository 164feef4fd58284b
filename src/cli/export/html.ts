import type {ExportedImage} from '../../pod/index.ts';
import {sanitize, sanitizeLine} from '../../text/sanitize.ts';
import type {ExportFacts} from './facts.ts';
import type {Part, Section} from './parts.ts';
import {exportTexts} from './texts.ts';

/**
Returns a session as one HTML page. It has no script and loads nothing. Its policy forbids both for all contents. Images
are in the page itself. All texts are escaped, and invisible and control characters are visible, as on the screen.
*/
export function htmlOf({rows}: ExportFacts, parts: readonly Part[]): string {
	const [, id = ''] = rows[0] ?? [];
	return [
		'<!doctype html>',
		'<html lang="en">',
		'<head>',
		'<meta charset="utf-8">',
		`<meta http-equiv="Content-Security-Policy" content="${policy}">`,
		'<meta name="viewport" content="width=device-width">',
		'<meta name="color-scheme" content="light dark">',
		'<meta name="referrer" content="no-referrer">',
		`<title>inkpod ${escaped(id)}</title>`,
		`<style>${style}</style>`,
		'</head>',
		'<body>',
		'<h1>inkpod</h1>',
		'<dl>',
		...rows.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`),
		'</dl>',
		...parts.map(partHtml),
		'</body>',
		'</html>',
		'',
	].join('\n');
}

function partHtml({kind, id, title, sections, image, inner = [], isFolded, isRewound}: Part): string {
	const name = escaped(isRewound ? `${title} (${exportTexts.rewound})` : title);
	const open = `<section class="${kind}${isRewound ? ' rewound' : ''}" id="${escaped(sanitizeLine(id))}">`;
	const body = [
		...(image === undefined ? [] : [imageHtml(image, name)]),
		...sections.map(sectionHtml),
		...inner.map(partHtml),
	].join('');
	if (body === '') return `${open}<p>${name}</p></section>`;
	return isFolded
		? `${open}<details><summary>${name}</summary>${body}</details></section>`
		: `${open}<h2>${name}</h2>${body}</section>`;
}

/** No escapes are needed: the type is one of four, and base64 has no special characters. */
function imageHtml({mime, width, height, base64}: ExportedImage, name: string): string {
	return `<img alt="${name}" width="${width}" height="${height}" src="data:${mime};base64,${base64}">`;
}

function sectionHtml({label, text}: Section): string {
	// HTML ignores a newline right after <pre>, so an additional newline is written.
	return `${label === undefined ? '' : `<h3>${escaped(label)}</h3>`}<pre>\n${escaped(sanitize(text))}</pre>`;
}

function escaped(text: string): string {
	return text.replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}

/** Images may only come from the page itself. */
const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:`;

const style = `
:root{color-scheme:light dark;--edge:#8884;--user:#0969da;--model:#0a7c6c;--bad:#b42318}
body{font:15px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
body{max-width:72rem;margin:2rem auto;padding:0 1rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:0 0 1.5rem}
dt{opacity:.7}dd{margin:0;overflow-wrap:anywhere}
section{content-visibility:auto;contain-intrinsic-size:auto 5rem}
section{border-left:3px solid var(--edge);padding:.1rem 0 .1rem .8rem;margin:.6rem 0}
section.user{border-color:var(--user)}section.assistant{border-color:var(--model)}
section.rewound{opacity:.55}
h1{font-size:1.2rem}h2{font-size:.95rem;margin:.2rem 0}
h3{font-size:.85rem;font-weight:normal;opacity:.7;margin:.4rem 0 0}
summary{cursor:pointer;overflow-wrap:anywhere}
img{max-width:100%;height:auto;max-height:40rem;object-fit:contain;object-position:left}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.3rem 0;font:inherit}
section.usage p{margin:0;opacity:.6;font-size:.85rem}
@media(prefers-color-scheme:dark){:root{--user:#6cb6ff;--model:#57d3bb}}
@media(prefers-color-scheme:dark){body{background:#111;color:#ddd}}
`.trim();
