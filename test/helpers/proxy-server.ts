import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import http, {type IncomingMessage, type RequestListener, type Server} from 'node:http';
import https from 'node:https';
import {connect, type AddressInfo} from 'node:net';
import path from 'node:path';
import {onTestFinished} from 'vitest';

/** The file of the certificate authority of the test servers. */
export const testCA = path.join(import.meta.dirname, 'tls/ca.pem');

/** The files of a user's certificate and its key. */
export const testUser = {
	cert: path.join(import.meta.dirname, 'tls/client.pem'),
	key: path.join(import.meta.dirname, 'tls/client-key.pem'),
};

/** Starts a server on loopback with a certificate for `*.example.test`. */
export async function startTlsServer(
	listener: RequestListener,
	options: https.ServerOptions = {},
): Promise<{readonly port: number; readonly url: string; readonly server: https.Server}> {
	const server = https.createServer({cert: pem('server.pem'), key: pem('server-key.pem'), ...options}, listener);
	const port = await portOf(server);
	return {port, url: `https://127.0.0.1:${port}`, server};
}

/** Starts a plain server on loopback. */
export async function startServer(listener: RequestListener): Promise<{readonly port: number; readonly url: string}> {
	const port = await portOf(http.createServer(listener));
	return {port, url: `http://127.0.0.1:${port}`};
}

export type TestProxy = {
	readonly host: string;
	/** What each request asked for: `CONNECT host:port` or `GET http://host/path`. */
	readonly asked: readonly string[];
	/** The headers of those requests. */
	readonly headers: ReadonlyArray<IncomingMessage['headers']>;
};

/**
Starts a proxy on loopback. It connects every request to the port of a test server, whatever host was asked for.
`status`: it refuses every request with this status instead.
*/
export async function startProxy({
	port,
	status,
	isSecure = false,
}: {
	readonly port: number;
	readonly status?: number;
	readonly isSecure?: boolean;
}): Promise<TestProxy> {
	const asked: string[] = [];
	const headers: Array<IncomingMessage['headers']> = [];
	const note = (request: IncomingMessage) => {
		asked.push(`${request.method} ${request.url}`);
		headers.push(request.headers);
	};
	const server = isSecure
		? https.createServer({cert: pem('server.pem'), key: pem('server-key.pem')})
		: http.createServer();
	server.on('connect', (request, socket) => {
		note(request);
		if (status !== undefined) {
			socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 2\r\n\r\nno`);
			return;
		}
		const target = connect(port, '127.0.0.1', () => {
			socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
			target.pipe(socket).pipe(target);
		});
		target.on('error', () => socket.destroy());
		socket.on('error', () => target.destroy());
	});
	server.on('request', (request, response) => {
		note(request);
		if (status !== undefined) {
			response.writeHead(status).end('no');
			return;
		}
		const target = http.request(
			{
				port,
				host: '127.0.0.1',
				method: request.method,
				path: URL.parse(request.url ?? '')?.pathname,
				headers: request.headers,
			},
			answer => {
				response.writeHead(answer.statusCode ?? 500, answer.headers);
				answer.pipe(response);
			},
		);
		request.pipe(target);
	});
	return {host: `127.0.0.1:${await portOf(server)}`, asked, headers};
}

async function portOf(server: Server | https.Server): Promise<number> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return (server.address() as AddressInfo).port;
}

function pem(name: string): Buffer {
	return readFileSync(path.join(import.meta.dirname, 'tls', name));
}
