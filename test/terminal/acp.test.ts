import {spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {Writable} from 'node:stream';
import {client, methods, ndJsonStream, type SessionUpdate} from '@agentclientprotocol/sdk';
import {describe, expect, it, onTestFinished} from 'vitest';
import {builtProgram, projectRoot} from '../helpers/built.ts';
import {examplesIn} from '../helpers/examples.ts';
import {cleanEnvironment} from '../helpers/pty.ts';
import {tempHome} from '../pod/disk/fixture.ts';

/** Starts the built program over a real pipe. `lines` are all lines that it wrote to stdout. */
async function startAcp(script: unknown, args: readonly string[] = []) {
	const {home, cwd} = await tempHome();
	await writeFile(join(home, 'script.json'), JSON.stringify(script));
	const model = `scripted:${join(home, 'script.json')}`;
	const child = spawn(process.execPath, [await builtProgram(), 'acp', '--model', model, '--no-confine', ...args], {
		cwd: home,
		env: {...cleanEnvironment(home), INKPOD_HOME: join(home, 'state'), XDG_RUNTIME_DIR: home},
		stdio: ['pipe', 'pipe', 'pipe'],
	});
	onTestFinished(() => void child.kill('SIGKILL'));
	let written = '';
	let complaints = '';
	child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
	const ended = new Promise<number | null>(resolve => child.on('close', resolve));
	const input = new ReadableStream<Uint8Array>({
		start(controller) {
			child.stdout.on('data', (bytes: Buffer) => {
				written += bytes.toString();
				controller.enqueue(bytes);
			});
			child.stdout.on('end', () => controller.close());
		},
	});
	const updates: SessionUpdate[] = [];
	const connection = client()
		.onNotification(methods.client.session.update, ({params}) => void updates.push(params.update))
		.onRequest(methods.client.session.requestPermission, () => ({
			outcome: {outcome: 'selected', optionId: 'allow'},
		}))
		.connect(ndJsonStream(Writable.toWeb(child.stdin) as WritableStream<Uint8Array>, input));
	return {
		cwd,
		child,
		ended,
		updates,
		agent: connection.agent,
		lines: () => written.split('\n').filter(line => line !== ''),
		complaints: () => complaints,
	};
}

const calls = (command: string) => ({type: 'tool_call', name: 'bash', arguments: {command}});

describe('inkpod acp', () => {
	it('serves an editor over a pipe, with nothing but the protocol on stdout', async () => {
		const words = Array.from({length: 2000}, (_, index) => ({type: 'text', text: `${index}\u2028\u2029 `}));
		const {agent, cwd, child, ended, updates, lines, complaints} = await startAcp([
			[calls('echo noise; echo noise >&2')],
			words,
		]);
		const {agentInfo, protocolVersion} = await agent.request(methods.agent.initialize, {
			protocolVersion: 1,
			clientCapabilities: {auth: {terminal: true}},
		});
		expect([agentInfo?.name, protocolVersion]).toEqual(['inkpod', 1]);
		const {sessionId} = await agent.request(methods.agent.session.new, {cwd, mcpServers: []});
		const prompt = [{type: 'text' as const, text: 'go'}];
		expect(await agent.request(methods.agent.session.prompt, {sessionId, prompt})).toEqual({
			stopReason: 'end_turn',
		});
		const answer = updates.flatMap(update =>
			update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
				? [update.content.text]
				: [],
		);
		expect(answer.join('')).toBe(words.map(({text}) => text).join(''));
		expect(lines().filter(line => /[\u2028\u2029]/.test(line))).toEqual([]);
		child.stdin.end();
		expect(await ended).toBe(0);
		for (const line of lines()) expect(JSON.parse(line)).toMatchObject({jsonrpc: '2.0'});
		expect(complaints()).toBe('');
	});

	it('pauses a turn and ends when the editor dies or a signal comes', async () => {
		const editor = await startAcp([[{type: 'text', text: 'Part.'}, {type: 'stall'}]]);
		const {agent, cwd} = editor;
		await agent.request(methods.agent.initialize, {protocolVersion: 1});
		const {sessionId} = await agent.request(methods.agent.session.new, {cwd, mcpServers: []});
		const prompt = [{type: 'text' as const, text: 'go'}];
		void agent.request(methods.agent.session.prompt, {sessionId, prompt}).catch(() => {});
		await expect.poll(() => JSON.stringify(editor.updates)).toContain('Part.');
		editor.child.kill('SIGTERM');
		expect(await editor.ended).toBe(0);
	});

	it('logs in with the arguments that it offers an editor', async () => {
		const {agent} = await startAcp([]);
		const {authMethods = []} = await agent.request(methods.agent.initialize, {
			protocolVersion: 1,
			clientCapabilities: {auth: {terminal: true}},
		});
		expect(authMethods).toContainEqual(expect.objectContaining({type: 'terminal', args: ['login', 'anthropic']}));
		await expect(agent.request(methods.agent.authenticate, {methodId: 'magic'})).rejects.toMatchObject({
			code: -32602,
		});
		expect(await agent.request(methods.agent.authenticate, {methodId: 'login-anthropic'})).toEqual({});
	});

	it('is started as the documentation says', () => {
		const page = readFileSync(join(projectRoot, 'docs/editors.md'), 'utf8');
		const [settings] = examplesIn('docs/editors.md', page).filter(({kind}) => kind === 'json editor');
		expect(JSON.parse(settings!.text)).toMatchObject({agent_servers: {inkpod: {command: 'inkpod', args: ['acp']}}});
	});
});
