import {spawn} from 'node:child_process';
import {cp, mkdir, readFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {createInterface} from 'node:readline';
import {setTimeout as sleep} from 'node:timers/promises';
import {describe, expect, it} from 'vitest';
import type {Event, Item} from '../../src/pod/protocol.ts';
import {openSession} from '../../src/pod/disk/log/open.ts';
import {historyFile, sessionDir} from '../../src/pod/disk/paths.ts';
import {readSession} from '../../src/pod/disk/log/read.ts';
import {verifySession} from '../../src/pod/disk/check/verify.ts';
import {systemClock} from '../../src/worker/index.ts';
import {builtProgram} from '../helpers/built.ts';
import {seededRandom} from '../helpers/random.ts';
import {killsOf, timeFor} from '../helpers/kills.ts';
import {testPod, type TestPod} from '../helpers/pod.ts';
import {cleanEnvironment} from '../helpers/pty.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';
import {createLedger, type Ledger} from '../helpers/wire-servers/ledger.ts';
import {startServer, wires, type ServerAnswer, type WireName} from '../helpers/wire-servers/index.ts';
import {modelAt, modelNames, testKey} from '../worker/wires/wire-model.ts';

const kills = killsOf('process');
const seed = Number(process.env['INKPOD_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** One session that is killed repeatedly, with everything that its clients ever received. */
type Victim = {
	readonly project: TempProject;
	readonly wire: WireName;
	readonly ledger: Ledger;
	readonly random: () => number;
	readonly told: Map<string, Item>;
	/** The streamed items with their text so far. Calls are not kept unless they are complete. */
	readonly streamed: Map<string, Item>;
	/** The id of the session, from its first event on. */
	id: string | undefined;
	deaths: number;
};

/** Counts the effects of the kills, so that a run of the test reports its coverage. */
type Toll = {
	items: number;
	streamed: number;
	torn: number;
	unbegun: number;
	unanswered: number;
	midRun: number;
	ended: number;
};

describe('a killed process', () => {
	it(
		`loses nothing that a client received (INKPOD_SEED=${seed} INKPOD_KILLS=${kills})`,
		{timeout: timeFor(kills)},
		async () => {
			const toll: Toll = {items: 0, streamed: 0, torn: 0, unbegun: 0, unanswered: 0, midRun: 0, ended: 0};
			const random = seededRandom(seed);
			for (let done = 0; done < kills;) {
				const lanes = Array.from(
					{length: Math.min(lanesAtOnce, Math.ceil((kills - done) / deathsEach))},
					async (_, lane) => {
						const deaths = Math.min(deathsEach, kills - done - lane * deathsEach);
						await killAgainAndAgain(
							await victim(
								wires[(done / deathsEach + lane) % wires.length]!,
								seededRandom(Math.floor(random() * 2 ** 31)),
							),
							deaths,
							toll,
						);
						return deaths;
					},
				);
				for (const deaths of await Promise.all(lanes)) done += deaths;
			}
			console.log(`crash test: seed ${seed}, ${kills} kills, ${JSON.stringify(toll)}`);
			expect(toll.unbegun).toBeLessThan(kills);
			// Of a few kills, it may be that none comes while text streams.
			expect(toll.streamed).toBeGreaterThan(kills < 100 ? -1 : 0);
		},
	);
});

const lanesAtOnce = 2;
/** A short run also covers every provider. */
const deathsEach = kills < 20 ? 3 : 5;

async function victim(wire: WireName, random: () => number): Promise<Victim> {
	const project = await tempProject({
		...Object.fromEntries(['a.md', 'b.md', '日本 c.md'].map(name => [name, `${name}: 語 line\n`.repeat(900)])),
		'src/d.ts': 'export const d = 1;\n',
	});
	return {
		project,
		wire,
		ledger: createLedger(),
		random,
		told: new Map(),
		streamed: new Map(),
		id: undefined,
		deaths: 0,
	};
}

async function killAgainAndAgain(killed: Victim, deaths: number, toll: Toll): Promise<void> {
	for (; killed.deaths < deaths; killed.deaths += 1) {
		await using server = await startServer(killed.wire, answersFor(killed), {ledger: killed.ledger});
		await runAndKill(killed, server.url);
		expect(server.refusals).toEqual([]);
		await inspect(killed, toll);
	}
}

/**
Returns an answer with thoughts, words and parallel calls, which comes after a refusal and its retry. A second answer
follows. Every text and id is unique.
*/
function answersFor({deaths, random}: Pick<Victim, 'deaths' | 'random'>): ServerAnswer[] {
	const name = `${deaths}_${Math.floor(random() * 1e6)}`;
	const call = (n: number, tool: string, args: object) => ({
		type: 'tool_call' as const,
		callId: `call_${name}_${n}`,
		name: tool,
		arguments: {...args},
		chunk: 9,
	});
	return [
		{status: 529, headers: {'retry-after': '0.02'}},
		[
			{type: 'reasoning', text: `I should look (${name}). 二つとも 👍 ${slowly}`, chunk: 5, delayMs: 2},
			{type: 'text', text: `Let me look (${name}). ${slowly}`, chunk: 5, delayMs: 2},
			call(1, 'read_file', {path: 'a.md'}),
			call(2, 'glob', {pattern: '**/*'}),
			call(3, 'grep', {pattern: 'line', limit: 500}),
			call(4, 'read_file', {path: 'gone.md'}),
		],
		[
			{type: 'text', text: `Once more (${name}).`, chunk: 2, delayMs: 1},
			call(5, 'read_file', {path: '日本 c.md'}),
			call(6, 'fly', {}),
			call(7, 'bash', {command: `for n in 1 2 3 4 5 6; do echo out_${name}_$n; sleep 0.02; done`}),
		],
		[
			{type: 'reasoning', text: `Now I know (${name}).`, chunk: 4},
			{type: 'text', text: `They hold lines (${name}). ${'語 '.repeat(100)}`, chunk: 4, delayMs: 2},
		],
	];
}

/** Many pieces, so that some kills come while a text streams. */
const slowly = 'bit by bit '.repeat(20);

/** Runs the program on the victim's session. Kills it after a random number of events and a random delay. */
async function runAndKill(killed: Victim, url: string): Promise<void> {
	const {project, wire, random, id} = killed;
	const home = homeOf(project);
	const args = [
		'-p',
		'--output-format',
		'stream-json',
		'--approval',
		'auto',
		'--model',
		`${wire}/${modelNames[wire]}`,
		...(id === undefined ? [] : ['-r', id]),
		`look at @a.md and @"日本 c.md" (${killed.deaths})`,
	];
	const child = spawn(process.execPath, [await builtProgram(), ...args], {
		cwd: project.dir,
		env: {...cleanEnvironment(home), ...wireEnv(wire, url)},
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	const closed = new Promise(resolve => child.on('close', resolve));
	const deadline = Math.floor(random() ** 1.5 * 110);
	const pause = random() < 0.5 ? 0 : random() * 30;
	let events = 0;
	for await (const line of createInterface({input: child.stdout})) {
		hear(killed, JSON.parse(line) as Event);
		if (events++ === deadline) void sleep(pause).then(() => child.kill('SIGKILL'));
	}
	await closed;
}

function homeOf(project: TempProject): string {
	return join(project.dir, '..', 'home');
}

function wireEnv(wire: WireName, url: string): Record<string, string> {
	const [key, base] = {
		anthropic: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'],
		openai: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
		google: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_BASE_URL'],
		'openai-compatible': ['OPENAI_COMPATIBLE_API_KEY', 'OPENAI_COMPATIBLE_BASE_URL'],
	}[wire] as [string, string];
	return {[key]: testKey, [base]: url};
}

function hear(killed: Victim, event: Event): void {
	if (event.type === 'snapshot') killed.id = event.session.id;
	const items = event.type === 'snapshot' ? event.items : event.type === 'item' ? [event.item] : [];
	for (const item of items) killed.told.set(item.id, item);
	if (event.type !== 'delta') return;
	const {id, text, begin = killed.streamed.get(id)} = event;
	if (begin?.type === 'message' || begin?.type === 'reasoning')
		killed.streamed.set(id, {...begin, text: begin.text + text});
	if (begin?.type === 'tool_result') killed.streamed.set(id, {...begin, content: begin.content + text});
}

/**
Checks the remains of the dead process as a reader, as the next run and as a resume. It does not change the session
itself.
*/
async function inspect(killed: Victim, toll: Toll): Promise<void> {
	const {project, id, told} = killed;
	const dir = sessionDir(join(cleanEnvironment(homeOf(project))['INKPOD_HOME']!, 'sessions'), project.dir, id ?? '');
	const read = id === undefined ? undefined : await readSession(dir);
	if (read?.ok !== true) {
		expect([...told.keys()]).toEqual([]);
		toll.unbegun += 1;
		killed.id = undefined;
		return;
	}
	expectTold(told, read.session.items);
	const {decoded, items} = read.session;
	const verdict = verifySession(read.session);
	expect(verdict).toMatchObject({ok: true});
	toll.items += told.size;
	toll.torn += decoded.closed ? 0 : 1;
	toll.unanswered += verdict.findings.some(({about}) => about === 'pairing') ? 1 : 0;
	toll[items.at(-1)!.type === 'run_end' ? 'ended' : 'midRun'] += 1;
	for (const method of ['run', 'resume'] as const) toll.streamed += await goOn(method, dir, killed);
}

function expectTold(told: ReadonlyMap<string, Item>, items: readonly Item[]): void {
	const stored = new Map(items.map(item => [item.id, item]));
	for (const [id, item] of told) expect(stored.get(id)).toMatchObject(item);
}

/** Refuses to run an interrupted command again. */
function refuseAsks({pod}: TestPod): void {
	pod.subscribe(event => {
		if (event.type !== 'status') return;
		for (const {id, choices} of event.status.asks) {
			const {choice = 'deny'} = choices.find(({refuses}) => refuses) ?? {};
			setImmediate(() => void pod.send({method: 'answer', askId: id, choice}));
		}
	});
}

/** Every streamed text is the beginning of an item with its id. Returns how many are interrupted. */
function expectStreamed({streamed, told}: Victim, items: readonly Item[]): number {
	const stored = new Map(items.map(item => [item.id, item]));
	expect(stored.size).toBe(items.length);
	const texts = [...streamed].flatMap(([id, item]) => (told.has(id) ? [] : [{id, text: textOf(item)}]));
	for (const {id, text} of texts) if (text !== '') expect(textOf(stored.get(id))).toContain(text);
	return texts.length;
}

function textOf(item: Item | undefined): string {
	if (item?.type === 'tool_result') return item.content;
	return item?.type === 'message' || item?.type === 'reasoning' ? item.text : '';
}

/** Continues a copy of the session, with its lock, against a strict server. */
async function goOn(method: 'run' | 'resume', left: string, killed: Victim): Promise<number> {
	const {project, wire, ledger, told, deaths} = killed;
	const dir = join(project.dir, '..', `${method}-${deaths}`, killed.id!);
	await mkdir(dirname(dir), {recursive: true});
	await cp(left, dir, {recursive: true});
	const opened = await openSession(dir, systemClock());
	if (!opened.ok) throw new Error(opened.sentence);
	await using server = await startServer(wire, [[{type: 'text', text: `And on (${method} ${deaths}).`}]], {ledger});
	const pod = await testPod(project, {model: await modelAt(wire, server), session: opened.session});
	refuseAsks(pod);
	expectTold(told, pod.items());
	const interrupted = expectStreamed(killed, pod.items());
	const before = pod.status().kind;
	const receipt = await pod.pod.send(
		method === 'run' ? {method, segments: [{type: 'text', text: 'And now?'}]} : {method},
	);
	await pod.rest();
	expect(server.refusals).toEqual([]);
	if (method === 'resume' && before === 'idle') expect(receipt).toMatchObject({accepted: false, code: 'not_paused'});
	else {
		expect(receipt).toEqual({accepted: true});
		expect(pod.items().at(-1)).toMatchObject({type: 'run_end', outcome: 'finished'});
	}
	await pod.pod.send({method: 'shutdown'});
	const read = await readSession(dir);
	expect(read.ok && verifySession(read.session)).toMatchObject({ok: true});
	expectTold(told, read.ok ? read.session.items : []);
	JSON.parse(await readFile(historyFile(dir), 'utf8'));
	return interrupted;
}
