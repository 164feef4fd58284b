import {describe, expect, it} from 'vitest';
import {codeBlocks} from '../../../src/screen/control/commands/copy-answer.ts';
import {textOf} from '../../../src/screen/spans/row.ts';
import {storedText} from '../../../src/screen/spans/links.ts';
import {highlight, loadHighlight} from '../../../src/screen/markdown/highlight.ts';
import {createMarkdownStream, markdownRows} from '../../../src/screen/markdown/stream.ts';

const layout = {columns: 80};
const size = 200_000;
const times = (unit: string) => unit.repeat(Math.ceil(size / unit.length));
const growing = (lineOf: (index: number) => string) => {
	let text = '';
	for (let index = 0; text.length < size; index++) text += lineOf(index);
	return text;
};

/** These texts have taken Markdown parsers minutes, or the whole stack. */
const bombs: ReadonlyArray<readonly [name: string, text: string]> = [
	...['*_', '*a_', '*a ', '_a ', '**a', '~~a ', '**a*', 'a**b', '_a__b', '*[_~~'].map(
		unit => [`emphasis ${unit}`, times(unit)] as const,
	),
	...['[', '[a]', '![[]()', '[a](', '[a](b "', '[a][b]', '[a]: b\n', '[a]: <'].map(
		unit => [`links ${unit}`, times(unit)] as const,
	),
	['links in links', `${'['.repeat(size / 2)}a${'](b)'.repeat(size / 8)}`],
	...['<', '<a ', '<!--', '<![CDATA[', '<?', '<!A ', '<div>', '<div>\n', '<a b=" ', '&amp;', '&a'].map(
		unit => [`markup ${unit}`, times(unit)] as const,
	),
	['an open comment', `<!-- ${times('a ')}`],
	['attributes', `<a ${times('b=c ')}`],
	...['`', '`a``b```c ', '~', '```\n', '\\', '\\*'].map(unit => [`marks ${unit}`, times(unit)] as const),
	['rows of backticks', growing(index => `${'`'.repeat((index % 400) + 1)}a`)],
	...['>', '> ', '> - a\n', '>\n', '- > '].map(unit => [`quotes ${unit}`, times(unit)] as const),
	['quotes one deeper a line', growing(index => `${'>'.repeat(index + 1)} a\n`)],
	['a quote that goes on', `> a\n${times('b\n')}`],
	...['- ', '1. ', '- a\n', '- a\n\n', '- [ ] ', '* * ', '- - -a\n'].map(
		unit => [`lists ${unit}`, times(unit)] as const,
	),
	['lists one deeper a line', growing(index => `${' '.repeat(index * 2)}- a\n`)],
	['a long table', `|a|b|\n|-|-|\n${times('|c|d|\n')}`],
	['a wide table', `${times('|a')}|\n${times('|-')}|\n${times('|c')}|\n`],
	['no table', `${times('|a')}\n${times('|-')}x\n`],
	['a cell of pipes', `a|b\n-|-\n${times('\\|')}`],
	['a heading below', `${times('a\n')}===`],
	['spaces', `a${times(' ')}b`],
	...['\n', ' \n', '\t', '    a\n', '# '].map(unit => [`white space ${JSON.stringify(unit)}`, times(unit)] as const),
	...['www.a.', 'http://a', 'a@', 'a.', 'aaaa@a.b-'].map(unit => [`addresses ${unit}`, times(unit)] as const),
	['an open fence', `\`\`\`\n${times('a\n')}`],
	['one line', times('word ')],
];

describe.each(bombs)('hostile Markdown: %s', (_, text) => {
	it('is shown without delay, whole and while it streams, and loses no letter', () => {
		const letters = (shown: string) => shown.match(/[abcd]/g)?.length ?? 0;
		const rows = markdownRows(text, layout);
		const stream = createMarkdownStream(layout);
		for (let at = 0; at < 60_000; at += 6000) stream.rows(text.slice(0, at), true);
		const shown = rows.map(row => storedText(row)).join('');
		if (!/[<&]|\]\(|\[a\]|www|http|@/.test(text)) expect(letters(shown)).toBe(letters(text));
		expect(stream.rows(text, true).length).toBeGreaterThanOrEqual(0);
		expect(codeBlocks(text.slice(0, 60_000)).length).toBeGreaterThanOrEqual(0);
	}, 60_000);
});

describe('code that a grammar would parse for minutes', () => {
	const line = `${'<script>'.repeat(25)}\n`;

	it.each([
		['ini', 'a'],
		['c', 'from '],
		['cpp', '__'],
		['typescript', '_'],
		['xml', line],
	])(
		'has no colours: %s %j',
		async (language, unit) => {
			await loadHighlight();
			const code = unit.repeat(180_000 / unit.length);
			expect(highlight(code, language) === undefined).toBe(true);
			expect(highlight('a = 1', language)).toHaveLength(1);
		},
		20_000,
	);
});

describe('text that Markdown would hide', () => {
	it.each([
		['cells beyond the columns', '| a | b |\n|---|---|\n| 1 | 2 | hidden |'],
		['the title of a link', '[a](http://b.c "hidden")'],
		['the title of an image', '![a](http://b.c "hidden")'],
		['words after a language', '```ts hidden words\nx\n```'],
		['words after a language, in an open fence', '```ts hidden words\nx'],
		['an unknown language', `\`\`\`${'x'.repeat(30)}hidden\nx\n\`\`\``],
		['a comment', '<!-- hidden -->'],
		['a definition', '[a]: http://b.c "hidden"'],
		['an attribute', '<b title="hidden">x</b>'],
	])('is shown: %s', (_, text) => {
		expect(markdownRows(text, layout).map(textOf).join('\n')).toContain('hidden');
		expect(createMarkdownStream(layout).rows(text).map(textOf).join('\n')).toContain('hidden');
	});
});
