import {Lexer} from 'marked';
import {describe, expect, it, vi} from 'vitest';
import {createMarkdownStream, markdownRows} from '../../../src/screen/markdown/stream.ts';

const size = 200_000;
const times = (unit: string) => unit.repeat(Math.ceil(size / unit.length));

/** Returns how many characters the lexer reads. */
function lexed(run: () => void): number {
	const seen = vi.spyOn(Lexer.prototype, 'lex');
	run();
	const sum = seen.mock.calls.reduce((total, [text]) => total + text.length, 0);
	seen.mockRestore();
	return sum;
}

describe('the text that the lexer reads', () => {
	it.each([
		['headings', '# a\n'],
		['rules', '---\n'],
		['quotes', '> a\n'],
		['paragraphs', 'a\n\n'],
		['lists', '- a\n'],
		['tables', '|a|\n|-|\n\n'],
		['headings and lines', '# a\nb\n'],
		['headings and code', '# a\n```\nb\n```\n'],
		['headings and lists', '# a\n- b\n'],
		['markup', '<b>a</b>\n'],
		['headings after blank lines', '\n\n\n# a\n# b\n'],
		['short fences', '~~~\na\n~~~\n# b\n'],
	])('is a few times the length of %s', (_, unit) => {
		expect(lexed(() => markdownRows(times(unit), {columns: 80}))).toBeLessThan(8 * size);
	});

	it.each([
		['headings', '# a\n'],
		['paragraphs', 'a\n\n'],
		['lines', 'a b\n'],
	])('does not grow with the length of streaming %s', (_, unit) => {
		const stream = createMarkdownStream({columns: 80});
		const text = times(unit);
		stream.rows(text.slice(0, size - 4000), true);
		expect(lexed(() => stream.rows(text, true))).toBeLessThan(200_000);
		expect(lexed(() => stream.rows(text, true))).toBe(0);
	});
});
