import {execFile} from 'node:child_process';
import {once} from 'node:events';
import {createServer, type AddressInfo, type Server, type Socket} from 'node:net';
import {promisify} from 'node:util';
import {describe, expect, it, onTestFinished, vi} from 'vitest';
import type {Outgoing} from '../../../../src/worker/wires/http/exchange.ts';
import {trustCertificates} from '../../../../src/worker/wires/http/certificates.ts';
import {send} from '../../../../src/worker/wires/http/send.ts';
import {textOf} from '../../../../src/worker/wires/http/source.ts';
import {says, saysRaw} from '../../../helpers/wire-servers/hostile.ts';
import {flood, head, startRawServer} from '../../../helpers/wire-servers/raw.ts';
import {startProxy, startServer, startTlsServer, testCA} from '../../../helpers/proxy-server.ts';

async function textAt(url: string, outgoing: Outgoing = {}): Promise<string> {
	const {source} = await send(new URL(url), outgoing);
	return source === undefined ? '' : textOf(source);
}

async function failureAt(url: string, outgoing: Outgoing = {}): Promise<unknown> {
	return textAt(url, outgoing).then(
		() => 'no failure',
		(error: unknown) => error,
	);
}

describe('a request', () => {
	it('asks for no encoding, and its answer is not decoded', async () => {
		await using server = await startRawServer(says('raw', {'Content-Encoding': 'br', 'X-Kept': 'yes'}));
		const {status, headers, encodings, source} = await send(new URL(server.url), {
			method: 'POST',
			body: '{}',
			headers: {'accept-encoding': 'gzip', 'x-own': 'o'},
		});
		expect([status, await textOf(source!), encodings]).toEqual([200, 'raw', 'br']);
		expect([headers['content-encoding'], headers['x-kept']]).toEqual([undefined, 'yes']);
		expect(server.heads[0]).toMatch(/accept-encoding: identity/i);
		expect(server.heads[0]).toMatch(/x-own: o/i);
		expect(server.heads[0]).not.toMatch(/gzip/);
	});

	it('has the length of its bytes, its headers in Latin-1, and a name', async () => {
		await using server = await startRawServer(says('x'));
		await textAt(server.url, {method: 'POST', body: '{"ü":"語"}', headers: {'x-name': 'Zoë'}});
		expect(server.heads[0]).toMatch(/^POST \/ HTTP\/1\.1\r\n/);
		expect(server.heads[0]).toMatch(/\r\ncontent-length: 12\r\n/i);
		expect(server.heads[0]).toMatch(/\r\nx-name: Zoë\r\n/i);
		expect(server.heads[0]).toMatch(/\r\nuser-agent: inkpod\r\n/i);
		expect(server.heads[0]).not.toMatch(/transfer-encoding/i);
	});

	it('reaches an address of IPv6, whose name has brackets', async () => {
		const hosts: unknown[] = [];
		const plain = createServer(socket => {
			socket.on('data', bytes => {
				hosts.push(/host: (.*)\r\n/i.exec(bytes.toString())?.[1]);
				socket.end(`${head()}six`);
			});
		});
		plain.listen(0, '::1');
		await once(plain, 'listening');
		onTestFinished(() => void plain.close());
		const {port} = plain.address() as AddressInfo;
		expect(await textAt(`http://[::1]:${port}/`)).toBe('six');
		expect(hosts).toEqual([`[::1]:${port}`]);
		const proxy = await startProxy({port: 1, status: 403});
		const https = {variable: 'HTTPS_PROXY', value: `http://${proxy.host}`};
		await send(new URL('https://[2001:db8::1]/'), {}, {proxies: {https, exceptions: ''}}).catch(() => {});
		expect(proxy.asked).toEqual(['CONNECT [2001:db8::1]:443']);
	});

	it.each(['ftp://host/x', 'http://me:topsecret@127.0.0.1:9/'])('is not sent to %s', async url => {
		const error = await failureAt(url);
		expect(error).toBeInstanceOf(TypeError);
		expect(String(error)).not.toContain('topsecret');
	});

	it('fails when the server switches to another protocol', async () => {
		await using server = await startRawServer(
			saysRaw('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', 'stall'),
		);
		expect(await failureAt(server.url)).toMatchObject({message: 'fetch failed', cause: {code: 'ECONNRESET'}});
	});

	it('ends with the reason of its abort, before and within the answer', async () => {
		const reason = new Error('stopped');
		expect(await failureAt('http://127.0.0.1:9', {signal: AbortSignal.abort(reason)})).toBe(reason);
		for (const begun of ['', `${head()}begun`]) {
			await using server = await startRawServer(saysRaw(begun, 'stall'));
			const stop = new AbortController();
			const failure = failureAt(server.url, {signal: stop.signal});
			await vi.waitFor(() => expect(server.heads).toHaveLength(1));
			stop.abort(reason);
			expect(await failure).toBe(reason);
			await server.allClosed();
		}
	});
});

/** A server that plays its answers in order, on any number of connections. It notes the connection of each request. */
async function startAnswers(
	...answers: ReadonlyArray<(socket: Socket) => unknown>
): Promise<{readonly url: string; readonly requests: readonly number[]}> {
	const requests: number[] = [];
	const server = createServer(socket => {
		const connection = new Set(requests).size;
		socket
			.on('error', () => {})
			.on('data', bytes => {
				if (!bytes.toString('latin1').startsWith('POST')) return socket.destroy();
				requests.push(connection);
				return answers[requests.length - 1]?.(socket);
			});
	});
	return {url: await urlOf(server), requests};
}

async function urlOf(server: Server): Promise<string> {
	const sockets = new Set<Socket>();
	server.on('connection', socket => sockets.add(socket)).listen(0, '127.0.0.1');
	await once(server, 'listening');
	onTestFinished(() => {
		for (const socket of sockets) socket.destroy();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answer = (text: string) => (socket: Socket) =>
	socket.write(head({'content-length': String(text.length), connection: 'keep-alive'}) + text);
const reset = (socket: Socket) => socket.resetAndDestroy();
const end = (socket: Socket) => socket.end();
const post = {method: 'POST', body: '{}'};

describe('a connection that was used before', () => {
	it('is used again', async () => {
		const {url, requests} = await startAnswers(answer('one'), answer('two'), answer('three'));
		const texts = [];
		for (let count = 0; count < 3; count++) texts.push(await textAt(url, post));
		expect(texts).toEqual(['one', 'two', 'three']);
		expect(requests).toEqual([0, 0, 0]);
	});

	it.each([
		['is reset', reset],
		['ends', end],
	])('is replaced once when it %s before the first byte', async (_, close) => {
		const {url, requests} = await startAnswers(answer('one'), close, answer('two'));
		expect([await textAt(url, post), await textAt(url, post)]).toEqual(['one', 'two']);
		expect(requests).toEqual([0, 0, 1]);
	});

	it('is not replaced twice', async () => {
		const {url, requests} = await startAnswers(answer('one'), reset, reset, answer('two'));
		await textAt(url, post);
		expect(await failureAt(url, post)).toMatchObject({message: 'fetch failed', cause: {code: 'ECONNRESET'}});
		expect(requests).toEqual([0, 0, 1]);
	});

	it('is not replaced after a first byte', async () => {
		const begin = (socket: Socket) => socket.write('HTTP/1.1 2', () => socket.resetAndDestroy());
		const {url, requests} = await startAnswers(answer('one'), begin, answer('two'));
		await textAt(url, post);
		expect(await failureAt(url, post)).toMatchObject({message: 'fetch failed', cause: {code: 'ECONNRESET'}});
		expect(requests).toEqual([0, 0]);
	});

	it('is not replaced when the server had time to work on the request', async () => {
		const work = (socket: Socket) => {
			vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_000);
			socket.resetAndDestroy();
		};
		onTestFinished(() => void vi.restoreAllMocks());
		const {url, requests} = await startAnswers(answer('one'), work, answer('two'));
		await textAt(url, post);
		expect(await failureAt(url, post)).toMatchObject({cause: {code: 'ECONNRESET'}});
		expect(requests).toEqual([0, 0]);
	});

	it('is replaced when it used TLS', async () => {
		const sockets: Socket[] = [];
		const {url} = await startTlsServer((request, response) => {
			request.resume();
			sockets.push(request.socket);
			if (sockets.length === 2) request.socket.end();
			else response.end(String(sockets.length));
		});
		await trustCertificates({file: {variable: 'SSL_CERT_FILE', path: testCA}});
		expect([await textAt(url, post), await textAt(url, post)]).toEqual(['1', '3']);
		expect(new Set(sockets).size).toBe(2);
	});

	it('keeps no process alive', async () => {
		const server = await startServer((_request, response) => response.end('x'));
		const secure = await startTlsServer((_request, response) => response.end('x'));
		const proxy = await startProxy({port: secure.port});
		const module = new URL('../../../../src/worker/wires/http/guarded-fetch.ts', import.meta.url).href;
		const program = `
			const {createGuardedFetch} = await import(${JSON.stringify(module)});
			const https = {variable: 'HTTPS_PROXY', value: 'http://${proxy.host}'};
			const certificates = {file: {variable: 'SSL_CERT_FILE', path: ${JSON.stringify(testCA)}}};
			const fetch = createGuardedFetch({maxBytes: 10}, {proxies: {https, exceptions: ''}, certificates});
			const read = async url => (await fetch(url)).text();
			const texts = [await read('${server.url}'), await read('${secure.url}'), await read('https://a.example.test')];
			process.once('exit', () => process.stdout.write(\`\${texts} \${process.uptime() - begun < 2}\`));
			const begun = process.uptime();`;
		const {stdout} = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
		expect(stdout).toBe('x,x,x true');
	});
});

describe('a new connection', () => {
	it('is not replaced when it ends without an answer', async () => {
		const {url, requests} = await startAnswers(reset, answer('one'));
		expect(await failureAt(url, post)).toMatchObject({cause: {code: 'ECONNRESET'}});
		expect(requests).toEqual([0]);
	});

	it('fails when it is not there after 30 s', async () => {
		const accepted = Promise.withResolvers<Socket>();
		const url = await urlOf(createServer(socket => socket.once('data', () => accepted.resolve(socket))));
		vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
		onTestFinished(() => void vi.useRealTimers());
		const failure = failureAt(url.replace('http:', 'https:'), post);
		const socket = await accepted.promise;
		vi.advanceTimersByTime(30_000);
		expect(await failure).toMatchObject({cause: {code: 'ETIMEDOUT'}});
		await once(socket, 'close');
		expect(vi.getTimerCount()).toBe(0);
	});

	it('fails with a sentence when the server has no TLS', async () => {
		const {url, port} = await startServer((_request, response) => response.end('x'));
		expect(await failureAt(url.replace('http:', 'https:'))).toMatchObject({
			name: 'ConnectionProblem',
			message: `127.0.0.1:${port} does not speak TLS. If so, write http:// instead of https:// in its address`,
		});
	});

	it('fails with a sentence when the server expects TLS', async () => {
		const {url, port} = await startTlsServer((_request, response) => response.end('x'));
		const sentence = (at: number) =>
			`127.0.0.1:${at} expects TLS. Write https:// instead of http:// in its address`;
		expect(await failureAt(url.replace('https:', 'http:'), post)).toMatchObject({message: sentence(port)});
		const alert = createServer(socket => socket.on('data', () => socket.end('\u0015\u0003\u0003\0\u0002\u0002\n')));
		const plain = await urlOf(alert);
		expect(await failureAt(plain, post)).toMatchObject({message: sentence(Number(new URL(plain).port))});
	});
});

describe('an answer that is not read', () => {
	it('slows the server down, and is complete when it is read', async () => {
		const megabytes = 40;
		await using server = await startRawServer(async socket => {
			socket.write(head());
			await flood(socket, Buffer.alloc(1024 * 1024), megabytes);
			socket.end();
		});
		const {source} = await send(new URL(server.url));
		let sent = -1;
		await vi.waitFor(
			() => {
				const before = sent;
				sent = server.sent();
				expect(sent).toBe(before);
			},
			{interval: 100},
		);
		expect(sent).toBeLessThan(20 * 1024 * 1024);
		expect((await textOf(source!)).length).toBe(megabytes * 1024 * 1024);
		await server.allClosed();
	});

	it('closes its connection when it is cancelled, also while it is read', async () => {
		await using server = await startRawServer(saysRaw(`${head()}begun`, 'stall'));
		const {source} = await send(new URL(server.url));
		await source!.read();
		const read = source!.read();
		await source!.cancel();
		expect(await read).toEqual({done: true});
		expect(await source!.read()).toEqual({done: true});
		await server.allClosed();
	});
});
