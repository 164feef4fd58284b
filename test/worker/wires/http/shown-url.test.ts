import {describe, expect, it} from 'vitest';
import {authorizationOf, secretsOf, shownUrl, withoutCredentials} from '../../../../src/worker/wires/http/shown-url.ts';

describe('a shown URL', () => {
	it.each([
		['https://user:secret@host:8443/v1?key=secret#secret', 'https://host:8443/v1'],
		['https://secret-token@host', 'https://host'],
		['http://host/', 'http://host'],
		['http://us%40er:p%3Aw@[::1]:80/a', 'http://[::1]/a'],
		['file:///etc/passwd', 'file:…'],
		['data:text/plain,secret', 'data:…'],
		['https://user:sec ret@ho st/', '(not a URL)'],
		['secret', '(not a URL)'],
		['https://host/k/sk-ant-api03-FAKEFAKEFAKEFAKE/v1', 'https://host/k/[key]/v1'],
		['https://host/0123456789abcdef', 'https://host/[key]'],
		['https://host/api-key/hush-hush/v1', 'https://host/api-key/[key]/v1'],
		['https://host/key=hush/v1/', 'https://host/[key]/v1/'],
		['https://gateway.example/v1/tokens/count', 'https://gateway.example/v1/tokens/count'],
	])('looks like this: %s -> %s', (written, shown) => {
		expect(shownUrl(written)).toBe(shown);
	});
});

describe('a text with URLs', () => {
	it.each([
		['see https://user:pw@host/x, or http://tok@b', 'see https://host/x, or http://b'],
		['postgres://u:p%40w@db:5432/x?sslmode=require', 'postgres://db:5432/x?sslmode=require'],
		['http://a:b@c@host/x', 'http://host/x'],
		['mail me@example.org about http://host/@path', 'mail me@example.org about http://host/@path'],
		['HTTPS://U:P@HOST', 'HTTPS://HOST'],
		[
			'no https://host/0123456789abcdef/v1?x, (https://u@h/0123456789abcdef).',
			'no https://host/[key]/v1?x, (https://h/[key]).',
		],
		['at file:///dist/0123456789abcdef.js:1:2', 'at file:///dist/0123456789abcdef.js:1:2'],
		['POST https://host/0123456789abcdef: ECONNRESET', 'POST https://host/[key]: ECONNRESET'],
	])('loses user names and passwords: "%s"', (written, shown) => {
		expect(withoutCredentials(written)).toBe(shown);
	});
});

describe('the secrets of a URL', () => {
	it('include its password and the longer values of its query, encoded and decoded', () => {
		expect(secretsOf(new URL('https://user:p%40ssword@h/?key=abcd%2Fefgh&v=true'))).toEqual([
			'p%40ssword',
			'p@ssword',
			'abcd%2Fefgh',
			'abcd/efgh',
		]);
	});

	it('include the keys in its path', () => {
		const url = new URL('https://h/x/0123456789abcdef/token/hush%2Dhush/v1');
		expect(secretsOf(url)).toEqual(['0123456789abcdef', '0123456789abcdef', 'hush%2Dhush', 'hush-hush']);
	});

	it('include its user name when there is no password', () => {
		expect(secretsOf(new URL('https://token@h/'))).toEqual(['token', 'token']);
	});
});

describe('the authorization of a URL', () => {
	it('is basic and contains its decoded user name and password', () => {
		expect(authorizationOf(new URL('https://us%65r:p%40w@h/'))).toBe(
			`Basic ${Buffer.from('user:p@w').toString('base64')}`,
		);
		expect(authorizationOf(new URL('https://h/'))).toBeUndefined();
	});
});
