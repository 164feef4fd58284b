import {expect, it} from 'vitest';
import {textOf} from '../../../src/screen/spans/row.ts';
import {markdownRows} from '../../../src/screen/markdown/stream.ts';

const layout = {columns: 80};

it('a paragraph with more marks than the lexer can search in a frame is plain text', () => {
	const text = '*a_'.repeat(20_000);
	expect(markdownRows(text, layout).map(textOf).join('')).toBe(text);
});

it('a paragraph with few marks has its emphasis', () => {
	expect(textOf(markdownRows(`${'word '.repeat(400)}**bold**`, layout).at(-1)!)).toMatch(/bold$/);
});
