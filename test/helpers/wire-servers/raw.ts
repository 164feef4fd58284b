import {once} from 'node:events';
import {createServer, type AddressInfo, type Socket} from 'node:net';

/** A server that writes any bytes, for answers that no HTTP library would send. */
export type RawServer = AsyncDisposable & {
	readonly url: string;
	/** The heads of the requests, in order. */
	readonly heads: readonly string[];
	/** Resolves when every connection so far is closed. */
	allClosed(): Promise<void>;
	/** The number of bytes sent on all connections. */
	sent(): number;
};

/** Plays an answer on a connection whose request has been read. */
export type Play = (socket: Socket) => unknown;

/** Starts a server on loopback that plays the same answer to each request. */
export async function startRawServer(play: Play): Promise<RawServer> {
	const sockets: Socket[] = [];
	const closings: Array<Promise<void>> = [];
	const heads: string[] = [];
	const server = createServer(socket => {
		sockets.push(socket);
		closings.push(closing(socket));
		socket.on('error', () => {});
		let text = '';
		let isPlaying = false;
		socket.on('data', bytes => {
			if (isPlaying) return;
			text += bytes.toString('latin1');
			const end = text.indexOf('\r\n\r\n');
			const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
			if (end < 0 || text.length < end + 4 + length) return;
			isPlaying = true;
			heads.push(text.slice(0, end));
			void play(socket);
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		heads,
		allClosed: async () => void (await Promise.all(closings)),
		sent: () => sockets.reduce((sum, socket) => sum + socket.bytesWritten, 0),
		async [Symbol.asyncDispose]() {
			for (const socket of sockets) socket.destroy();
			server.close();
			await once(server, 'close');
		},
	};
}

/** Returns the head of an answer. The answer ends with its connection, unless its headers say otherwise. */
export function head(headers: Readonly<Record<string, string>> = {}, status = '200 OK'): string {
	const all = {'content-type': 'text/event-stream', ...headers};
	return `HTTP/1.1 ${status}\r\n${Object.entries(all)
		.map(([name, value]) => `${name}: ${value}\r\n`)
		.join('')}\r\n`;
}

/**
Writes the same piece again and again, as fast as the other side reads it. Stops when the other side leaves, or after
`times` pieces.
*/
export async function flood(socket: Socket, piece: Buffer | string, times = Number.POSITIVE_INFINITY): Promise<void> {
	const closed = closing(socket);
	for (let count = 0; count < times && !socket.destroyed; count++) {
		if (socket.write(piece)) continue;
		await Promise.race([new Promise(resolve => socket.once('drain', resolve)), closed]);
	}
}

async function closing(socket: Socket): Promise<void> {
	if (!socket.closed) await new Promise(resolve => socket.once('close', resolve));
}
