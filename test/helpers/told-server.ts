import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {onTestFinished} from 'vitest';

/** A server of chat completions that answers each request with one word. */
export type OneWordServer = {
	readonly origin: string;
	/** The base URL for the configuration. */
	readonly baseURL: string;
	/** The bodies of all requests for an answer. */
	readonly bodies: readonly string[];
	/** The number of connections, whatever was sent over them. */
	readonly connections: () => number;
	/** Ends the server. Later connections are refused. */
	readonly close: () => Promise<void>;
};

export async function oneWordServer(): Promise<OneWordServer> {
	const bodies: string[] = [];
	let connections = 0;
	const server = createServer((request, response) => {
		const pieces: Buffer[] = [];
		request.on('data', (piece: Buffer) => pieces.push(piece));
		request.on('end', () => {
			if (request.method !== 'POST') {
				response.writeHead(404).end();
				return;
			}
			bodies.push(Buffer.concat(pieces).toString());
			response.writeHead(200, {'content-type': 'text/event-stream', connection: 'close'});
			const choice = {index: 0, delta: {role: 'assistant', content: 'Yes.'}, finish_reason: 'stop'};
			const usage = {prompt_tokens: 1, completion_tokens: 1, total_tokens: 2};
			response.end(
				`data: ${JSON.stringify({id: 'a', model: 'm', choices: [choice], usage})}\n\ndata: [DONE]\n\n`,
			);
		});
	});
	server.on('connection', () => connections++);
	await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
	const close = async () => {
		server.closeAllConnections();
		await new Promise(resolve => void server.close(resolve));
	};
	onTestFinished(close);
	const {port} = server.address() as AddressInfo;
	const origin = `http://127.0.0.1:${port}`;
	return {origin, baseURL: `${origin}/v1`, bodies, connections: () => connections, close};
}
