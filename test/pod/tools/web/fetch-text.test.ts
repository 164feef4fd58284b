import {describe, expect, it} from 'vitest';
import {FetchError} from '../../../../src/pod/tools/web/failure.ts';
import {pageText, htmlText} from '../../../../src/pod/tools/web/fetch-text.ts';

const {signal} = new AbortController();

async function textOf(body: string | Buffer, contentType: string): Promise<string> {
	try {
		const page = {body: Buffer.from(body), contentType, finalUrl: 'https://example.com/docs/a'};
		return (await pageText(page, signal)).text;
	} catch (error) {
		if (error instanceof FetchError) return error.message;
		throw error;
	}
}

describe('an HTML page', () => {
	it('becomes text with headings, lists, tables, code and whole links', async () => {
		const text = await textOf(
			'<!doctype html><title>T</title><script>run()</script><style>p{}</style><h1>One &amp; two</h1>' +
				'<p>See <a href="../b?c=d">the guide</a>.</p><ul><li>a<li>b</ul>' +
				'<pre><code class="language-js">if (a &lt; 2) {}</code></pre>' +
				'<table><tr><th>A<th>B<tr><td>1<td>2</table>',
			'text/html; charset=utf-8',
		);
		expect(text).toContain('# One & two');
		expect(text).toContain('See [the guide](https://example.com/b?c=d).');
		expect(text).toContain('- a\n- b');
		expect(text).toContain('```js\nif (a < 2) {}\n```');
		expect(text).toContain('| 1 | 2 |');
		expect(text).not.toMatch(/run\(\)|p\{\}/);
	});

	it.each([
		['100,000 nested elements', '<div>'.repeat(100_000)],
		['a million nested bold texts', '<b>'.repeat(1_000_000)],
		['a huge attribute', `<a href="${'a'.repeat(4_000_000)}">x</a>`],
		['half a million attributes', `<a ${'b=c '.repeat(500_000)}>`],
		['unclosed comments', '<!--'.repeat(1_000_000)],
		['unclosed tags', '<a '.repeat(1_000_000)],
		['only less-than signs', '<'.repeat(5_000_000)],
		['nested tables', '<table><tr><td>'.repeat(200_000)],
		['nested lists', '<ul><li>'.repeat(300_000)],
		['unclosed scripts', '<script>'.repeat(500_000)],
		['entities', '&amp;&#x41;&nbsp;&bogus;'.repeat(150_000)],
	])('of %s is converted or refused in time, and the chat goes on meanwhile', async (_, html) => {
		let turns = 0;
		const timer = setInterval(() => (turns += 1), 5);
		const begin = performance.now();
		const text = await htmlText({html, url: 'https://example.com/'}, signal, {timeoutMs: 3000, maxHeapMb: 768});
		clearInterval(timer);
		expect(['string', 'undefined']).toContain(typeof text);
		const ms = performance.now() - begin;
		expect(ms).toBeLessThan(10_000);
		expect(turns).toBeGreaterThan(Math.floor(ms / 100));
	});

	it('whose links are much longer than the page is refused', async () => {
		const html = '<a href=x>y</a>'.repeat(300_000);
		const url = `https://example.com/${'a'.repeat(8000)}/`;
		expect(await htmlText({html, url}, signal, {timeoutMs: 20_000, maxHeapMb: 768})).toBeUndefined();
	});

	it('that exceeds a limit, or an abort, ends its thread', async () => {
		const html = '<p>x'.repeat(500_000);
		expect(await htmlText({html, url: 'https://a/'}, signal, {timeoutMs: 1, maxHeapMb: 64})).toBeUndefined();
		const stop = new AbortController();
		const ended = htmlText({html, url: 'https://a/'}, stop.signal);
		stop.abort(new Error('stopped'));
		await expect(ended).rejects.toThrow('stopped');
	});
});

describe('the type of a page', () => {
	it.each([
		['text/plain', 'a <b>', 'a <b>'],
		['text/markdown', '# a', '# a'],
		['text/css', 'p {}', 'p {}'],
		['application/json', '{"a": 1}', '{"a": 1}'],
		['application/problem+json; charset=utf-8', '{}', '{}'],
		['application/rss+xml', '<rss/>', '<rss/>'],
		['image/svg+xml', '<svg/>', '<svg/>'],
		['', '<!DOCTYPE html><p>a', 'a'],
		['nonsense', 'plain', 'plain'],
	])('%s of %s is read as text', async (type, body, text) => {
		expect((await textOf(body, type)).trim()).toBe(text);
	});

	it.each([
		['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47]), 'type image/png, 4 bytes'],
		['application/pdf', Buffer.from('%PDF-1.7'), 'type application/pdf, 8 bytes'],
		['application/octet-stream', Buffer.from('text'), 'type application/octet-stream, 4 bytes'],
		['text/plain', Buffer.from([0, 1, 2]), 'type text/plain, 3 bytes'],
		['', Buffer.from([0, 1, 2]), 'type application/octet-stream, 3 bytes'],
		['text/html', Buffer.from('<p>\0'), 'type text/html, 4 bytes'],
	])('%s of other bytes is refused', async (type, body, problem) => {
		expect(await textOf(body, type)).toBe(problem);
	});
});

describe('the encoding of a text', () => {
	const latin = Buffer.from('caf\u00E9', 'latin1');

	it.each([
		['by the content type', 'text/plain; charset="ISO-8859-1"', latin, 'café'],
		['by a byte order mark first', 'text/plain; charset=iso-8859-1', Buffer.from('\uFEFFcafé'), 'café'],
		['as UTF-16 with a mark', 'text/plain', Buffer.from('\uFEFFcafé', 'utf16le'), 'café'],
		['as Shift JIS', 'text/plain; charset=shift_jis', Buffer.from([0x83, 0x65]), 'テ'],
		[
			'by its own declaration',
			'text/xml',
			Buffer.from('<?xml version="1.0" encoding="latin1"?>\xE9', 'latin1'),
			'é',
		],
		['as UTF-8 without any', 'text/plain', Buffer.from('café'), 'café'],
		['as Windows-1252 otherwise', 'text/plain', latin, 'café'],
		['without an unknown name', 'text/plain; charset=bogus', Buffer.from('café'), 'café'],
		['with line feeds', 'text/plain', Buffer.from('a\r\nb\rc'), 'a\nb\nc'],
	])('is found %s', async (_, type, body, text) => {
		expect((await textOf(body, type)).endsWith(text)).toBe(true);
	});

	it('is found in the beginning of HTML', async () => {
		const html = Buffer.from('<html><head><meta charset="iso-8859-1"><p>caf\u00E9', 'latin1');
		expect((await textOf(html, 'text/html')).trim()).toBe('café');
		const claims = Buffer.from('<meta charset=utf-16><p>café');
		expect((await textOf(claims, 'text/html')).trim()).toBe('café');
	});
});
