import {describe, expect, it} from 'vitest';
import {checkUrl, isSameSite} from '../../../../src/pod/ground/text/web-url.ts';

describe('the check of a web address', () => {
	it.each([
		['HTTPS://Example.COM:443/a/../b#c', 'https://example.com/b'],
		['http://2130706433/', 'http://127.0.0.1/'],
		['http://017700000001', 'http://127.0.0.1/'],
		['http://0x7f.1/', 'http://127.0.0.1/'],
		['http://127.0.0.1./', 'http://127.0.0.1/'],
		['http://localhost./', 'http://localhost/'],
		['http://１２７.0.0.1/', 'http://127.0.0.1/'],
		['http://[::ffff:7f00:1]/', 'http://127.0.0.1/'],
		['https://Bücher.example/ä?q=ö', 'https://xn--bcher-kva.example/%C3%A4?q=%C3%B6'],
		['http://exam%70le.com/', 'http://example.com/'],
	])('turns %s into %s', (text, href) => {
		expect(checkUrl(text)).toMatchObject({ok: true, url: {href}});
	});

	it.each([
		['https://user:password@example.com/', 'credentials'],
		['https://example.com@evil.com/', 'credentials'],
		['ftp://example.com/', 'scheme'],
		['file:///etc/passwd', 'scheme'],
		['javascript:alert(1)', 'scheme'],
		['data:text/html,x', 'scheme'],
		['http://[fe80::1%25eth0]/', 'not_a_url'],
		['example.com', 'not_a_url'],
		['https:example.com', 'not_a_url'],
		['https:///example.com', 'not_a_url'],
		[String.raw`https:\\example.com`, 'not_a_url'],
		['https://exa\tmple.com/', 'not_a_url'],
		['https://example.com/\u202Emoc', 'not_a_url'],
		['https://example.com/\u200B', 'not_a_url'],
		['http://./', 'not_a_url'],
		['http://example.com../', 'not_a_url'],
		['http://256.1.1.1/', 'not_a_url'],
		['http://example.com:25/', 'port'],
		['http://example.com:6000/', 'port'],
		[`https://example.com/${'a'.repeat(9000)}`, 'too_long'],
		[`https://example.com/${'ä'.repeat(4000)}`, 'too_long'],
	])('refuses %s', (text, reason) => {
		expect(checkUrl(text)).toEqual({ok: false, reason});
	});
});

describe('a site', () => {
	it.each([
		['https://a.com/x', 'https://a.com/y', true],
		['http://a.com/', 'https://a.com/', true],
		['https://a.com/', 'http://a.com/', false],
		['https://a.com/', 'https://www.a.com/', false],
		['https://a.com/', 'https://a.com:8443/', false],
		['http://a.com:8080/', 'https://a.com:8443/', false],
	])('of %s contains %s: %s', (from, to, isSame) => {
		expect(isSameSite(new URL(from), new URL(to))).toBe(isSame);
	});
});
