import {marked} from 'marked';
import {describe, expect, it} from 'vitest';
import {closedMarkdown} from '../../../src/cli/export/closed-markdown.ts';
import {seededRandom} from '../../helpers/random.ts';

describe('Markdown that leaves nothing open', () => {
	it.each([
		'<details>',
		'text <details>',
		'text <!-- a',
		'x <plaintext>',
		'x <style>',
		'x <textarea>',
		'x <b',
		'a <a href="http://e.io/x">',
		'a </details>',
		'x <?php',
		'x <!X',
		'x <![CDATA[',
		'**<details>**',
		'[<details>](x)',
		'| a | <details> |',
		'`a` <details> `b`',
		'a ` b\n` <details> ` c',
		'`` ` <details> ` ``` ',
		'\\` <details> `',
		'`a\\` <details> `',
		'`<details>',
		'``<details>`',
		'<a title="`"> <details> `',
		'line\n\nother <details>',
		'http://e.io`<details>`',
		'<http:`<b>`>',
		'\\<http://e.io>`<details>`',
		'a www.e.io/`x``<details>`',
		'```\n<x>\n```\ntext <details>',
		'| a | b |\n|---|---|\n| ` | <details> ` |',
	])('is a quotation if HTML begins anywhere: %j', text => {
		expect(closedMarkdown(text)).toBe(
			text
				.split('\n')
				.map(line => (line === '' ? '>' : `> ${line}`))
				.join('\n'),
		);
	});

	it.each([
		'a < b and c > d, 1<2, a <= b, <3',
		'a <- b, a <-> b, x << 2',
		'Use `<details>` and `` a`<b> `` here',
		'See <https://e.io/a?b=c> and <me@e.io>.',
		'```html\n<details>\n```\n\ntext',
		'- `Map<string, number>` is a type',
		'`a`, then\n\n`<b>`',
		'http://e.io `<b>` or `http://e.io`, `<b>`',
	])('stays as it is: %j', text => {
		expect(closedMarkdown(text)).toBe(text);
	});

	it('has no HTML outside of a quotation, whatever the text is', () => {
		const random = seededRandom(7);
		const pieces = [
			'`',
			'`',
			'``',
			'```',
			'<b>',
			'<b',
			'<!-- ',
			'</b>',
			'\\',
			'x',
			' ',
			'\n',
			'\n\n',
			'<',
			'>',
			'"',
		];
		const parts = [
			...pieces,
			'*',
			'[',
			'](',
			'~~~',
			'- ',
			'    ',
			'|',
			'<a@b.c>',
			'<http://e.io>',
			'http://e.io/',
			'$',
			'&lt;',
		];
		const live: string[] = [];
		for (let count = 0; count < 10_000; count++) {
			const length = 2 + Math.floor(random() * 12);
			const text = Array.from({length}, () => parts[Math.floor(random() * parts.length)]).join('');
			if (closedMarkdown(text) === text && hasHtml(text)) live.push(text);
		}
		expect(live).toEqual([]);
	});
});

function hasHtml(text: string): boolean {
	let found = false;
	void marked.walkTokens(marked.lexer(text), ({type}) => {
		found ||= type === 'html';
	});
	return found;
}
