import {describe, expect, it} from 'vitest';
import {
	compileUrlMatches,
	namesAddress,
	siteOf,
	urlGlobProblem,
} from '../../../../src/pod/permissions/approval/url-match.ts';

const surely = (pattern: string, url: string) => compileUrlMatches([pattern]).surely(url).length === 1;
const possibly = (pattern: string, url: string) => compileUrlMatches([pattern]).possibly(url).length === 1;

describe('a pattern of a rule that allows', () => {
	it.each([
		['https://docs.*', 'https://docs.example.com/a/b?c=d'],
		['https://docs.example.com', 'https://DOCS.example.com:443/a#b'],
		['https://docs.example.com/*', 'https://docs.example.com/'],
		['https://docs.example.com/guide/*', 'https://docs.example.com/guide/a?b=c'],
		['https://*.example.com', 'https://a.b.example.com/'],
		['*://example.com', 'http://example.com/'],
		['http://localhost:*', 'http://localhost:3000/x'],
		['http://127.0.0.1:3000', 'http://2130706433:3000/'],
		['https://bücher.example', 'https://xn--bcher-kva.example/'],
		['https://example.com/search?q=*', 'https://example.com/search?q=1'],
		['https://example.com/*', 'https://example.com/caf%C3%A9%20a'],
		['*', 'http://example.com:8080/'],
	])('%s covers %s', (pattern, url) => {
		expect(surely(pattern, url)).toBe(true);
		expect(possibly(pattern, url)).toBe(true);
	});

	it.each([
		['https://docs.example.com', 'https://docs.example.com.evil.com/'],
		['https://docs.example.com', 'https://docs.example.com@evil.com/'],
		['https://docs.example.com', 'https://evil.com/docs.example.com'],
		['https://docs.example.com/*', 'https://evil.com/https://docs.example.com/'],
		['https://docs.example.com', 'http://docs.example.com/'],
		['https://docs.example.com', 'https://docs.example.com:8443/'],
		['https://*.example.com', 'https://example.com/'],
		['https://*.example.com', 'https://evilexample.com/'],
		['https://*.example.com/*', 'https://evil.com/.example.com/'],
		['https://example.com/guide/*', 'https://example.com/guide/../admin'],
		['https://example.com/guide/*', 'https://example.com/guide/%2e%2e/admin'],
		['https://example.com/guide/*', 'https://example.com/guide/..%2fadmin'],
		['https://example.com/guide/*', 'https://example.com/guide/%252e%252e/admin'],
		['https://example.com/guide/*', 'https://example.com/guide/..;/admin'],
		['https://example.com/guide/*', 'https://example.com/guide/%c0%ae%c0%ae/admin'],
		['https://example.com/guide/*', 'https://example.com/guide/%u002e%u002e/admin'],
		['https://example.com/guide/*', 'https://example.com/guide/%ef%bc%8e%ef%bc%8e/admin'],
		['https://example.com/guide/*', 'https://example.com/guide/%'],
		['https://example.com/guide/*', 'https://example.com/guide//../../admin'],
		['https://example.com/search?q=1', 'https://example.com/searchXq=1'],
		['http://127.0.0.1', 'http://127.0.0.1.evil.com/'],
	])('%s does not cover %s', (pattern, url) => {
		expect(surely(pattern, url)).toBe(false);
	});
});

describe('a pattern of a rule that denies', () => {
	it.each([
		['https://example.com/admin', 'https://example.com/admin/users?x=1'],
		['https://example.com/admin', 'https://example.com/admin?x=1'],
		['https://example.com/admin', 'https://example.com//admin'],
		['https://example.com/admin', 'https://example.com/%61dmin'],
		['https://example.com/admin', 'https://example.com/%2561dmin'],
		['https://example.com/admin', 'https://example.com/x/..%2fadmin'],
		['https://example.com/admin', 'https://example.com/ADMIN'],
		['https://example.com/admin/', 'https://example.com/admin;a=b/x'],
		['https://example.com/admin/', 'https://example.com/admin'],
		['https://example.com/admin/', 'https://example.com/admin?x=1'],
		['https://example.com//admin', 'https://example.com/admin'],
		['https://example.com/', 'https://example.com/x'],
		['https://example.com:0443', 'https://example.com/x'],
		['https://example.com:08443', 'https://example.com:8443/x'],
		['https://192.0.2.1', 'https://[::ffff:192.0.2.1]/'],
		['https://192.0.*', 'https://[::ffff:c000:201]/'],
		['https://[::ffff:192.0.2.1]', 'https://192.0.2.1/'],
		['https://[0:0:0:0:0:ffff:c000:201]', 'https://[::ffff:192.0.2.1]/'],
		['https://example.com', 'https://example.com:8443/x'],
		['https://example.com', 'https://example.com./'],
		['https://example.com', 'not an address'],
	])('%s covers %s', (pattern, url) => {
		expect(possibly(pattern, url)).toBe(true);
	});

	it.each([
		['https://example.com', 'https://example.com.evil.com/'],
		['https://example.com:8443', 'https://example.com/'],
		['https://example.com/admin', 'https://example.com/administration'],
	])('%s does not cover %s', (pattern, url) => {
		expect(possibly(pattern, url)).toBe(false);
	});
});

describe('the check of a pattern', () => {
	it.each(['https://docs.*', '*://*', 'http://[::1]:3000/*', 'http://10.*', '*', 'https://a.b/c?d=*'])(
		'accepts %s',
		pattern => {
			expect(urlGlobProblem(pattern)).toBeUndefined();
		},
	);

	it.each([
		'docs.example.com',
		'https://docs.example.com*',
		'https://*example.com',
		'https://user@example.com',
		'ftp://example.com',
		'https://',
		'https://a..b',
		'https://a.b/c#d',
		'https://a.b/c d',
		'https://a.b:x',
		'https://a.b:65536',
		'',
	])('refuses %s', pattern => {
		expect(urlGlobProblem(pattern)).toContain('is not a pattern for web addresses');
	});

	it.each([
		['http://127.0.0.1:*', true],
		['http://10.*', true],
		['http://[fd00::1]/*', true],
		['http://localhost:3000', true],
		['http://app.localhost', true],
		['https://*', false],
		['*', false],
		['https://docs.*', false],
		['https://wiki.corp.example', false],
		['https://localhost.example.com', false],
	])('knows that %s names an address: %s', (pattern, is) => {
		expect(namesAddress(pattern)).toBe(is);
	});

	it('takes time in proportion to the size of the rules and the address', () => {
		const patterns = Array.from({length: 500}, (_, index) => `https://*.a${index}.*/${'*a'.repeat(5)}`);
		const matches = compileUrlMatches(patterns);
		const begin = performance.now();
		for (let times = 0; times < 10; times++) {
			matches.surely(`https://${'a.'.repeat(100)}com/${'a'.repeat(7000)}`);
			matches.possibly(`https://${'a.'.repeat(100)}com/${'%2525'.repeat(1500)}`);
		}
		expect(performance.now() - begin).toBeLessThan(5000);
	});
});

describe('the site of an address', () => {
	it('is its scheme, host and port', () => {
		expect(siteOf('https://a.example:8443/b?c')).toBe('https://a.example:8443/*');
	});
});
