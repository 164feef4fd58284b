import {createHash} from 'node:crypto';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import type {Item, ItemOf, ItemType} from '../../src/pod/protocol.ts';
import {openSession} from '../../src/pod/disk/log/open.ts';
import {historyFile} from '../../src/pod/disk/paths.ts';
import {requestSettings, systemClock, type Answer, type Model, type Settings} from '../../src/worker/index.ts';
import {dialectNames, isDialectName, type DialectName} from '../../src/worker/wires/dialects.ts';
import {loadModel, type ModelSpec} from '../../src/worker/wires/load.ts';
import {seededRandom} from '../helpers/random.ts';
import {answering, answers, closed, converse, files, opened, type Held} from '../helpers/conversation.ts';
import {createItems, historyText} from '../helpers/items.ts';
import type {TestPod} from '../helpers/pod.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';
import {startServer, wires, type RecordedRequest, type WireServer} from '../helpers/wire-servers/index.ts';
import {modelNames, specAt, testKey} from '../worker/wires/wire-model.ts';

const long = process.env['INKPOD_TEST'] === 'long';

const inOneProcess: Held = {name: 'in one process', reopen: false};
const otherwise: readonly Held[] = [
	{name: 'paused when all calls but one were answered', reopen: true, stop: 'running'},
	{name: 'paused when the calls were committed', reopen: true, stop: 'calls'},
	{name: 'ended without a word when all calls but one were answered', reopen: true, stop: 'running', by: 'death'},
];

/** Every dialect in one of these ways; in the long run, in each of them. */
const held = dialectNames.flatMap((dialect, index) =>
	otherwise.filter((_, way) => long || way === index % otherwise.length).map(how => ({dialect, ...how})),
);

describe('a conversation in a dialect', () => {
	it.each(held)('sends the same bytes as a single process to $dialect when $name', async ({dialect, ...how}) => {
		const project = await tempProject(files);
		const [first, second] = [
			await hold(dialect, project, inOneProcess),
			await hold(dialect, project, {...how, reopen: true}),
		];
		expect(first).toHaveLength(answers.length);
		expect(second.map(({body}) => body)).toEqual(first.map(({body}) => body));
		for (const [index, {json}] of first.slice(1).entries())
			// Thoughts that only go back within a loop are not sent after it.
			if (dialect !== 'qwen')
				expect(json.messages.slice(0, first[index]!.json.messages.length)).toEqual(first[index]!.json.messages);
	});
});

/** Somebody who answers in a session: a wire, or a server of chat completions. */
type Speaker = {
	readonly name: string;
	readonly server: WireServer;
	readonly load: () => Promise<Model>;
	readonly settings: Settings;
};

const speakers: Speaker[] = [];
const names = [...wires.filter(wire => wire !== 'openai-compatible'), ...dialectNames];

beforeAll(async () => {
	for (const name of names) speakers.push(await startSpeaker(name));
});
afterAll(async () => {
	for (const {server} of speakers) await server.close();
});

describe('a session that changes its model', () => {
	let items: readonly Item[] = [];

	it(`is valid for each of ${names.length} models after every other one`, async () => {
		const project = await tempProject(files);
		const visits = [...speakers, ...speakers.toReversed()];
		let last: TestPod | undefined;
		for (const speaker of visits) {
			const session = last && (await closed(last));
			last = await answering(await opened(project, await speaker.load(), session, speaker));
			expect(await last.run(`What does ${speaker.name} say?`)).toEqual({accepted: true});
			await last.rest();
			expect(refusalsOf(speaker)).toEqual([]);
		}
		items = last?.items() ?? [];
		expect(of(items, 'run_end').map(({outcome}) => outcome)).toEqual(visits.map(() => 'finished'));
		expect(of(items, 'setup')).toHaveLength(visits.length - 1);
		const sent = speakers.flatMap(({server}) => server.requests.map(hashOf));
		expect(
			of(items, 'request')
				.map(({requestHash}) => requestHash)
				.toSorted(),
		).toEqual(sent.toSorted());
	});

	it('sends thoughts and signatures only to the server that they came from', () => {
		for (const {name, server} of speakers) {
			const bodies = server.requests.map(({body}) => body).join('\n');
			for (const other of names) if (other !== name) expect(bodies).not.toContain(thoughtOf(other));
			if (name !== 'gemini') expect(bodies).not.toContain('"thought_signature"');
		}
	});

	const changes = [
		['forked', (all: readonly Item[], at: number) => all.slice(0, at)],
		['rewound', (all: readonly Item[], at: number) => [...all, change('rewind', {to: userAt(all, at)})]],
		[
			'compacted',
			(all: readonly Item[], at: number) => [
				...all,
				change('compaction', {...summary, firstKept: userAt(all, at), keptIds: []}),
			],
		],
		[
			'without some of its items',
			(all: readonly Item[], at: number) => [
				...all,
				change('context', {op: 'drop', ids: all.slice(at, at + 7).map(({id}) => id)}),
			],
		],
	] as const;

	it.each(changes)('is valid for every speaker when it is %s', async (name, changed) => {
		const project = await tempProject(files);
		const random = seededRandom(seed + changes.findIndex(([other]) => other === name));
		for (const speaker of speakers)
			for (let time = 0; time < (long ? 8 : 1); time++) {
				const at = 3 + Math.floor(random() * (items.length - 3));
				await goOn(project, changed(items, at), speaker);
			}
	});
});

const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_122);

function thoughtOf(name: string): string {
	return `A thought that ${name} had`;
}

function refusalsOf({name, server}: Speaker): readonly string[] {
	return server.refusals.map(refusal => `${name}: ${refusal}`);
}

/** Two answers for each of two visits, then short ones. */
async function startSpeaker(name: (typeof names)[number]): Promise<Speaker> {
	const answered = [0, 1].flatMap(visit => visited(name, visit));
	const more = Array.from({length: 1000}, (_, n): Answer => [{type: 'text', text: `Answer ${n} of ${name}.`}]);
	const isDialect = isDialectName(name);
	const server = await startServer(isDialect ? 'openai-compatible' : name, [...answered, ...more], {
		...(isDialect && {dialect: name}),
		alternate: name === 'google',
	});
	const spec: ModelSpec = isDialect
		? specAt(name, server)
		: {provider: name, model: modelNames[name], apiKey: testKey, baseURL: server.url};
	return {name, server, load: async () => loadModel(spec), settings: requestSettings(spec)};
}

function visited(name: string, visit: number): readonly Answer[] {
	const callId = (n: number) => `${name}:${visit}/${n}`;
	return [
		[
			{type: 'reasoning', text: `${thoughtOf(name)} at first on visit ${visit}.`, chunk: 5},
			{type: 'text', text: `${name} looks on visit ${visit}.`},
			{type: 'tool_call', callId: callId(1), name: 'glob', arguments: {pattern: `${name}-${visit}.*`}},
			{type: 'tool_call', callId: callId(2), name: 'glob', arguments: '{"pattern":'},
		],
		[
			{type: 'reasoning', text: `${thoughtOf(name)} at last on visit ${visit}.`},
			{type: 'text', text: `This is what ${name} says on visit ${visit}.`},
		],
	];
}

const summary = {
	summary: 'They spoke.',
	refs: ['a.ts'],
	refused: [],
	before: 100,
	after: 10,
	model: 'm',
	usage: {},
};

const maker = createItems('change-');

function change(type: ItemType, keys: object): Item {
	const item: Item = maker.item(type, keys);
	return item;
}

/** The last message of the user before this place. */
function userAt(items: readonly Item[], at: number): string {
	return items.slice(0, at).findLast(item => item.type === 'message' && item.role === 'user')!.id;
}

let sessions = 0;

/** Opens a session of these items and continues it. The speaker must not refuse anything. */
async function goOn(project: TempProject, items: readonly Item[], speaker: Speaker): Promise<void> {
	const dir = join(project.dir, '..', `changed-${sessions++}`, sessionId);
	await mkdir(dir, {recursive: true});
	await writeFile(historyFile(dir), historyText(items, sessionId));
	const session = await openSession(dir, systemClock());
	if (!session.ok) throw new Error(session.sentence);
	const pod = await answering(await opened(project, await speaker.load(), session.session, speaker));
	if (pod.status().kind === 'paused') await pod.pod.send({method: 'resume'});
	else await pod.run('And now?');
	await pod.rest();
	expect(refusalsOf(speaker)).toEqual([]);
	expect(pod.items().at(-1)).toMatchObject({type: 'run_end', outcome: 'finished'});
	await pod.pod.send({method: 'shutdown'});
}

const sessionId = '01JZZZZZZZZZZZZZZZZZZZZZZZ';

/** Runs the conversation with a strict server, which must not refuse anything. */
async function hold(dialect: DialectName, project: TempProject, how: Held): Promise<readonly RecordedRequest[]> {
	await using server = await startServer('openai-compatible', answers, {dialect});
	const spec = specAt(dialect, server);
	const items = await converse(project, async () => loadModel(spec), {...how, settings: requestSettings(spec)});
	expect(server.refusals).toEqual([]);
	expect(of(items, 'run_end').at(-1)).toMatchObject({outcome: 'finished'});
	expect(of(items, 'tool_result').map(({isError}) => isError)).toEqual([false, false, false]);
	expect(of(items, 'reasoning').map(({text}) => text)).toEqual([
		'I should look at both, 二つとも 👍.',
		'Now I know.',
		'They leave.',
	]);
	expectHashes(items, server.requests);
	return server.requests;
}

/** Compares the requests in history with the requests that the server received. */
function expectHashes(items: readonly Item[], requests: readonly RecordedRequest[]): void {
	expect(of(items, 'request').map(({requestHash}) => requestHash)).toEqual(requests.map(hashOf));
}

function hashOf({body}: RecordedRequest): string {
	return createHash('sha256').update(body).digest('hex');
}

function of<Type extends ItemType>(items: readonly Item[], type: Type): Array<ItemOf<Type>> {
	return items.filter((item): item is ItemOf<Type> => item.type === type);
}
