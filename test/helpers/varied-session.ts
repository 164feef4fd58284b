import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Item, Method} from '../../src/pod/protocol.ts';
import {copyOutputs} from '../../src/pod/tools/processes/copy-outputs.ts';
import {forkSession} from '../../src/pod/disk/conversations/fork.ts';
import {openSession} from '../../src/pod/disk/log/open.ts';
import type {Session} from '../../src/pod/disk/log/log.ts';
import {requestSettings, systemClock, type Answer, type ReadMedia} from '../../src/worker/index.ts';
import {isDialectName, type DialectName} from '../../src/worker/wires/dialects.ts';
import {loadModel} from '../../src/worker/wires/load.ts';
import {modelNames, specAt, testKey} from '../worker/wires/wire-model.ts';
import {seededRandom} from './random.ts';
import {compactionLimits} from './compacting.ts';
import {gif, png, sha256Of} from './images.ts';
import {configure, writtenServer} from './mcp-server.ts';
import {testPod, type TestPod, type TestPodOptions} from './pod.ts';
import {tempProject, type TempProject} from './temp-project.ts';
import type {Ledger} from './wire-servers/ledger.ts';
import {startServer, type RecordedRequest, type WireName, type WireServer} from './wire-servers/index.ts';

/** Everything that happens in these sessions. */
export const acts = [
	'say',
	'file',
	'dir',
	'image',
	'workflow',
	'interrupt',
	'steer',
	'notify',
	'shell',
	'deny',
	'hook',
	'instructions',
	'compact',
	'undo',
	'drop',
	'pin',
	'prune',
	'restore',
	'rewind',
	'fork',
	'switch',
	'reopen',
	'mcp',
] as const;
export type Act = (typeof acts)[number];

export type Speaker = WireName | DialectName;

/** Reads the images of these sessions. */
export const readVariedMedia: ReadMedia = async ({sha256}) =>
	[png(3, 2), gif].find(bytes => sha256Of(bytes) === sha256)?.toString('base64');

/** What the servers received, and the histories on disk. */
export type VariedSession = {
	readonly requests: ReadonlyArray<RecordedRequest & {readonly speaker: Speaker}>;
	readonly histories: ReadonlyArray<readonly Item[]>;
	/** The header of the user's configuration. */
	readonly configured: readonly string[];
};

/** Holds a session over these speakers. The same seed gives the same acts and answers. */
export async function holdVariedSession(
	script: readonly Act[],
	speakers: readonly [Speaker, ...Speaker[]],
	seed: number,
): Promise<VariedSession> {
	const held = new VariedPod(await variedProject(script.includes('mcp')), speakers, seededRandom(seed));
	try {
		await held.open();
		for (const act of script) await held.act(act);
		return await held.end();
	} finally {
		await held.close();
	}
}

const configured = 'x-team';

async function variedProject(hasServer: boolean): Promise<TempProject> {
	const project = await tempProject({
		'a.md': '# One\n\ntwo\nthree\n',
		'lone.txt': 'line\u001b[31m\n'.repeat(40),
		'src/b.ts': 'export const b = 1;\n',
		'a.png': png(3, 2),
		'b.gif': gif,
		'AGENTS.md': 'Be brief.\n',
		'.inkpod/workflows/audit.md': '---\ndescription: Reviews.\nrequires: [rules]\n---\nReview $ARGUMENTS.\n',
		'.inkpod/knowledge/rules.md': '---\ndescription: Rules.\n---\nNo stubs.\n',
	});
	if (hasServer) await configure(project, {written: await writtenServer(project, "tools = [tool('look')];")});
	return project;
}

/** Any signature is accepted: the law is about what is sent, and others test the signatures. */
const anySignature: Ledger = {
	sign: text => Buffer.from(`signed ${text}`).toString('base64'),
	owe() {},
	refuse: () => undefined,
	missing: () => undefined,
};

class VariedPod {
	readonly #project: TempProject;
	readonly #speakers: readonly [Speaker, ...Speaker[]];
	readonly #random: () => number;
	readonly #servers = new Map<Speaker, WireServer>();
	#speaker: Speaker;
	#told: TestPod | undefined;
	#choice = 'allow';
	#turn = 0;

	constructor(project: TempProject, speakers: readonly [Speaker, ...Speaker[]], random: () => number) {
		[this.#project, this.#speakers, this.#random] = [project, speakers, random];
		[this.#speaker] = speakers;
	}

	async open(session?: Session): Promise<void> {
		const told = await testPod(this.#project, {
			...(await this.#modelOf()),
			...(session && {session}),
			...podOptions,
		});
		told.pod.subscribe(event => {
			if (event.type !== 'status') return;
			for (const {id} of event.status.asks)
				queueMicrotask(() => void told.pod.send({method: 'answer', askId: id, choice: this.#choice}));
		});
		this.#told = told;
	}

	async act(act: Act): Promise<void> {
		const {pod} = this.#pod;
		this.#choice = act === 'deny' ? 'deny' : 'allow';
		if (act === 'steer') await this.#run('Work.', () => void pod.send(words('steer', 'And look there.')));
		else if (act === 'interrupt') await this.#interrupt();
		else if (act === 'notify')
			await pod.send({method: 'notify', text: 'A build ended.', run: this.#random() < 0.5});
		else if (act === 'shell') await pod.send({method: 'shell', command: 'echo "out\u00e9"; exit 3'});
		else if (act === 'compact') await pod.send({method: 'compact'});
		else if (act === 'drop' || act === 'pin') await this.#change(act, this.#pick(sentTypes));
		else if (act === 'prune') await this.#change('prune', this.#pick(['tool_result']));
		else if (act === 'restore') await this.#change('restore', this.#last(['context']));
		else if (act === 'undo') await this.#change('restore', this.#last(['compaction', 'rewind']));
		else if (act === 'rewind') await pod.send({method: 'rewind', to: this.#pick(['run_end'])?.id ?? 'none'});
		else if (act === 'fork') await this.#fork();
		else if (act === 'switch' || act === 'reopen') await this.#reopen(act === 'switch');
		else {
			if (act === 'instructions') await this.#project.write('AGENTS.md', `Be brief ${this.#turn}.\n`);
			await this.#run(said[act] ?? 'Hello.');
		}
		await this.#pod.rest();
		if (!silentActs.has(act)) return;
		await this.#run('And now?');
	}

	async end(): Promise<VariedSession> {
		await this.#pod.pod.send({method: 'shutdown'});
		const requests = [...this.#servers].flatMap(([speaker, server]) =>
			server.requests.map(request => ({...request, speaker})),
		);
		return {
			requests,
			histories: await storedHistories(join(this.#project.dir, '..', 'state')),
			configured: [configured],
		};
	}

	async close(): Promise<void> {
		for (const server of this.#servers.values()) await server.close();
	}

	get #pod(): TestPod {
		if (this.#told === undefined) throw new Error('no pod is open');
		return this.#told;
	}

	async #run(text: string, meanwhile?: () => void): Promise<void> {
		this.#turn++;
		meanwhile?.();
		await this.#pod.run(text);
		meanwhile?.();
		await this.#pod.rest();
	}

	async #interrupt(): Promise<void> {
		const {pod} = this.#pod;
		await this.#pod.run('Work for long.');
		await pod.send({method: this.#random() < 0.5 ? 'pause' : 'cancel'});
		await this.#pod.rest();
		await pod.send({method: 'resume'});
	}

	async #change(op: 'drop' | 'pin' | 'prune' | 'restore', item: Item | undefined): Promise<void> {
		if (item !== undefined) await this.#pod.pod.send({method: 'context', op, ids: [item.id]});
	}

	#pick(types: readonly Item['type'][]): Item | undefined {
		const items = this.#pod.items().filter(({type}) => types.includes(type));
		return items[Math.floor(this.#random() * items.length)];
	}

	#last(types: readonly Item['type'][]): Item | undefined {
		return this.#pod.items().findLast(({type}) => types.includes(type));
	}

	async #fork(): Promise<void> {
		const {session, pod} = this.#pod;
		await pod.send({method: 'shutdown'});
		const forked = await forkSession(session.dir, {backupsOf: () => [], copyOutputs}, systemClock());
		if (!forked.ok) throw new Error(forked.sentence);
		await this.open(await stored(forked.dir));
	}

	async #reopen(isSwitch: boolean): Promise<void> {
		const {session, pod} = this.#pod;
		await pod.send({method: 'shutdown'});
		const next = this.#speakers[(this.#speakers.indexOf(this.#speaker) + 1) % this.#speakers.length];
		if (isSwitch && next !== undefined) this.#speaker = next;
		await this.open(await stored(session.dir));
	}

	async #modelOf(): Promise<Pick<TestPodOptions, 'model' | 'settings'>> {
		const speaker = this.#speaker;
		const wire = isDialectName(speaker) ? 'openai-compatible' : speaker;
		const server = this.#servers.get(speaker) ?? (await this.#serve(wire, speaker));
		const at = isDialectName(speaker)
			? specAt(speaker, server)
			: {provider: wire, model: modelNames[wire], apiKey: testKey, baseURL: server.url};
		const spec = {...at, settings: this.#turn % 2 === 0 ? {} : {reasoning: 'low', temperature: 0.5}};
		const options = {headers: {[configured]: 'ink'}};
		return {model: await loadModel({...spec, options}), settings: requestSettings(spec)};
	}

	async #serve(wire: WireName, speaker: Speaker): Promise<WireServer> {
		const server = await startServer(
			wire,
			this.#answers(() => server.requests.at(-1)?.body ?? ''),
			{
				ledger: anySignature,
				alternate: wire === 'google',
				...(isDialectName(speaker) && {dialect: speaker}),
			},
		);
		this.#servers.set(speaker, server);
		return server;
	}

	/** Answers as many requests as come. A compaction gets its summary. */
	#answers(body: () => string): readonly Answer[] {
		return new Proxy<Answer[]>([], {
			get: (target, key) => {
				if (typeof key !== 'string' || !/^\d+$/.test(key)) return Reflect.get(target, key);
				if (isSummaryBody(body())) return summaries[/"So far\./.test(body()) ? 1 : 0];
				return answers[Math.floor(this.#random() * answers.length)];
			},
		});
	}
}

export function isSummaryBody(body: string): boolean {
	return body.includes('"write_summary"');
}

const podOptions: Pick<TestPodOptions, 'limits' | 'toolHooks' | 'hook'> = {
	limits: {...compactionLimits({retainedTokens: 60, autoReadTokens: 400}), maxTurns: 6},
	hook: async ({text}) => (text.includes('forbidden') ? {type: 'cancel', reason: 'forbidden'} : {type: 'continue'}),
	toolHooks: {
		before: async ({args}) =>
			JSON.stringify(args).includes('hooked')
				? {type: 'cancel', reason: 'A hook refused it.'}
				: {type: 'continue'},
	},
};

const sentTypes: readonly Item['type'][] = ['message', 'tool_call', 'tool_result'];

/** These acts make no request by themselves. */
const silentActs: ReadonlySet<Act> = new Set([
	'notify',
	'shell',
	'compact',
	'undo',
	'drop',
	'pin',
	'prune',
	'restore',
	'rewind',
	'fork',
	'switch',
	'reopen',
]);

const said: Readonly<Record<string, string>> = {
	say: 'Hello, \ud83d\udc4d \u65e5\u672c\u8a9e.',
	file: 'Explain @a.md and @lone.txt:2-3 and @./missing.md \ud83d',
	dir: 'What is in @src/ ?',
	image: 'Look at @a.png and @b.gif.',
	workflow: '/audit the code',
	deny: 'Write something.',
	hook: 'Try what is hooked.',
	instructions: 'What are your rules?',
	mcp: 'Look with the server.',
};

const text = (words: string): Answer[number] => ({type: 'text', text: words});
const call = (name: string, args: Record<string, unknown> | string): Answer[number] => ({
	type: 'tool_call',
	name,
	arguments: args,
});

const answers: readonly Answer[] = [
	[text('Yes.')],
	[{type: 'reasoning', text: 'I think, \u4e8c\u3064.'}, text('So it is.')],
	[{type: 'reasoning', text: 'First.'}, {type: 'reasoning', text: 'Second.'}, text('Both. ')],
	[text('Here, '), text('and there.')],
	[{type: 'reasoning', text: 'To read.'}, call('read_file', {path: 'a.md', limit: 2})],
	[text('Two.'), call('read_file', {path: 'a.md'}), call('glob', '{ "pattern": "**/*" }')],
	[call('glob', '{"pattern":'), call('grep', '')],
	[call('fly away!', '["x"]')],
	[call('bash', {command: 'echo hooked'}), call('bash', {command: 'false'})],
	[call('write_file', {path: 'new.txt', content: 'n\n'})],
	[call('mcp__written__look', {})],
	[text('Cut'), {type: 'stop', stop: 'length'}],
	[{type: 'reasoning', text: 'Lost'}, {type: 'cut'}],
];

const summaries: readonly Answer[] = [[call('write_summary', {text: 'So far. All was said.'})], [text('Done.')]];

function words(method: 'run' | 'steer', said: string): Method {
	return {method, segments: [{type: 'text', text: said}]};
}

async function stored(dir: string): Promise<Session> {
	const opened = await openSession(dir, systemClock());
	if (!opened.ok) throw new Error(opened.sentence);
	return opened.session;
}

/** Returns the items of all histories below a folder: sessions, forks, and those of compactions. */
async function storedHistories(root: string): Promise<ReadonlyArray<readonly Item[]>> {
	const entries = await readdir(root, {recursive: true});
	const files = entries.filter(name => name.endsWith('history.json')).toSorted();
	return Promise.all(
		files.map(async name => {
			const {items} = JSON.parse(await readFile(join(root, name), 'utf8')) as {readonly items: readonly Item[]};
			return items;
		}),
	);
}
