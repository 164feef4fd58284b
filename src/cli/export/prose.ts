import type {MarkedToken, Token, Tokens} from 'marked';
import {childrenOf, codeOf, infoOf, itemTokens, numberOf} from '../../screen/markdown/block-facts.ts';
import {inlineLines, inlineSpans} from '../../screen/markdown/lexer.ts';
import {normalise} from '../../screen/markdown/markdown.ts';
import {settle} from '../../screen/markdown/settle.ts';
import {inertSpans} from '../../screen/spans/row.ts';
import {colourName} from '../../screen/spans/theme.ts';
import {sanitize, sanitizeLine} from '../../text/sanitize.ts';
import type {Span, Style} from '../../text/span.ts';

/** Returns the coloured spans of each line of code, or `undefined` if the code has no colours. */
export type Colour = (code: string, language: string) => ReadonlyArray<readonly Span[]> | undefined;

/** Returns the blocks of a Markdown text. They are the same blocks that the screen shows. */
export function blocksOf(text: string): readonly MarkedToken[] {
	const {settled, open} = settle(normalise(text));
	return [...settled.flatMap(({tokens}) => tokens), ...open];
}

/**
Returns blocks of Markdown as HTML. The texts are those that the screen shows: HTML in Markdown is text, an image is its
description, and a link is followed by its address. Only http and https addresses become links of the page.
*/
export function blocksHtml(blocks: readonly MarkedToken[], colour: Colour): string {
	return blocks.map(block => blockHtml(block, colour)).join('');
}

/** Returns code as HTML, with colours if the language is known. */
export function codeHtml(text: string, coloured: ReturnType<Colour>): string {
	const html =
		coloured === undefined
			? escaped(sanitize(text))
			: text
					.split('\n')
					.map((_, index) => spansHtml(coloured[index] ?? []))
					.join('\n');
	// HTML ignores a newline right after <pre>, so an additional newline is written.
	return `<pre>\n${html}</pre>`;
}

/** Returns the text that a reader sees in HTML that this file has created. */
export function textOfHtml(html: string): string {
	return html
		.replaceAll('<pre>\n', '')
		.replaceAll(/<\/t[hd]>(?=<t[hd])/g, ' | ')
		.replaceAll(/<\/(?:p|pre|li|tr|h\d|div|blockquote)>|<hr>/g, '\n')
		.replaceAll(/<[^>]*>/g, '')
		.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
		.replaceAll(/\n{2,}/g, '\n\n')
		.trim();
}

export function escaped(text: string): string {
	return text.replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}

function blockHtml(block: MarkedToken, colour: Colour): string {
	const make = makers[block.type] as ((block: MarkedToken, colour: Colour) => string) | undefined;
	return make === undefined ? plainHtml(block.raw) : make(block, colour);
}

const makers: {
	readonly [Type in MarkedToken['type']]?: (block: Extract<MarkedToken, {type: Type}>, colour: Colour) => string;
} = {
	space: () => '',
	paragraph: ({tokens}) => `<p>${inlineHtml(tokens)}</p>`,
	text: ({raw, tokens}) => (tokens === undefined ? plainHtml(raw) : `<p>${inlineHtml(tokens)}</p>`),
	heading({depth, tokens}) {
		const level = Math.min(6, depth + 2);
		return `<h${level}>${inlineHtml(tokens)}</h${level}>`;
	},
	hr: () => '<hr>',
	blockquote: (block, colour) => `<blockquote>${blocksHtml(childrenOf(block), colour)}</blockquote>`,
	list: listHtml,
	table: tableHtml,
	code(block, colour) {
		const {text, language} = codeOf(block);
		const info = block.codeBlockStyle === 'indented' ? '' : sanitizeLine(infoOf(block.raw));
		const code = codeHtml(text, language === undefined ? undefined : colour(text, language));
		return info === '' ? code : `<p class="info">${escaped(info)}</p>${code}`;
	},
};

function plainHtml(raw: string): string {
	return `<p>${escaped(sanitize(raw.replace(/\n+$/, '')))}</p>`;
}

function listHtml({ordered, items}: Tokens.List, colour: Colour): string {
	const name = ordered ? 'ol' : 'ul';
	const each = items.map(item => {
		const number = ordered ? ` value="${Number(numberOf(item))}"` : '';
		return `<li${number}>${blocksHtml(itemTokens(item), colour)}</li>`;
	});
	return `<${name}>${each.join('')}</${name}>`;
}

function tableHtml({header, rows, align}: Tokens.Table): string {
	const cell = (name: 'th' | 'td') => (token: Tokens.TableCell, column: number) =>
		`<${name}${sideOf(align[column])}>${spansHtml(inlineSpans(token.tokens))}</${name}>`;
	const row = (cells: readonly string[]) => `<tr>${cells.join('')}</tr>`;
	const head = row(header.map(cell('th')));
	const body = rows.map(cells => row(cells.map(cell('td')))).join('');
	return `<div class="wide"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>`;
}

function sideOf(side: Tokens.TableCell['align'] | undefined): string {
	return side === 'right' || side === 'center' ? ` class="${side}"` : '';
}

/** Returns inline tokens as HTML. Newlines in the text are kept, as on the screen. */
function inlineHtml(tokens: readonly Token[]): string {
	const lines = inlineLines(tokens);
	while (lines.length > 1 && lines.at(-1)?.length === 0) lines.pop();
	return lines.map(spansHtml).join('\n');
}

function spansHtml(spans: readonly Span[]): string {
	return inertSpans(spans).map(spanHtml).join('');
}

function spanHtml({text, style = [], link}: Span): string {
	const inner =
		link === undefined
			? escaped(text)
			: `<a href="${escaped(link)}" rel="noopener noreferrer">${escaped(text)}</a>`;
	return [style].flat().reduce(styledHtml, inner);
}

function styledHtml(html: string, style: Style): string {
	const tag = tags[style];
	if (tag !== undefined) return `<${tag}>${html}</${tag}>`;
	const name = colourName(style);
	return name === undefined ? html : `<span class="c-${name}">${html}</span>`;
}

const tags: {readonly [Name in Style]?: string} = {bold: 'strong', italic: 'em', strike: 's', code: 'code'};
