import {Lexer, Tokenizer, type MarkedToken, type Token, type Tokens, type TokensList} from 'marked';
import {sanitizeLine} from '../../text/sanitize.ts';
import {webAddress} from '../spans/links.ts';
import type {Span, Style} from '../../text/span.ts';
import {decodeEntities} from './entities.ts';
import {required} from '../../text/lines.ts';

/**
Returns the top-level blocks of a text. The concatenation of their `raw` fields is the text. Reference definitions are
treated as plain text, so that no block depends on a later block. Text that would take the lexer too long is also plain:
nesting beyond `maxDepth`, and a paragraph or a fence with too many marks.
*/
export function lex(text: string): MarkedToken[] {
	return new BoundedLexer({gfm: true, tokenizer: new BoundedTokenizer()}).lex(text) as MarkedToken[];
}

/** Returns stored text as a block without Markdown. */
export function plainBlock(raw: string): MarkedToken {
	return {type: 'text', raw, text: raw, escaped: false};
}

/** Turns inline tokens into lines of spans. Newlines in the text are kept, although Markdown would join the lines. */
export function inlineLines(tokens: readonly Token[], style: readonly Style[] = []): Span[][] {
	const lines: Span[][] = [[]];
	write(tokens as readonly MarkedToken[], style, lines);
	return lines;
}

/** Returns the spans of inline tokens on a single line. */
export function inlineSpans(tokens: readonly Token[], style: readonly Style[] = []): Span[] {
	return inlineLines(tokens, style).flatMap((line, index) => (index === 0 ? line : [{text: ' '}, ...line]));
}

/**
The maximum depth of nested quotes and lists. There is a limit because the lexer reads the text again for each level.
*/
const maxDepth = 24;

/**
The maximum number of marks in a paragraph. There is a limit because the search for closing emphasis takes quadratic
time.
*/
const maxMarks = 800;

/**
The maximum number of marks in a fence. There is a limit because the search for the end of the fence takes quadratic
time.
*/
const maxFence = 100;

class BoundedLexer extends Lexer {
	#depth = 0;

	override blockTokens(source: string, tokens?: Token[], isClipped?: boolean): Token[];
	override blockTokens(source: string, tokens?: TokensList, isClipped?: boolean): TokensList;
	override blockTokens(source: string, tokens: Token[] = [], isClipped?: boolean): Token[] {
		if (this.#depth > maxDepth) {
			tokens.push(plainBlock(source));
			return tokens;
		}
		this.#depth++;
		try {
			return super.blockTokens(source, tokens, isClipped);
		} finally {
			this.#depth--;
		}
	}

	override inlineTokens(source: string, tokens: Token[] = []): Token[] {
		if (!hasMoreMarks(source, maxMarks)) return super.inlineTokens(source, tokens);
		tokens.push(plainBlock(source));
		return tokens;
	}
}

class BoundedTokenizer extends Tokenizer {
	override def(): undefined {
		return undefined;
	}

	/**
	A table is plain text if a row has more cells than the table has columns, because some cells would be lost
	otherwise.
	*/
	override table(source: string): Tokens.Table | undefined {
		const table = super.table(source);
		const losesCells = table?.raw.split('\n').some(row => countCells(row) > table.header.length);
		return losesCells === true ? undefined : table;
	}

	override fences(source: string): Tokens.Code | undefined {
		return longFence.test(source) ? undefined : super.fences(source);
	}
}

const longFence = new RegExp(`^ {0,3}(?:~{${maxFence}}|\`{${maxFence}})`);

function countCells(row: string): number {
	return row
		.trim()
		.replace(/^\|/, '')
		.replace(/(?<!\\)\|$/, '')
		.split(/(?<!\\)\|/).length;
}

function hasMoreMarks(text: string, max: number): boolean {
	if (text.length <= max) return false;
	let count = 0;
	for (const _ of text.matchAll(/[*_~`[\]<!\\]/g)) if (++count > max) return true;
	return false;
}

function write(tokens: readonly MarkedToken[], style: readonly Style[], lines: Span[][]): void {
	for (const token of tokens) {
		const nested =
			'tokens' in token && Array.isArray(token.tokens) && token.tokens.length > 0
				? (token.tokens as MarkedToken[])
				: undefined;
		const look = looks[token.type];
		const styles = look === undefined ? style : [...style, look];
		if (token.type === 'br') lines.push([]);
		else if (token.type === 'checkbox') put(token.checked ? '[x] ' : '[ ] ', style, lines);
		else if (token.type === 'image') put(imageText(token), style, lines);
		else if (token.type === 'link') writeLink(token, nested, styles, lines);
		else if (
			token.type === 'text' ||
			token.type === 'em' ||
			token.type === 'strong' ||
			token.type === 'del' ||
			token.type === 'paragraph'
		) {
			if (nested === undefined) putLines(token.text, styles, lines, true);
			else write(nested, styles, lines);
		} else if (token.type === 'codespan') putLines(token.text, styles, lines, false);
		else putLines('text' in token && token.type === 'escape' ? token.text : token.raw, styles, lines, false);
	}
}

const looks: {readonly [type: string]: Style | undefined} = {
	strong: 'bold',
	em: 'italic',
	del: 'strike',
	codespan: 'code',
	link: 'link',
};

type Nested = readonly MarkedToken[] | undefined;

type LinkToken = {readonly href: string; readonly text: string; readonly title?: string | null | undefined};

/**
Writes a link as its text and its address, so that the user always sees the address. If both are the same, the address
is written once. The title of a link is also shown, because the model reads the title.
*/
function writeLink(token: LinkToken, nested: Nested, style: readonly Style[], lines: Span[][]): void {
	const href = address(token.href);
	const link = webAddress(href);
	const same = [token.text, `http://${token.text}`, `mailto:${token.text}`].includes(token.href);
	if (same && link !== undefined && token.text === href) putLink(link, style, lines);
	else if (nested === undefined) putLines(token.text, style, lines, true);
	else write(nested, style, lines);
	const title = titleOf(token);
	if (same && title === '') return;
	if (link === undefined) put(` (${href}${title})`, ['path'], lines);
	else {
		put(' (', ['path'], lines);
		putLink(link, ['path'], lines);
		put(`${title})`, ['path'], lines);
	}
}

function imageText(token: LinkToken): string {
	return `[image: ${decodeEntities(token.text)}] (${address(token.href)}${titleOf(token)})`;
}

function titleOf({title}: Pick<LinkToken, 'title'>): string {
	return title === undefined || title === null || title === '' ? '' : ` "${sanitizeLine(decodeEntities(title))}"`;
}

function address(href: string): string {
	return sanitizeLine(decodeEntities(href));
}

function putLines(text: string, style: readonly Style[], lines: Span[][], entities: boolean): void {
	for (const [index, line] of text.split('\n').entries()) {
		if (index > 0) lines.push([]);
		const words = lastLine(lines).length === 0 ? line.replace(indentation, '') : line;
		put(entities ? decodeEntities(words) : words, style, lines);
	}
}

/**
Matches the indentation of a line. The indentation is removed, so that all lines of a paragraph begin in the same
column.
*/
const indentation = /^[ \t]+/;

function put(text: string, style: readonly Style[], lines: Span[][]): void {
	if (text === '') return;
	lastLine(lines).push(style.length === 0 ? {text} : {text, style});
}

/** Writes a web address as a link of the terminal. The text of the link is always its address. */
function putLink(link: string, style: readonly Style[], lines: Span[][]): void {
	lastLine(lines).push({text: link, style, link});
}

function lastLine(lines: readonly Span[][]): Span[] {
	return required(lines.at(-1), 'line');
}
