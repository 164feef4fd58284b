import {describe, expect, it} from 'vitest';
import {proxyFor} from '../../../../src/worker/wires/http/proxy-choice.ts';

const proxies = {
	http: {variable: 'HTTP_PROXY', value: 'http://plain:8080'},
	https: {variable: 'https_proxy', value: 'http://user:p%40ss@secure:3128'},
};

function hostFor(url: string, exceptions = ''): string | undefined {
	return proxyFor(new URL(url), {...proxies, exceptions})?.host;
}

describe('the proxy for a URL', () => {
	it('depends on the scheme of the URL', () => {
		expect([hostFor('http://a.example/x'), hostFor('https://a.example/x')]).toEqual(['plain:8080', 'secure:3128']);
		expect(proxyFor(new URL('http://a.example'), {https: proxies.https, exceptions: ''})).toBeUndefined();
	});

	it.each([
		'localhost',
		'LOCALHOST',
		'api.localhost',
		'127.0.0.1',
		'127.9.9.9',
		'0.0.0.0',
		'[::1]',
		'[::ffff:127.0.0.1]',
	])('depends on the scheme of the URL', host => {
		expect([hostFor(`http://${host}:11434/v1`), hostFor(`https://${host}/v1`)]).toEqual([undefined, undefined]);
	});

	it.each([
		['example.com', true, false],
		['.example.com', true, false],
		['*.example.com', true, false],
		['EXAMPLE.com.', true, false],
		['other.org, example.com', true, false],
		['other.org example.com', true, false],
		['*', true, true],
		['api.example.com:443', true, false],
		['api.example.com:8443', false, false],
		['xample.com', false, false],
		['ample.com', false, false],
		['com', true, true],
		['.', false, false],
		[',, ,', false, false],
		['', false, false],
	])('is none for %s, which is this machine', (exceptions, api, other) => {
		expect([
			hostFor('https://api.example.com/v1', exceptions) === undefined,
			hostFor('https://notexample2.com/v1', exceptions) === undefined,
		]).toEqual([api, other]);
	});

	it.each([
		['10.1.2.3', 'https://10.1.2.3/v1', true],
		['10.1.2.3', 'https://10.1.2.4/v1', false],
		['2.3', 'https://10.1.2.3/v1', false],
		['10.0.0.0/8', 'https://10.1.2.3/v1', true],
		['10.0.0.0/8', 'https://11.1.2.3/v1', false],
		['10.0.0.0/99', 'https://10.1.2.3/v1', false],
		['10.0.0.0/x', 'https://10.1.2.3/v1', false],
		['10.0.0.0/8', 'https://10.example.com/v1', false],
		['fd00::/8', 'https://[fd00::1]/v1', true],
		['fd00::1', 'https://[fd00::1]/v1', true],
		['[fd00::1]:443', 'https://[fd00::1]/v1', true],
		['[fd00::1]:80', 'https://[fd00::1]/v1', false],
	])('is chosen by comparing the exception %j with %s', (exceptions, url, isDirect) => {
		expect(hostFor(url, exceptions) === undefined).toBe(isDirect);
	});

	it.each([
		['http://proxy', 'proxy:80'],
		['https://proxy', 'proxy:443'],
		['proxy:3128', 'proxy:3128'],
		['user:pass@proxy:3128', 'proxy:3128'],
		['10.0.0.1', '10.0.0.1:80'],
		['http://[fd00::2]:3128/', '[fd00::2]:3128'],
	])('is read from %s', (value, host) => {
		const https = {variable: 'HTTPS_PROXY', value};
		expect(proxyFor(new URL('https://a.example'), {https, exceptions: ''})?.host).toBe(host);
	});

	it('gets the decoded user name and password', () => {
		const {authorization} = proxyFor(new URL('https://a.example'), {...proxies, exceptions: ''})!;
		expect(authorization).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
	});

	it.each([
		['http://', /^HTTPS_PROXY is not the address of a proxy\./],
		['http://a b:1', /^HTTPS_PROXY is not the address of a proxy\./],
		['http://user:secretword@:99', /^HTTPS_PROXY is not the address of a proxy\./],
		[
			'socks5://user:secretword@proxy:1080',
			/^HTTPS_PROXY names a proxy with the scheme socks5, but .+ or unset it\.$/,
		],
	])('cannot be %s, and the error does not repeat that value', (value, sentence) => {
		const https = {variable: 'HTTPS_PROXY', value};
		const choose = () => proxyFor(new URL('https://a.example'), {https, exceptions: ''});
		expect(choose).toThrow(sentence);
		expect(choose).not.toThrow(/secretword/);
	});
});
