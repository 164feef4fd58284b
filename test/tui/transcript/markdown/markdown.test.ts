import {expect, test} from 'vitest';
import {markdownRows} from '../../../../src/tui/transcript/markdown/stream.ts';
import {createTheme} from '../../../../src/tui/theme.ts';

const layout = {columns: 80, theme: createTheme(0)};

test('a paragraph with more marks than the lexer can search in a frame, is shown as it stands', () => {
	const text = '*a_'.repeat(20_000);
	expect(markdownRows(text, layout).map(row => row.text).join('')).toBe(text);
});

test('a paragraph with few marks, has its emphasis', () => {
	expect(markdownRows(`${'word '.repeat(400)}**bold**`, layout).at(-1)!.text).toMatch(/bold$/);
});
