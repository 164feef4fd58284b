import {Server} from '@modelcontextprotocol/sdk/server/index.js';
import {StdioServerTransport} from '@modelcontextprotocol/sdk/server/stdio.js';
import {CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError} from '@modelcontextprotocol/sdk/types.js';
import type {Readable, Writable} from 'node:stream';
import type {Toolbox} from './toolbox.ts';

type ServeOptions = {
	readonly toolbox: Toolbox;
	readonly version: string;
	readonly stdin: Readable;
	readonly stdout: Writable;
	/** Stops the server. */
	readonly signal: AbortSignal;
};

/**
Serves the tools to one MCP client over stdio, until the client closes the connection or the signal is aborted. Then
stops the calls that still run. Stdout contains only messages of the protocol.
*/
export async function serveMcpClient({toolbox, version, stdin, stdout, signal}: ServeOptions): Promise<void> {
	const ended = new AbortController();
	const stop = AbortSignal.any([signal, ended.signal]);
	const server = new Server({name: 'inkpod', version}, {capabilities: {tools: {}}});
	const names = new Set(toolbox.tools.map(({name}) => name));
	server.setRequestHandler(ListToolsRequestSchema, () => ({
		tools: toolbox.tools.map(({name, description, parameters}) => ({
			name,
			description,
			inputSchema: {...parameters, type: 'object' as const},
		})),
	}));
	server.setRequestHandler(CallToolRequestSchema, async ({params}, {signal: request}) => {
		if (!names.has(params.name)) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}.`);
		const {content, isError = false} = await toolbox.call(
			params.name,
			params.arguments ?? {},
			AbortSignal.any([request, stop]),
		);
		return {content: [{type: 'text' as const, text: content}], isError};
	});
	const {promise: closed, resolve} = Promise.withResolvers<void>();
	server.onclose = resolve;
	for (const event of ['end', 'close', 'error']) stdin.once(event, resolve);
	stop.addEventListener('abort', () => resolve(), {once: true});
	stdout.once('error', () => resolve());
	await server.connect(new StdioServerTransport(stdin, stdout));
	if (!stop.aborted) await closed;
	ended.abort(new Error('the client is gone'));
	await server.close();
}
