import {execFile} from 'node:child_process';
import {once} from 'node:events';
import type {RequestListener} from 'node:http';
import {createServer, type AddressInfo, type Socket} from 'node:net';
import {promisify} from 'node:util';
import {describe, expect, it, onTestFinished} from 'vitest';
import {connectEarly} from '../../../../src/worker/wires/http/guarded-fetch.ts';
import {send} from '../../../../src/worker/wires/http/send.ts';
import {textOf} from '../../../../src/worker/wires/http/source.ts';
import {head} from '../../../helpers/wire-servers/raw.ts';
import {startProxy, startServer, startTlsServer, testCA} from '../../../helpers/proxy-server.ts';

const network = {certificates: {file: {variable: 'SSL_CERT_FILE', path: testCA}}};

async function textAt(url: string): Promise<string> {
	const {source} = await send(new URL(url), {method: 'POST', body: '{}'});
	return source === undefined ? '' : textOf(source);
}

/** Starts a server without TLS. `sockets`: its connections. `received`: the number of bytes on all of them. */
async function plainServer() {
	const sockets: Socket[] = [];
	const seen = {received: 0};
	const server = createServer(socket => {
		sockets.push(socket);
		socket.on('error', () => {});
		socket.on('data', bytes => {
			seen.received += bytes.length;
			socket.end(`${head()}answer ${sockets.length}`);
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	onTestFinished(() => void server.close());
	return {url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, sockets, seen};
}

describe('a connection before its request', () => {
	it('carries nothing until the request takes it', async () => {
		const {url, server, sockets, seen} = await plainServer();
		const opened = once(server, 'connection');
		await connectEarly(new URL(url));
		await opened;
		await connectEarly(new URL(url));
		expect(seen.received).toBe(0);
		expect(await textAt(url)).toBe('answer 1');
		expect(sockets).toHaveLength(1);
	});

	it.each(['while it is being made', 'after the handshake'])('with TLS is taken %s', async when => {
		const sockets = new Set<Socket>();
		const listener: RequestListener = (request, response) => {
			sockets.add(request.socket);
			request.resume();
			response.end('secure');
		};
		const {url, server} = await startTlsServer(listener);
		let handshakes = 0;
		server.on('secureConnection', () => handshakes++);
		const secured = once(server, 'secureConnection');
		await connectEarly(new URL(url), network);
		if (when === 'after the handshake') await secured;
		expect(await textAt(url)).toBe('secure');
		await connectEarly(new URL(url), network);
		expect(await textAt(url)).toBe('secure');
		expect([handshakes, sockets.size]).toEqual([1, 1]);
	});

	it('is replaced when the server has ended it', async () => {
		const {url, server, sockets} = await plainServer();
		const opened = once(server, 'connection');
		await connectEarly(new URL(url));
		await opened;
		const ended = once(sockets[0]!, 'close');
		sockets[0]?.destroy();
		await ended;
		expect(await textAt(url)).toBe('answer 2');
	});

	it('reports nothing when it fails, but the request does', async () => {
		const {url, server} = await plainServer();
		server.close();
		await once(server, 'close');
		await connectEarly(new URL(url));
		await connectEarly(new URL(url));
		await expect(textAt(url)).rejects.toMatchObject({cause: {code: 'ECONNREFUSED'}});
	});

	it('is not made to a proxy', async () => {
		const server = await startServer((_, response) => response.end('x'));
		const proxy = await startProxy({port: server.port});
		const https = {variable: 'HTTPS_PROXY', value: `http://${proxy.host}`};
		await connectEarly(new URL('https://a.example.test/'), {proxies: {https, exceptions: ''}});
		expect(proxy.asked).toEqual([]);
	});

	it('keeps no process alive', async () => {
		const {url} = await plainServer();
		const module = new URL('../../../../src/worker/wires/http/guarded-fetch.ts', import.meta.url).href;
		const program = `
			const {connectEarly} = await import(${JSON.stringify(module)});
			await connectEarly(new URL('${url}'));
			const begun = process.uptime();
			process.once('exit', () => process.stdout.write(String(process.uptime() - begun < 2)));`;
		const {stdout} = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
		expect(stdout).toBe('true');
	});
});
