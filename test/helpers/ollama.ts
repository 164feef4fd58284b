import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {ServerAnswer, WireServer} from './wire-servers/server.ts';
import {startServer} from './wire-servers/server.ts';

export type Ollama = AsyncDisposable & {
	readonly port: number;
	/** The server that gets the chat completions and refuses what Ollama refuses. */
	readonly chat: WireServer;
	/** The paths of all requests, in order. */
	readonly asked: readonly string[];
};

/**
Starts a server that answers as Ollama does: its own API lists the models, and a strict server answers the messages.
*/
export async function startOllama(models: readonly string[], answers: readonly ServerAnswer[]): Promise<Ollama> {
	const chat = await startServer('openai-compatible', answers, {dialect: 'ollama'});
	const asked: string[] = [];
	const server = createServer((request, response) => {
		asked.push(request.url ?? '');
		const answer = native(request.url ?? '', models);
		if (answer !== undefined) response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
		else if (request.method === 'POST' && request.url === '/v1/chat/completions')
			void passOn(request, response, chat.url);
		else response.writeHead(404).end();
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject).listen(0, '127.0.0.1', resolve);
	}).catch(async (error: unknown) => {
		await chat[Symbol.asyncDispose]();
		throw error;
	});
	return {
		port: (server.address() as AddressInfo).port,
		chat,
		asked,
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await new Promise(resolve => void server.close(resolve));
			await chat[Symbol.asyncDispose]();
		},
	};
}

function native(path: string, models: readonly string[]): unknown {
	if (path === '/api/tags') return {models: models.map(name => ({name, model: name}))};
	if (path === '/api/ps') return {models: []};
	return path === '/api/show' ? {parameters: 'num_ctx 16384', capabilities: ['completion', 'tools']} : undefined;
}

async function passOn(request: IncomingMessage, response: ServerResponse, url: string): Promise<void> {
	const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
	const answer = await fetch(url + request.url, {
		method: 'POST',
		body,
		headers: {'content-type': 'application/json'},
	});
	response.writeHead(answer.status, {'content-type': answer.headers.get('content-type') ?? ''});
	if (answer.body !== null) for await (const chunk of answer.body) response.write(chunk);
	response.end();
}
