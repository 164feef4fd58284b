import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {
	client,
	methods,
	ndJsonStream,
	type ClientCapabilities,
	type ClientConnection,
	type ContentBlock,
	type McpServer,
	type PromptResponse,
	type RequestPermissionRequest,
	type RequestPermissionResponse,
	type SessionUpdate,
} from '@agentclientprotocol/sdk';
import {onTestFinished} from 'vitest';
import {serveEditor} from '../../src/acp/agent.ts';
import {initializeResponse} from '../../src/acp/initialize.ts';
import type {Start} from '../../src/cli/start/launch.ts';
import {createHost} from '../../src/cli/acp/serve-stdio.ts';
import {socketDir} from './socket-pod.ts';
import {tempHome} from '../pod/disk/fixture.ts';

/** An editor that is connected to an ACP server, with everything that it got. */
export type TestEditor = {
	readonly connection: ClientConnection;
	readonly agent: ClientConnection['agent'];
	readonly home: string;
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	/** All updates, with the session of each. */
	readonly updates: ReadonlyArray<{readonly session: string; readonly update: SessionUpdate}>;
	readonly questions: readonly RequestPermissionRequest[];
	readonly updatesOf: <Kind extends SessionUpdate['sessionUpdate']>(
		kind: Kind,
		session?: string,
	) => ReadonlyArray<Extract<SessionUpdate, {sessionUpdate: Kind}>>;
	/** The text of the answers so far. */
	readonly answer: (session?: string) => string;
	readonly open: (servers?: McpServer[]) => Promise<string>;
	readonly prompt: (session: string, prompt: string | ContentBlock[]) => Promise<PromptResponse>;
	/** Resolves when the condition is true. It is looked at after each message. */
	readonly until: (condition: () => boolean) => Promise<void>;
	/** Ends the editor without a word. */
	readonly die: () => Promise<void>;
	/** Resolves when the server has closed all sessions. */
	readonly served: Promise<void>;
};

export type EditorOptions = {
	readonly script: unknown;
	readonly start?: Partial<Start>;
	/** Another editor on the same machine, whose home this one shares. */
	readonly beside?: Pick<TestEditor, 'home' | 'cwd' | 'env'>;
	readonly capabilities?: ClientCapabilities;
	/** The id of the option that the user chooses, or the whole outcome. */
	readonly onQuestion?: (
		question: RequestPermissionRequest,
	) => string | RequestPermissionResponse['outcome'] | Promise<string | RequestPermissionResponse['outcome']>;
	/** The texts of the editor's buffers by path. */
	readonly buffers?: (path: string) => string | undefined;
};

export async function testEditor(options: EditorOptions): Promise<TestEditor> {
	const {home, cwd, env} = options.beside ?? (await newHome(options.script));
	const start: Start = {
		session: {kind: 'new'},
		model: `scripted:${join(home, 'script.json')}`,
		readOnly: false,
		addDirs: [],
		noConfine: true,
		...options.start,
	};
	const [toAgent, toClient] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
	const stop = new AbortController();
	const host = createHost({start, env, initialize: methods => initializeResponse('0.0.0', methods)});
	const served = serveEditor(ndJsonStream(toClient.writable, toAgent.readable), host, stop.signal);
	const updates: Array<{session: string; update: SessionUpdate}> = [];
	const questions: RequestPermissionRequest[] = [];
	const waiting = new Set<() => void>();
	const look = () => waiting.forEach(check => check());
	const connection = createClient(options, {updates, questions, look}).connect(
		ndJsonStream(toAgent.writable, toClient.readable),
	);
	onTestFinished(async () => {
		stop.abort();
		connection.close();
		await served;
	});
	const {agent} = connection;
	await agent.request(methods.agent.initialize, {protocolVersion: 1, clientCapabilities: options.capabilities ?? {}});
	const updatesOf: TestEditor['updatesOf'] = (kind, session) =>
		updates.flatMap(each =>
			each.update.sessionUpdate === kind && (session === undefined || session === each.session)
				? [each.update as Extract<SessionUpdate, {sessionUpdate: typeof kind}>]
				: [],
		);
	return {
		connection,
		agent,
		home,
		cwd,
		env,
		updates,
		questions,
		updatesOf,
		served,
		die: async () => toAgent.writable.close(),
		answer: session =>
			updatesOf('agent_message_chunk', session)
				.map(({content}) => textOf(content))
				.join(''),
		async open(mcpServers = []) {
			const {sessionId} = await agent.request(methods.agent.session.new, {cwd, mcpServers});
			return sessionId;
		},
		prompt: async (sessionId, prompt) =>
			agent.request(methods.agent.session.prompt, {
				sessionId,
				prompt: typeof prompt === 'string' ? [{type: 'text', text: prompt}] : prompt,
			}),
		until: async condition =>
			new Promise(resolve => {
				const check = () => {
					if (!condition()) return;
					waiting.delete(check);
					resolve();
				};
				waiting.add(check);
				check();
			}),
	};
}

async function newHome(script: unknown): Promise<Pick<TestEditor, 'home' | 'cwd' | 'env'>> {
	const {home, cwd, env} = await tempHome();
	await writeFile(join(home, 'script.json'), JSON.stringify(script));
	const runtime = await socketDir();
	const path = process.env['PATH'] ?? '';
	return {home, cwd, env: {...env, INKPOD_HOME: join(home, 'state'), XDG_RUNTIME_DIR: runtime, PATH: path}};
}

type Got = {
	readonly updates: Array<{session: string; update: SessionUpdate}>;
	readonly questions: RequestPermissionRequest[];
	readonly look: () => void;
};

function createClient({onQuestion = () => 'allow', buffers}: EditorOptions, {updates, questions, look}: Got) {
	return client({name: 'test editor'})
		.onNotification(methods.client.session.update, ({params}) => {
			updates.push({session: params.sessionId, update: params.update});
			look();
		})
		.onRequest(methods.client.session.requestPermission, async ({params}) => {
			questions.push(params);
			look();
			const outcome = await onQuestion(params);
			return {outcome: typeof outcome === 'string' ? {outcome: 'selected', optionId: outcome} : outcome};
		})
		.onRequest(methods.client.fs.readTextFile, ({params}) => {
			const content = buffers?.(params.path);
			if (content === undefined) throw new Error('no such buffer');
			return {content};
		});
}

export function textOf(content: ContentBlock): string {
	return content.type === 'text' ? content.text : '';
}
