import {describe, expect, it} from 'vitest';
import {openGuarded} from '../../../../src/worker/wires/http/guarded-fetch.ts';
import type {Network} from '../../../../src/worker/wires/http/network.ts';
import {proxyErrorIn} from '../../../../src/worker/wires/http/proxy-error.ts';
import {refusalIn} from '../../../../src/worker/wires/http/refusal.ts';
import {textOf} from '../../../../src/worker/wires/http/source.ts';
import {says} from '../../../helpers/wire-servers/hostile.ts';
import {startRawServer} from '../../../helpers/wire-servers/raw.ts';
import {startProxy, startServer, startTlsServer, testCA} from '../../../helpers/proxy-server.ts';

const certificates = {file: {variable: 'SSL_CERT_FILE', path: testCA}};
const api = 'https://api.example.test/v1/chat';

function through(proxy: string, exceptions = ''): Network {
	return {
		certificates,
		proxies: {
			http: {variable: 'HTTP_PROXY', value: proxy},
			https: {variable: 'HTTPS_PROXY', value: proxy},
			exceptions,
		},
	};
}

async function failureOf(network: Network, url = api): Promise<unknown> {
	return openGuarded(url, {}, {network}).then(
		() => 'no failure',
		(error: unknown) => error,
	);
}

describe('a request through a proxy', () => {
	it.each([false, true])('reaches an HTTPS server through a tunnel (proxy over TLS: %s)', async isSecure => {
		const seen: string[] = [];
		const server = await startTlsServer((request, response) => {
			request
				.setEncoding('utf8')
				.on('data', text => seen.push(`${request.url} ${String(request.headers['x-own'])} ${text}`));
			request.on('end', () => response.writeHead(200, {'x-answer': 'yes'}).end('whole'));
		});
		const proxy = await startProxy({port: server.port, isSecure});
		const address = `${isSecure ? 'https' : 'http'}://user:pass@${proxy.host}`;
		const init = {method: 'POST', body: 'text', headers: {'x-own': 'o', authorization: 'Bearer key'}};
		const {status, headers, source} = await openGuarded(api, init, {network: through(address)});
		expect([status, headers['x-answer'], await textOf(source!)]).toEqual([200, 'yes', 'whole']);
		expect(seen).toEqual(['/v1/chat o text']);
		expect(proxy.asked).toEqual(['CONNECT api.example.test:443']);
		expect(proxy.headers[0]).toMatchObject({'proxy-authorization': `Basic ${btoa('user:pass')}`});
		expect(proxy.headers[0]).not.toHaveProperty('authorization');
	});

	it('asks the proxy for the whole URL of a plain HTTP server', async () => {
		const server = await startServer((_request, response) => response.end('plain'));
		const proxy = await startProxy({port: server.port});
		const {source} = await openGuarded(
			'http://api.example.test/v1?q=1',
			{},
			{network: through(`http://${proxy.host}`)},
		);
		expect(await textOf(source!)).toBe('plain');
		expect(proxy.asked).toEqual(['GET http://api.example.test/v1?q=1']);
		expect(proxy.headers[0]).toMatchObject({host: 'api.example.test'});
	});

	it('uses the same tunnel again', async () => {
		const server = await startTlsServer((_request, response) => response.end('x'));
		const proxy = await startProxy({port: server.port});
		for (let count = 0; count < 3; count++)
			await textOf((await openGuarded(api, {}, {network: through(`http://${proxy.host}`)})).source!);
		expect(proxy.asked).toHaveLength(1);
	});

	it('goes directly to this machine and to the hosts of NO_PROXY', async () => {
		const server = await startServer((_request, response) => response.end('direct'));
		const network = through('http://192.0.2.1:9', 'nowhere.invalid');
		const {source} = await openGuarded(server.url, {}, {network});
		expect(await textOf(source!)).toBe('direct');
		expect(await failureOf(network, 'https://nowhere.invalid/')).toMatchObject({
			message: 'fetch failed',
			cause: {code: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/)},
		});
	});

	it.each([
		[
			407,
			'http://HOST',
			/^The proxy 127\S+ requires a user name and a password \(407\)\. Set HTTPS_PROXY to /,
			false,
		],
		[
			407,
			'http://me:topsecret@HOST',
			/^The proxy \S+ refused the user name or password \(407\)\. Check HTTPS/,
			false,
		],
		[
			403,
			'http://HOST',
			/^The proxy \S+ refuses connections to api\.example\.test:443 \(403\)\. Check HTTPS/,
			false,
		],
		[405, 'http://HOST', /^The proxy \S+ refuses connections to api\.example\.test:443 \(405\)\./, false],
		[502, 'http://HOST', /^The proxy \S+ cannot reach api\.example\.test:443 \(502\)\. Check the network, /, true],
	])('fails with advice when the proxy answers %i to %s', async (status, address, sentence, isRetryable) => {
		const proxy = await startProxy({port: 1, status});
		const failure = await failureOf(through(address.replace('HOST', proxy.host)));
		const error = proxyErrorIn(failure);
		expect(error?.message).toMatch(sentence);
		expect(error?.isRetryable).toBe(isRetryable);
		expect(JSON.stringify(failure) + String(error?.stack)).not.toMatch(/topsecret/);
	});

	it('names the variable of a proxy that wants a login for plain HTTP', async () => {
		const proxy = await startProxy({port: 1, status: 407});
		const failure = await failureOf(through(`http://${proxy.host}`), 'http://api.example.test/');
		expect(proxyErrorIn(failure)?.message).toMatch(
			/requires a user name and a password \(407\)\. Set HTTP_PROXY to/,
		);
	});

	it('passes on the refusals of a plain HTTP server', async () => {
		const proxy = await startProxy({port: 1, status: 403});
		const {status} = await openGuarded('http://a.example.test/', {}, {network: through(`http://${proxy.host}`)});
		expect(status).toBe(403);
	});

	it.each(['https', 'http'])('names the variable of a proxy that cannot be reached, for %s', async scheme => {
		const failure = await failureOf(through('http://127.0.0.1:9'), `${scheme}://api.example.test/`);
		const variable = scheme === 'https' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
		expect(proxyErrorIn(failure)?.message).toBe(
			`The proxy 127.0.0.1:9 cannot be reached (ECONNREFUSED). Check ${variable}.`,
		);
	});

	it('fails with a sentence when the proxy speaks another protocol', async () => {
		await using server = await startRawServer(socket => socket.end('hello\r\n\r\n'));
		const failure = await failureOf(through(server.url));
		expect(proxyErrorIn(failure)?.message).toMatch(/^The proxy \S+ cannot be reached \(HPE_/);
	});

	it('reports an abort and leaves no connection', async () => {
		const server = await startTlsServer((_request, response) => void response.writeHead(200).write('begun'));
		const proxy = await startProxy({port: server.port});
		const stop = new AbortController();
		const {source} = await openGuarded(api, {signal: stop.signal}, {network: through(`http://${proxy.host}`)});
		expect(Buffer.from((await source!.read()).value!).toString()).toBe('begun');
		stop.abort(new Error('stopped'));
		await expect(source!.read()).rejects.toThrow();
		await expect(openGuarded(api, {signal: stop.signal}, {network: through('http://x')})).rejects.toThrow(
			'stopped',
		);
	});

	it('returns the same answers as a direct request: encodings, redirects, empty bodies, bad statuses', async () => {
		const {gzipSync} = await import('node:zlib');
		const server = await startTlsServer((request, response) => {
			if (request.url === '/gzip')
				response.writeHead(200, {'content-encoding': 'gzip'}).end(gzipSync('unpacked'));
			else if (request.url === '/empty') response.writeHead(204).end();
			else response.writeHead(307, {location: '/gzip'}).end();
		});
		const proxy = await startProxy({port: server.port});
		const network = through(`http://${proxy.host}`);
		const get = async (path: string) => openGuarded(`https://api.example.test${path}`, {}, {network});
		expect(await textOf((await get('/gzip')).source!)).toBe('unpacked');
		expect((await get('/empty')).source).toBeUndefined();
		expect((await get('/redirect')).headers['location']).toBe('/gzip');
		await using odd = await startRawServer(says('x', {}, '799 Odd'));
		expect(refusalIn(await failureOf(network, odd.url))?.reason).toBe('bad_status');
	});
});
