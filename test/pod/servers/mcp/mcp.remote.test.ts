import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {gzipSync} from 'node:zlib';
import {describe, expect, onTestFinished, it} from 'vitest';
import {createMcp, type Mcp} from '../../../../src/pod/servers/mcp/mcp.ts';
import type {ToolOutput} from '../../../../src/worker/index.ts';
import {configure, everythingAt, freePort} from '../../../helpers/mcp-server.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {runTool} from '../../tools/run-tool.ts';

type Message = {readonly id?: number; readonly method: string};
type Answers = {
	readonly call: (response: ServerResponse, id: number | undefined, request: IncomingMessage) => void;
	readonly first?: (response: ServerResponse) => void;
};

const json = (response: ServerResponse, id: number | undefined, result: unknown) =>
	response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify({jsonrpc: '2.0', id, result}));

/** Writes the same piece repeatedly, as fast as the peer reads. */
function flood(response: ServerResponse, piece: Buffer | string, headers: Readonly<Record<string, string>> = {}): void {
	response.writeHead(response.statusCode, {'content-type': 'application/json', ...headers});
	const more = () => {
		while (!response.destroyed && response.write(piece));
		response.once('drain', more);
	};
	more();
}

/** Starts a streamable HTTP server with the given answers. */
async function remote({call, first}: Answers): Promise<{readonly url: string; readonly asked: string[]}> {
	const asked: string[] = [];
	const server = createServer((request, response) => {
		let body = '';
		request.on('data', bytes => (body += String(bytes)));
		request.on('end', () => {
			asked.push(`${request.method} ${JSON.stringify(request.headers)}`);
			if (first !== undefined) return first(response);
			if (request.method !== 'POST') return void response.writeHead(405).end();
			const {id, method} = JSON.parse(body) as Message;
			if (method === 'initialize')
				return void json(response, id, {
					protocolVersion: '2025-06-18',
					capabilities: {tools: {}},
					serverInfo: {name: 'r', version: '1'},
				});
			if (method === 'tools/list')
				return void json(response, id, {tools: [{name: 't', inputSchema: {type: 'object'}}]});
			if (method === 'tools/call') return call(response, id, request);
			if (id === undefined) return void response.writeHead(202).end();
			response
				.writeHead(400, {'content-type': 'application/json'})
				.end(JSON.stringify({jsonrpc: '2.0', id, error: {code: -32601, message: 'unknown'}}));
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	onTestFinished(() => {
		server.close();
		server.closeAllConnections();
	});
	return {url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, asked};
}

async function opened(entry: unknown): Promise<{
	readonly mcp: Mcp;
	readonly warnings: string[];
	readonly call: (name: string, args?: object) => Promise<ToolOutput>;
}> {
	const project = await tempProject();
	await configure(project, {r: entry});
	const warnings: string[] = [];
	const mcp = createMcp({
		pwd: project.dir,
		env: {HOME: project.path('../home')},
		trust: {checkAll: async claims => claims.map(() => 'denied')},
		attended: true,
		onStart() {},
		onWarning: text => warnings.push(text),
	});
	onTestFinished(async () => mcp.close());
	await mcp.prepare(new AbortController().signal);
	return {
		mcp,
		warnings,
		call: async (name, args = {}) =>
			runTool(
				mcp.tools().find(({definition}) => definition.name === name)!,
				args,
			),
	};
}

describe('a server over HTTP', () => {
	it('receives its headers and answers', async () => {
		const {url, asked} = await remote({
			call: (response, id) =>
				json(response, id, {
					content: [
						{type: 'text', text: 'ok'},
						{type: 'resource_link', uri: 'demo://\u001b[2Jx', name: 'n'},
					],
				}),
		});
		const {call} = await opened({url, headers: {Authorization: 'Bearer t'}});
		expect(await call('mcp__r__t')).toMatchObject({
			content: 'ok\n[resource_link, not shown: demo:// [2Jx, n]',
			isError: false,
		});
		expect(asked.every(line => line.includes('"authorization":"Bearer t"'))).toBe(true);
	});

	it.each<[string, Answers['call'], string]>([
		[
			'that ends its stream without an answer',
			response =>
				response
					.writeHead(200, {'content-type': 'text/event-stream'})
					.end('data: {"jsonrpc":"2.0","method":"notifications/x"}\n\n'),
			'the connection ended before the answer came',
		],
		[
			'that breaks its stream',
			response => {
				response.writeHead(200, {'content-type': 'text/event-stream'}).write('data: {"jso');
				setTimeout(() => response.destroy(), 20);
			},
			'the connection ended before the answer came',
		],
		['that hangs up', (_response, _id, request) => void request.socket.destroy(), 'it cannot be reached'],
		[
			'that fails',
			response => void response.writeHead(500).end('\u001b[2J'.repeat(1000)),
			'it answered with HTTP 500.',
		],
		[
			'that has forgotten the session',
			response => void response.writeHead(404).end(),
			'it answered with HTTP 404.',
		],
		[
			'that sends too much',
			response => {
				response.writeHead(200, {'content-type': 'application/json'});
				const more = () => {
					while (!response.destroyed && response.write('x'.repeat(1_000_000)));
					response.once('drain', more);
				};
				more();
			},
			'it sent an answer of more than 16777216 bytes',
		],
		[
			'that is encoded 20 times',
			response =>
				flood(response, Buffer.alloc(65_536), {
					'content-encoding': Array.from({length: 20}, () => 'gzip').join(','),
				}),
			'it sent an answer in an encoding that inkpod does not read',
		],
		[
			'that decompresses to an endless text',
			response => flood(response, gzipSync(Buffer.alloc(20_000_000, 'x')), {'content-encoding': 'gzip'}),
			'it sent an answer ',
		],
		[
			'that is not gzip',
			response =>
				void response
					.writeHead(200, {'content-type': 'application/json', 'content-encoding': 'gzip'})
					.end('no gzip'),
			'it sent an answer with broken compression (gzip)',
		],
		[
			'that is an endless error',
			response => {
				response.statusCode = 500;
				flood(response, 'x'.repeat(65_536));
			},
			'it answered with HTTP 500.',
		],
		[
			'that floods with notifications',
			response =>
				flood(response, 'data: {"jsonrpc":"2.0","method":"notifications/x"}\n\n'.repeat(1000), {
					'content-type': 'text/event-stream',
				}),
			'the connection ended before the answer came',
		],
		[
			'that floods with requests',
			response =>
				flood(
					response,
					'data: {"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{}}\n\n'.repeat(1000),
					{'content-type': 'text/event-stream'},
				),
			'the connection ended before the answer came',
		],
		[
			'that nests 100,000 levels',
			(response, id) =>
				void response
					.writeHead(200, {'content-type': 'application/json'})
					.end(
						`{"jsonrpc":"2.0","id":${id},"result":{"content":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
					),
			'',
		],
		[
			'that repeats the token',
			(response, id) =>
				void response.writeHead(200, {'content-type': 'application/json'}).end(
					JSON.stringify({
						jsonrpc: '2.0',
						id,
						error: {code: -32602, message: 'bad token FAKE-token-1 of http://h/?k=FAKE-query-1'},
					}),
				),
			'bad token [secret] of http://h/?k=[secret].',
		],
		[
			'that refuses in its own words',
			(response, id) =>
				void response
					.writeHead(200, {'content-type': 'application/json'})
					.end(JSON.stringify({jsonrpc: '2.0', id, error: {code: -32602, message: 'no\u001b[31m\nway'}})),
			'no [31m way.',
		],
	])('causes an error as the result of the call: %s', async (_, answers, sentence) => {
		const {url} = await remote({call: answers});
		const {call, mcp} = await opened({
			url: `${url}?k=FAKE-query-1`,
			headers: {Authorization: 'Bearer FAKE-token-1'},
		});
		const output = await call('mcp__r__t');
		expect(output.isError).toBe(true);
		expect(output.content).toContain(`The MCP server r did not complete the call: ${sentence}`);
		await mcp.prepare(new AbortController().signal);
		expect(mcp.tools()).toHaveLength(1);
	});

	it('is not followed to another host, and that host gets no headers', async () => {
		const other = await remote({call() {}});
		const {url} = await remote({
			call() {},
			first: response => void response.writeHead(307, {location: other.url}).end(),
		});
		const {mcp, warnings} = await opened({url, headers: {Authorization: 'Bearer t'}});
		expect([mcp.tools(), other.asked]).toEqual([[], []]);
		expect(warnings).toEqual(['The MCP server r could not be started: it answered with HTTP 307.']);
	});

	it('works over SSE when it is the reference server: its tools are listed and called', async () => {
		const port = await freePort();
		const server = await everythingAt(port, 'sse');
		const {call, mcp, warnings} = await opened({type: 'sse', url: `http://127.0.0.1:${port}/sse`});
		expect(await call('mcp__r__echo', {message: 'hi'})).toMatchObject({content: 'Echo: hi'});
		server.kill('SIGKILL');
		await expect.poll(async () => (await mcp.list())[0]!.state).toBe('failed');
		expect(warnings).toEqual(['The MCP server r is no longer available: the connection ended.']);
	});
});
