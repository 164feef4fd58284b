import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {createServer, type AddressInfo} from 'node:net';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {projectRoot} from './built.ts';
import type {TempProject} from './temp-project.ts';

const packages = join(projectRoot, 'node_modules/@modelcontextprotocol');

/** The published servers, which run on this Node. */
export const everything = join(packages, 'server-everything/dist/index.js');
export const filesystem = join(packages, 'server-filesystem/dist/index.js');

/**
Creates a server for one test. `body` is JavaScript. It can call `answer(id, result)`, `say(text)` on stdout and
`tool(name, more)`. It sets `tools` (a list, or a function that returns one), `call(id, params)` and `initialize(id)`.
*/
export async function writtenServer(
	project: TempProject,
	body: string,
	name = 'server.mjs',
): Promise<{readonly command: string; readonly args: readonly string[]}> {
	const file = await project.write(`../servers/${name}`, `${frame}\n${body}\n`);
	return {command: process.execPath, args: [file]};
}

const frame = `
import {createInterface} from 'node:readline';
import {readFileSync, writeFileSync} from 'node:fs';
import {spawn} from 'node:child_process';
let tools = [];
let call = (id, params) => answer(id, {content: [{type: 'text', text: 'ok'}]});
const capabilities = {tools: {listChanged: true}};
const serverInfo = {name: 'written', version: '1'};
let initialize = id => answer(id, {protocolVersion: '2025-06-18', capabilities, serverInfo});
const say = text => process.stdout.write(text);
const answer = (id, result) => say(JSON.stringify({jsonrpc: '2.0', id, result}) + '\\n');
const tool = (name, more = {}) => ({name, description: 'd', inputSchema: {type: 'object', properties: {}}, ...more});
const heard = [];
createInterface({input: process.stdin}).on('line', line => {
	const {id, method, params} = JSON.parse(line);
	heard.push(method);
	if (method === 'initialize') initialize(id);
	else if (method === 'tools/list') answer(id, {tools: typeof tools === 'function' ? tools() : tools});
	else if (method === 'tools/call') call(id, params);
});
`;

/** Returns a port on which no server listens. */
export async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const {port} = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
}

/** Starts the published server over HTTP on a port. Resolves when it listens. */
export async function everythingAt(port: number, kind: 'streamableHttp' | 'sse'): Promise<ChildProcess> {
	const server = spawn(process.execPath, [everything, kind], {
		env: {...process.env, PORT: String(port)},
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	onTestFinished(() => void server.kill('SIGKILL'));
	// stdout is read to its end, because the server would die if it could not write.
	await new Promise<void>(resolve =>
		server.stderr.on('data', bytes => String(bytes).includes(`port ${port}`) && resolve()),
	);
	return server;
}

/** Writes the user's mcp.json into a test's home. */
export async function configure(project: TempProject, mcpServers: Readonly<Record<string, unknown>>): Promise<void> {
	await project.write('../home/.config/inkpod/mcp.json', JSON.stringify({mcpServers}));
}
