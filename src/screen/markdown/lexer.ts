import {Lexer, Tokenizer, type MarkedToken, type Token, type Tokens, type TokensList} from 'marked';

/**
Returns the top-level blocks of a text. Joining their `raw` fields gives the text again. Reference definitions are
treated as plain text, so that no block depends on a later one. Text for which the lexer would take long is plain too:
nesting beyond `maxDepth`, and a paragraph or a fence with many marks.
*/
export function lex(text: string): MarkedToken[] {
	return new BoundedLexer({gfm: true, tokenizer: new BoundedTokenizer()}).lex(text) as MarkedToken[];
}

/** Returns stored text as a block without Markdown. */
export function plainBlock(raw: string): MarkedToken {
	return {type: 'text', raw, text: raw, escaped: false};
}

/** The maximum depth of nested quotes and lists. The lexer reads the text again for each level. */
const maxDepth = 24;
/** The maximum number of marks in a paragraph, because the search for closing emphasis takes quadratic time. */
const maxMarks = 800;
/** The maximum number of marks in a fence, because the search for its end takes quadratic time. */
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

	/** A row with more cells than the table has columns would lose some of them, so such a table is plain text. */
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
