import {once} from 'node:events';
import {createServer, type AddressInfo, type Socket} from 'node:net';
import {brotliCompressSync, deflateSync, gzipSync} from 'node:zlib';
import {describe, expect, it, onTestFinished} from 'vitest';
import {startServer} from '../../../helpers/proxy-server.ts';
import {createGuard, fetched, problemOf} from './setting.ts';

const limits = {totalMs: 60_000, stallMs: 150};

/** Starts a server that writes to each connection as it likes. */
async function startRaw(onConnection: (socket: Socket) => void): Promise<string> {
	const sockets = new Set<Socket>();
	const server = createServer(socket => {
		sockets.add(socket);
		socket.on('error', () => {});
		socket.once('data', () => onConnection(socket));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	onTestFinished(() => {
		for (const socket of sockets) socket.destroy();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Writes a text again and again, until the connection is closed. */
function writeForever(socket: Socket, text: string | Buffer, everyMs: number): void {
	const timer = setInterval(() => socket.write(text), everyMs);
	socket.on('close', () => clearInterval(timer));
}

describe('a server', () => {
	it('that says nothing is left after the stall timeout', async () => {
		expect(await problemOf(await startRaw(() => {}), {limits})).toBe('stalled 0.15 s');
	});

	it('that stops in the middle of a body is left after the stall timeout', async () => {
		const url = await startRaw(socket => socket.write('HTTP/1.1 200 OK\r\n\r\nhalf'));
		expect(await problemOf(url, {limits})).toBe('stalled 0.15 s');
	});

	it.each([
		['headers', 'x: y\r\n', 'HTTP/1.1 200 OK\r\n'],
		['a body', 'x', 'HTTP/1.1 200 OK\r\n\r\n'],
		['informational answers', 'HTTP/1.1 102 Processing\r\n\r\n', ''],
	])('that sends %s slowly and without end is left at the deadline', async (_, text, start) => {
		const url = await startRaw(socket => {
			socket.write(start);
			writeForever(socket, text, 20);
		});
		expect(await problemOf(url, {limits: {totalMs: 300, stallMs: 60_000}})).toBe('timeout 0.3 s');
	});

	it('that sends too many headers is left', async () => {
		const url = await startRaw(socket => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`));
		expect(await problemOf(url)).toBe('connection HPE_HEADER_OVERFLOW');
	});

	it('that sends an endless body is left after 5 MB', async () => {
		const url = await startRaw(socket => {
			socket.write('HTTP/1.1 200 OK\r\n\r\n');
			writeForever(socket, Buffer.alloc(1024 * 1024, 'x'), 1);
		});
		expect(await problemOf(url)).toBe('too_large 5 MB');
	});

	it('that announces more than 5 MB is left at once', async () => {
		const url = await startRaw(socket => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5242881\r\n\r\n'));
		expect(await problemOf(url)).toBe('too_large 5 MB');
	});

	it('that breaks the connection, or does not speak HTTP, is a failure', async () => {
		const short = await startRaw(socket => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'));
		expect(await problemOf(short)).toMatch(/^connection /);
		const other = await startRaw(socket => socket.end('220 mail.example ESMTP\r\n'));
		expect(await problemOf(other)).toMatch(/^connection HPE_/);
		const upgrade = await startRaw(socket =>
			socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
		);
		expect(await problemOf(upgrade)).toBe('connection the server switched to another protocol');
	});
});

describe('an encoded body', () => {
	const text = Buffer.from('text '.repeat(1000));

	it.each([
		['gzip', gzipSync(text)],
		['x-gzip', gzipSync(text)],
		['deflate', deflateSync(text)],
		['br', brotliCompressSync(text)],
		['identity', text],
	])('in %s is decoded', async (encoding, body) => {
		const {url} = await startServer((_, response) =>
			response.writeHead(200, {'content-encoding': encoding}).end(body),
		);
		expect((await fetched(url)).body.equals(text)).toBe(true);
	});

	it.each([
		['gzip', gzipSync(Buffer.alloc(100 * 1024 * 1024))],
		['br', brotliCompressSync(Buffer.alloc(50 * 1024 * 1024))],
	])('in %s counts as large as it is decoded', async (encoding, body) => {
		expect(body.length).toBeLessThan(200_000);
		const {url} = await startServer((_, response) =>
			response.writeHead(200, {'content-encoding': encoding}).end(body),
		);
		expect(await problemOf(url)).toBe('too_large 5 MB');
	});

	it('in several layers, in an unknown encoding, or with broken data is refused', async () => {
		const {url} = await startServer(({url: path}, response) =>
			response.writeHead(200, {'content-encoding': path?.slice(1).replaceAll('+', ', ')}).end(gzipSync(text)),
		);
		expect(await problemOf(`${url}/gzip+gzip`)).toContain('encoding sent an answer in an encoding');
		expect(await problemOf(`${url}/${'gzip+'.repeat(1000)}gzip`)).toContain('encoding sent an answer');
		expect(await problemOf(`${url}/rot13`)).toContain('(rot13)');
		expect(await problemOf(`${url}/br`)).toContain('broken compression (br)');
	});
});

describe('an abort', () => {
	it('ends a fetch at every step', async () => {
		const silent = await startRaw(() => {});
		const half = await startRaw(socket => socket.write('HTTP/1.1 200 OK\r\n\r\nhalf'));
		const never = async (): Promise<readonly string[]> => new Promise(() => {});
		const stopped = async (url: string, resolve?: typeof never) => {
			const stop = new AbortController();
			const ended = fetched(url, {signal: stop.signal, ...(resolve && {resolve})});
			setImmediate(() => stop.abort(new Error('stopped')));
			return expect(ended).rejects.toThrow('stopped');
		};
		await stopped(silent);
		await stopped(half);
		await stopped('http://slow.example/', never);
	});

	it('does not happen while the user is asked, however long it takes', async () => {
		const {url} = await startServer((request, response) => {
			if (request.url === '/') response.writeHead(302, {location: '/next'}).end();
			else response.end('here');
		});
		const guard = createGuard();
		const slow = {
			...guard,
			async redirect() {
				await new Promise(resolve => setTimeout(resolve, 300));
				return {ok: true} as const;
			},
		};
		const page = await fetched(url, {guard: slow, limits: {totalMs: 250, stallMs: 250}});
		expect(page.body.toString()).toBe('here');
	});
});
