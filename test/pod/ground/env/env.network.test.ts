import {describe, expect, it} from 'vitest';
import {networkOf} from '../../../../src/pod/ground/env/env.ts';

describe('the network settings in an environment', () => {
	it('are absent without variables, and when the variables are empty', () => {
		expect(networkOf({PATH: '/bin', NO_PROXY: '*'})).toBeUndefined();
		expect(networkOf({HTTPS_PROXY: '', http_proxy: ' ', SSL_CERT_FILE: ''})).toBeUndefined();
	});

	it.each([
		[{HTTPS_PROXY: 'http://p:1'}, {https: {variable: 'HTTPS_PROXY', value: 'http://p:1'}, exceptions: ''}],
		[
			{https_proxy: 'p:1', HTTPS_PROXY: 'q:1'},
			{https: {variable: 'https_proxy', value: 'p:1'}, exceptions: ''},
		],
		[
			{https_proxy: '', HTTPS_PROXY: 'q:1'},
			{https: {variable: 'HTTPS_PROXY', value: 'q:1'}, exceptions: ''},
		],
		[
			{http_proxy: 'p:1', NO_PROXY: 'a.b, c'},
			{http: {variable: 'http_proxy', value: 'p:1'}, exceptions: 'a.b, c'},
		],
		[
			{HTTP_PROXY: 'p:1', HTTPS_PROXY: 'q:1', no_proxy: 'x', NO_PROXY: 'y'},
			{
				http: {variable: 'HTTP_PROXY', value: 'p:1'},
				https: {variable: 'HTTPS_PROXY', value: 'q:1'},
				exceptions: 'x',
			},
		],
		[
			{ALL_PROXY: 'a:1'},
			{
				http: {variable: 'ALL_PROXY', value: 'a:1'},
				https: {variable: 'ALL_PROXY', value: 'a:1'},
				exceptions: '',
			},
		],
		[
			{all_proxy: 'a:1', ALL_PROXY: 'b:1', HTTPS_PROXY: 'q:1', NO_PROXY: 'x'},
			{
				http: {variable: 'all_proxy', value: 'a:1'},
				https: {variable: 'HTTPS_PROXY', value: 'q:1'},
				exceptions: 'x',
			},
		],
	])('contain the proxies of %j', (env, proxies) => {
		expect(networkOf(env)).toEqual({proxies});
	});

	it('list the password of a proxy as a secret, in each form', () => {
		expect(networkOf({HTTPS_PROXY: 'http://me:p%40ss@proxy:1'})?.secrets).toEqual([
			'p%40ss',
			'p@ss',
			Buffer.from('me:p@ss').toString('base64'),
		]);
	});

	it('list the password of ALL_PROXY once', () => {
		expect(networkOf({ALL_PROXY: 'http://me:secret@proxy:1'})?.secrets).toEqual([
			'secret',
			'secret',
			Buffer.from('me:secret').toString('base64'),
		]);
	});

	it('contain the paths of certificates', () => {
		expect(networkOf({SSL_CERT_FILE: '/a.pem', SSL_CERT_DIR: '/certs'})).toEqual({
			certificates: {
				file: {variable: 'SSL_CERT_FILE', path: '/a.pem'},
				directory: {variable: 'SSL_CERT_DIR', path: '/certs'},
			},
		});
	});
});
