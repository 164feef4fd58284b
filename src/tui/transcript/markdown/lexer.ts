import {Lexer, Tokenizer, type MarkedToken, type Token, type Tokens, type TokensList} from 'marked';

/**
The top-level blocks of a text; their `raw`s joined are the text. Reference definitions are plain text, so that no block
depends on a later one. What would take the lexer long is plain text too: nesting beyond `maxDepth`, a paragraph of many
marks, the fence of a long row of marks.
*/
export function lex(text: string): MarkedToken[] {
	return new BoundedLexer({gfm: true, tokenizer: new BoundedTokenizer()}).lex(text) as MarkedToken[];
}

/** Stored text as a block that is shown as it is. */
export function plainBlock(raw: string): MarkedToken {
	return {type: 'text', raw, text: raw, escaped: false};
}

/** Quotes and lists in each other. The lexer goes over the text once for each, and calls itself. */
const maxDepth = 24;
/** The lexer's search for emphasis that closes is quadratic in the marks of a paragraph. */
const maxMarks = 800;
/** The marks of a fence. The lexer's search for an end is quadratic in them. */
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

	/** A row of more cells than the table has columns would lose them. */
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
