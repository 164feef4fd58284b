import * as fc from 'fast-check';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import type {Item} from '../../src/pod/protocol.ts';
import {openSession} from '../../src/pod/disk/log/open.ts';
import {historyFile} from '../../src/pod/disk/paths.ts';
import type {Session} from '../../src/pod/disk/log/log.ts';
import {blocksOf} from '../../src/transcript/state.ts';
import {createTranscriptStore} from '../../src/screen/rows/store.ts';
import {orphanResults} from '../../src/worker/history/context.ts';
import {requestSettings, systemClock, type Answer} from '../../src/worker/index.ts';
import {dialectNames, isDialectName, type DialectName} from '../../src/worker/wires/dialects.ts';
import {loadModel} from '../../src/worker/wires/load.ts';
import {answers, converse, files} from '../helpers/conversation.ts';
import {createItems, historyText} from '../helpers/items.ts';
import {testPod, type TestPodOptions} from '../helpers/pod.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';
import type {Ledger} from '../helpers/wire-servers/ledger.ts';
import {startServer, wires, type WireName, type WireServer} from '../helpers/wire-servers/index.ts';
import {modelAt, specAt} from '../worker/wires/wire-model.ts';
import {context, originRules, unansweredCalls} from '../../src/pod/ground/history/reader.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_121);

/** Any signature is accepted, because a signature that was lost with a damaged line cannot come back. */
const anySignature: Ledger = {
	sign: text => Buffer.from(text).toString('base64'),
	owe() {},
	refuse: () => undefined,
	missing: () => undefined,
};

/** A wire, or a dialect of chat completions. The wires follow the rules of 0.1.0, except Google. */
type Speaker = WireName | DialectName;
const speakers: readonly Speaker[] = [...wires, ...dialectNames];

const servers = new Map<Speaker, WireServer>();
beforeAll(async () => {
	const texts = Array.from({length: 10_000}, (_, n): Answer => [{type: 'text', text: `Answer ${n}.`}]);
	for (const speaker of speakers) {
		const options = {
			ledger: anySignature,
			...(isDialectName(speaker) && {dialect: speaker}),
			alternate: speaker === 'google',
		};
		const wire = isDialectName(speaker) ? 'openai-compatible' : speaker;
		servers.set(speaker, await startServer(wire, texts, options));
	}
});
afterAll(async () => {
	for (const server of servers.values()) await server.close();
});

/** The messages to an opened session. It continues, and another provider answers afterwards. */
type Sequel = {readonly method: 'run' | 'resume'; readonly speaker: Speaker; readonly other: Speaker};
const sequel: fc.Arbitrary<Sequel> = fc.record({
	method: fc.constantFrom('run', 'resume'),
	speaker: fc.constantFrom(...speakers),
	other: fc.constantFrom(...speakers),
});

type Step = {
	readonly kind:
		| 'user'
		| 'file'
		| 'notice'
		| 'says'
		| 'blank'
		| 'thinks'
		| 'foreign'
		| 'cut'
		| 'call'
		| 'result'
		| 'request'
		| 'end';
	readonly id: string;
	readonly pick: number;
};
const anyStep: fc.Arbitrary<Step> = fc.record({
	kind: fc.constantFrom(
		'user',
		'file',
		'notice',
		'says',
		'blank',
		'thinks',
		'foreign',
		'cut',
		'call',
		'call',
		'call',
		'result',
		'result',
		'result',
		'request',
		'end',
	),
	id: fc.constantFrom('1', '2', '3', 'call:ü/3', 'x'.repeat(90)),
	pick: fc.nat(1000),
});

describe(`a request (seed ${seed})`, () => {
	it('is valid for calls and results in any order, repeated or stray, and reports what was left out', async () => {
		const project = await tempProject({'a.md': 'a\n'});
		await fc.assert(
			fc.asyncProperty(fc.array(anyStep, {maxLength: 30}), sequel, async (steps, then) => {
				await goOn(project, Buffer.from(historyText(itemsOf(steps), sessionId)), then);
			}),
			{seed, numRuns: long ? 3000 : 15},
		);
	});

	it.each(wires)(
		'is valid over the %s wire when its session is cut, forked or damaged, or when lines are repeated, moved or missing',
		async wire => {
			const project = await tempProject(files);
			await using server = await startServer(wire, answers, {ledger: anySignature});
			const items = await converse(project, async () => modelAt(wire, server), {
				name: 'paused in its calls',
				reopen: true,
				stop: 'running',
			});
			const lines = historyText(items, sessionId).split('\n');
			await fc.assert(
				fc.asyncProperty(harmOf(lines.length), sequel, async (harm, then) =>
					goOn(project, harmed(lines, items, harm), then),
				),
				{seed, numRuns: long ? 800 : 8},
			);
		},
	);
});

const sessionId = '01JZZZZZZZZZZZZZZZZZZZZZZZ';

function itemsOf(steps: readonly Step[]): Item[] {
	const make = createItems();
	const makers: Readonly<Record<Step['kind'], (step: Step) => Item>> = {
		user: () => make.user('And this?'),
		file: () => make.file('a.md', 'a\n'),
		notice: () => make.system('Something is to be known.', {kind: 'notice', about: 'test'}),
		says: () => make.assistant('I see.'),
		blank: () => make.assistant(' \n'),
		thinks: () => make.reasoning('I think.'),
		foreign: () => ({...make.reasoning('Signed elsewhere.'), provider: {elsewhere: {signature: 's'}}}),
		cut: () => ({...make.reasoning('I was about to'), stop: 'cut'}),
		call: ({id, pick}) => make.call(id, calls[pick % calls.length]!.name, calls[pick % calls.length]!.args),
		result: ({id, pick}) => make.result(id, 'a summary', pick % 4 === 0 ? '' : 'the content', pick % 3 === 0),
		request: ({pick}) =>
			make.request((['end', 'tool_calls', 'aborted', 'cut', 'error', 'length'] as const)[pick % 6]),
		end: ({pick}) => make.end((['finished', 'cancelled', 'paused', 'error', 'limit'] as const)[pick % 5]),
	};
	return [make.setup(), make.user('Hello.'), ...steps.map(step => makers[step.kind](step))];
}

const calls = [
	{name: 'read_file', args: {path: 'a.md'}},
	{name: 'glob', args: '{"pattern":'},
	{name: 'fly away!', args: '["x"]'},
	{name: 'grep', args: ''},
];

/** The damage to a history.json. `items` are written again with valid sums. The other kinds damage the text. */
type Harm =
	| {readonly kind: 'fork'; readonly at: number}
	| {readonly kind: 'cut'; readonly at: number; readonly bytes: number}
	| {readonly kind: 'lose' | 'spoil'; readonly lines: readonly number[]}
	| {readonly kind: 'repeat' | 'move' | 'repeatSound' | 'moveSound'; readonly at: number; readonly to: number};

/** Generates damage. It spares the header, the setup and the last lines. */
function harmOf(count: number): fc.Arbitrary<Harm> {
	const at = fc.integer({min: 3, max: count - 3});
	return fc.oneof(
		fc.record({kind: fc.constant('fork' as const), at}),
		fc.record({kind: fc.constant('cut' as const), at, bytes: fc.nat(3000)}),
		fc.record({
			kind: fc.constantFrom('lose' as const, 'spoil' as const),
			lines: fc.array(at, {minLength: 1, maxLength: 4}),
		}),
		fc.record({
			kind: fc.constantFrom('repeat' as const, 'move' as const, 'repeatSound' as const, 'moveSound' as const),
			at,
			to: at,
		}),
	);
}

function harmed(lines: readonly string[], items: readonly Item[], harm: Harm): Buffer {
	if (harm.kind === 'fork') return Buffer.from(historyText(items.slice(0, harm.at - 1), sessionId));
	if (harm.kind === 'cut') {
		const before = Buffer.from(`${lines.slice(0, harm.at).join('\n')}\n`);
		return Buffer.concat([before, Buffer.from(lines.slice(harm.at).join('\n')).subarray(0, harm.bytes)]);
	}
	if ('lines' in harm)
		return Buffer.from(
			lines
				.flatMap((line, at) =>
					!harm.lines.includes(at) ? [line] : harm.kind === 'lose' ? [] : [line.replace(/"/g, '\u0000')],
				)
				.join('\n'),
		);
	if (harm.kind === 'repeatSound' || harm.kind === 'moveSound')
		return Buffer.from(historyText(shifted(items, {...harm, at: harm.at - 1, to: harm.to - 1}), sessionId));
	return Buffer.from(shifted(lines, harm).join('\n'));
}

function shifted<T>(
	all: readonly T[],
	{kind, at, to}: {readonly kind: string; readonly at: number; readonly to: number},
): T[] {
	const rest = kind.startsWith('move') ? all.filter((_, index) => index !== at) : all;
	return [...rest.slice(0, to), all[at]!, ...rest.slice(to)];
}

let count = 0;

/**
Opens a session of these bytes and continues it, then does so again with another provider. The provider must refuse
nothing. A notice must report everything that was left out.
*/
async function goOn(project: TempProject, bytes: Buffer, {method, speaker, other}: Sequel): Promise<void> {
	const dir = join(project.dir, '..', `harmed-${count++}`, sessionId);
	await mkdir(dir, {recursive: true});
	await writeFile(historyFile(dir), bytes);
	const [refused, made] = [refusals().length, requests()];
	const first = await sitting(project, dir, speaker);
	if (method === 'resume' && first.status().kind === 'paused')
		expect(await first.pod.send({method})).toEqual({accepted: true});
	else expect(await first.run('And now?')).toEqual({accepted: true});
	await first.rest();
	expect(refusals().slice(refused)).toEqual([]);
	// A resume makes no request if the run lacks only its end.
	const asked = requests() > made;
	if (asked) expectSound(first.items());
	await first.pod.send({method: 'shutdown'});
	const second = await sitting(project, dir, other);
	expect(second.items()).toEqual(first.items());
	expect(await second.run('And you?')).toEqual({accepted: true});
	await second.rest();
	expect(refusals().slice(refused)).toEqual([]);
	expectSound(second.items());
	if (asked)
		expect(second.items().filter(item => noticeOf(item) === 'stray')).toEqual(
			first.items().filter(item => noticeOf(item) === 'stray'),
		);
	await second.pod.send({method: 'shutdown'});
}

async function sitting(project: TempProject, dir: string, speaker: Speaker) {
	const session = await opened(dir);
	const told = await testPod(project, {...(await modelOf(speaker)), session});
	told.pod.subscribe(event => {
		if (event.type !== 'status') return;
		for (const {id} of event.status.asks)
			queueMicrotask(() => void told.pod.send({method: 'answer', askId: id, choice: 'allow'}));
	});
	return told;
}

async function modelOf(speaker: Speaker): Promise<Pick<TestPodOptions, 'model' | 'settings'>> {
	const server = servers.get(speaker)!;
	if (!isDialectName(speaker)) {
		const settings = speaker === 'google' ? {mergeResults: true} : {};
		return {model: await modelAt(speaker, server), settings};
	}
	const spec = specAt(speaker, server);
	return {model: await loadModel(spec), settings: requestSettings(spec)};
}

async function opened(dir: string): Promise<Session> {
	const answer = await openSession(dir, systemClock());
	if (!answer.ok) throw new Error(answer.sentence);
	return answer.session;
}

function expectSound(items: readonly Item[]): void {
	expect(items.at(-1)).toMatchObject({type: 'run_end', outcome: 'finished'});
	expect(unansweredCalls(items)).toEqual([]);
	const told = items.flatMap(item =>
		noticeOf(item) === 'stray' && item.type === 'message' ? (item.origin!['ids'] as string[]) : [],
	);
	expect(told).toEqual(orphanResults(items, originRules).map(({id}) => id));
	const sent = context(items).messages.flatMap(message => (message.role === 'tool' ? message.results : []));
	expect(sent.length + told.length).toBe(items.filter(({type}) => type === 'tool_result').length);
	expect(blocksFrom(items)).toBeGreaterThan(0);
}

function refusals(): string[] {
	return [...servers.values()].flatMap(server => server.refusals);
}

function requests(): number {
	return [...servers.values()].reduce((all, server) => all + server.requests.length, 0);
}

function noticeOf(item: Item): unknown {
	return item.type === 'message' && item.origin?.kind === 'notice' ? item.origin['about'] : undefined;
}

function blocksFrom(items: readonly Item[]): number {
	const store = createTranscriptStore({columns: 80, view: 'normal'});
	store.dispatch({
		type: 'snapshot',
		session: {id: sessionId, model: 'm', scope: {pwd: '/', writable: true, readRoots: []}},
		items,
		tail: [],
		status: {kind: 'idle', asks: [], queue: []},
	});
	const shown = blocksOf(store.transcript).length;
	for (let index = 0; index < store.count(); index += 1) store.rows(index);
	store.dispose();
	return shown;
}
