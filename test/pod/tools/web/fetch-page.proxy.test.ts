import {describe, expect, it} from 'vitest';
import type {Network} from '../../../../src/worker/index.ts';
import {startProxy, startServer, startTlsServer, testCA} from '../../../helpers/proxy-server.ts';
import {createGuard, fetched, problemOf} from './setting.ts';

function through(proxy: string): Network {
	const value = `http://user:pass@${proxy}`;
	return {
		certificates: {file: {variable: 'SSL_CERT_FILE', path: testCA}},
		proxies: {http: {variable: 'HTTP_PROXY', value}, https: {variable: 'HTTPS_PROXY', value}, exceptions: ''},
	};
}

const publicly = async () => ['93.184.216.34'];

describe('a page behind a proxy', () => {
	it('comes through a tunnel, or by its whole address without TLS', async () => {
		const secure = await startTlsServer((_, response) => response.end('secure'));
		const tunnel = await startProxy({port: secure.port});
		const network = through(tunnel.host);
		expect(await fetched('https://docs.example.test/a', {network, resolve: publicly})).toMatchObject({
			finalUrl: 'https://docs.example.test/a',
			body: Buffer.from('secure'),
		});
		const open = await startServer((_, response) => response.end('open'));
		const plain = await startProxy({port: open.port});
		const page = await fetched('http://docs.example.test/a?b=1', {network: through(plain.host), resolve: publicly});
		expect(page.body.toString()).toBe('open');
		expect([...tunnel.asked, ...plain.asked]).toEqual([
			'CONNECT docs.example.test:443',
			'GET http://docs.example.test/a?b=1',
		]);
		expect(plain.headers[0]).toMatchObject({
			host: 'docs.example.test',
			'proxy-authorization': 'Basic dXNlcjpwYXNz',
		});
	});

	it('is refused if its name leads to a private address here', async () => {
		const {port} = await startServer((_, response) => response.end('inner'));
		const proxy = await startProxy({port});
		const options = {network: through(proxy.host), resolve: async () => ['10.0.0.1']};
		expect(await problemOf('http://inner.example/', options)).toBe('private inner.example → 10.0.0.1');
		expect(proxy.asked).toEqual([]);
	});

	it('needs the approval of the user if its name cannot be resolved here', async () => {
		const {port} = await startServer((_, response) => response.end('unchecked'));
		const proxy = await startProxy({port});
		const network = through(proxy.host);
		const resolve = async () => [];
		const refusing = createGuard({unchecked: {ok: false, sentence: 'Denied by the user'}});
		expect(await problemOf('http://corp.example/', {network, resolve, guard: refusing})).toBe(
			'denied Denied by the user',
		);
		expect(proxy.asked).toEqual([]);
		const guard = createGuard();
		const page = await fetched('http://corp.example/', {network, resolve, guard});
		expect(page.body.toString()).toBe('unchecked');
		expect(guard.asked.unchecked).toEqual(['http://corp.example/']);
	});

	it('fails with a sentence about the proxy if the proxy refuses', async () => {
		const {port} = await startServer(() => {});
		for (const [status, words] of [
			[407, /login|password|user name/i],
			[403, /refused|403/],
		] as const) {
			const proxy = await startProxy({port, status});
			const network = through(proxy.host);
			const problem = await problemOf('https://docs.example.test/', {network, resolve: publicly});
			expect(problem).toMatch(/^proxy /);
			expect(problem).toMatch(words);
			expect(problem).not.toContain('pass@');
		}
	});
});
