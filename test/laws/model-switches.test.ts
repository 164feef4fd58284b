import {createHash} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {attributeRequest} from '../../src/pod/ground/history/reader.ts';
import type {Models} from '../../src/pod/models/models.ts';
import type {PodModel} from '../../src/pod/models/current-model.ts';
import type {Item, Receipt} from '../../src/pod/protocol.ts';
import {mediaReader} from '../../src/pod/disk/bodies/hashed-files.ts';
import {verifyRequests} from '../../src/pod/disk/check/verify-requests.ts';
import {
	loadModel,
	requestSettings,
	type Answer,
	type ModelSpec,
	type ReadMedia,
	type Settings,
} from '../../src/worker/index.ts';
import {dialectNames, isDialectName, type DialectName} from '../../src/worker/wires/dialects.ts';
import {seededRandom} from '../helpers/random.ts';
import {png} from '../helpers/images.ts';
import {allowed, testPod, type TestPod} from '../helpers/pod.ts';
import {tempProject} from '../helpers/temp-project.ts';
import type {Ledger} from '../helpers/wire-servers/ledger.ts';
import {startServer, wires, type WireName, type WireServer} from '../helpers/wire-servers/index.ts';
import {modelNames, specAt, testKey} from '../worker/wires/wire-model.ts';

const long = process.env['INKPOD_TEST'] === 'long';
const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_123);

/** Signatures are checked: what one server signed comes back to it alone. */
type Speaker = Exclude<WireName, 'openai-compatible'> | DialectName;
const speakers: readonly Speaker[] = [
	...wires.filter(wire => wire !== 'openai-compatible'),
	...dialectNames.filter(name => name !== 'strict'),
];

/** A turn has thoughts, calls and words. Servers recognise a call by its id, or by its name and arguments. */
const answersOf = (speaker: Speaker, turns: number): readonly Answer[] =>
	Array.from({length: turns}, (_, n): readonly Answer[] => [
		[
			{type: 'reasoning', text: `I look at it for time ${n}.`},
			{type: 'text', text: 'Let me look.'},
			{
				type: 'tool_call',
				callId: `${speaker}.${n}.1`,
				name: 'glob',
				arguments: {pattern: `{a.md,${speaker}${n}}`},
			},
			{type: 'tool_call', callId: `${speaker}.${n}.2`, name: 'read_file', arguments: {path: `${speaker}${n}.md`}},
		],
		[
			{type: 'reasoning', text: 'Now I know.'},
			{type: 'text', text: `It is read, ${n}.`},
		],
	]).flat();

/** The answers of a model without tools are words alone. */
const wordsOf = (turns: number): readonly Answer[] =>
	Array.from({length: turns}, (_, n): Answer => [{type: 'text', text: `Only words, ${n}.`}]);

/** Of an answer with calls, a model without tools gets no thoughts. */
const anySignature: Ledger = {
	sign: text => Buffer.from(text).toString('base64'),
	owe() {},
	refuse: () => undefined,
	missing: () => undefined,
};

type Place = {readonly name: string; readonly server: WireServer; readonly model: PodModel};

async function place(speaker: Speaker, tools: boolean, ledger: Ledger | undefined): Promise<Place> {
	const server = await startServer(
		isDialectName(speaker) ? 'openai-compatible' : speaker,
		tools ? answersOf(speaker, 60) : wordsOf(60),
		{...(isDialectName(speaker) && {dialect: speaker}), ...(ledger && {ledger}), alternate: speaker === 'google'},
	);
	const settings: Settings = tools ? {} : {tools: false, temperature: 0.5, stop: ['<end>']};
	const base: ModelSpec = isDialectName(speaker)
		? specAt(speaker, server)
		: {provider: speaker, model: modelNames[speaker], apiKey: testKey, baseURL: server.url};
	const spec = {...base, settings};
	const name = `${spec.provider}/${spec.model}`;
	const model = await loadModel(spec);
	return {
		name: `${name}${tools ? '' : ' plain'}`,
		server,
		model: {name, load: async () => model, settings: requestSettings(spec)},
	};
}

/** Opens models by the names of their places. */
function modelsAt(places: readonly Place[]): Models {
	return {
		async open(name) {
			const found = places.find(each => each.name === name);
			return found === undefined ? {ok: false, sentence: name} : {ok: true, model: found.model};
		},
		save: async () => undefined,
		login: async () => ({ok: false, sentence: 'No.'}),
		list: async () => [],
	};
}

/** Returns an order in which each place follows each other one, or as many of these pairs as the test has time for. */
function tour(places: readonly Place[], steps: number): readonly Place[] {
	const random = seededRandom(seed);
	const pairs = places.flatMap(from => places.filter(to => to !== from).map(to => [from, to] as const));
	const order = pairs.map(pair => ({pair, key: random()})).toSorted((one, other) => one.key - other.key);
	return order.slice(0, steps).flatMap(({pair}) => pair);
}

describe(`switching the model (seed ${seed})`, () => {
	it('leads to a valid request on every wire, and the transcript shows every switch', async () => {
		const places: Place[] = [];
		for (const speaker of speakers) places.push(await place(speaker, true, undefined));
		for (const speaker of ['anthropic', 'openai', 'google', 'mistral', 'ollama'] as const)
			places.push(await place(speaker, false, anySignature));
		const project = await tempProject({'a.md': '# One\n', 'shot.png': png(40, 30)});
		const [first] = places;
		const told = await testPod(project, {
			model: await first!.model.load(),
			settings: first!.model.settings!,
			models: modelsAt(places),
			...allowed,
		});
		try {
			const steps = [...places, ...tour(places, long ? 200 : 6)];
			let before: Place | undefined;
			for (const [n, to] of steps.entries()) {
				await told.pod.send({method: 'model', name: to.name});
				expect(await say(told, n, to)).toEqual({accepted: true});
				await told.rest();
				expect({
					to: to.name,
					from: before?.name,
					refusals: to.server.refusals,
					end: endOf(told.items()),
				}).toEqual({
					to: to.name,
					from: before?.name,
					refusals: [],
					end: {outcome: 'finished'},
				});
				before = to;
			}
			const setups = told.items().flatMap(item => (item.type === 'setup' ? [item.model] : []));
			const wanted = steps.filter((to, n) => n === 0 || to !== steps[n - 1]).map(({model}) => model.name);
			expect(setups).toEqual(wanted);
			const readMedia = mediaReader(() => told.session.dir);
			const verdict = await verifyRequests(told.items(), {readMedia});
			expect(verdict).toMatchObject({different: 0, unchecked: 0, unsent: 0, unmade: 0});
			expect(told.items().some(item => item.type === 'message' && item.origin?.kind === 'image')).toBe(true);
			await expectAttributed(told.items(), places, readMedia);
		} finally {
			for (const {server} of places) await server.close();
		}
	});
});

/** Sends a message with an image, or without it to a model that takes none. */
async function say(told: TestPod, n: number, {name}: Place): Promise<Receipt> {
	const text = `Turn ${n} with ${name}: what is in @a.md`;
	const receipt = n % 4 === 0 ? await told.run(`${text} and @shot.png?`) : undefined;
	return receipt === undefined || (!receipt.accepted && receipt.code === 'media') ? told.run(`${text}?`) : receipt;
}

function endOf(items: readonly Item[]): object {
	const end = items.findLast(item => item.type === 'run_end');
	return {outcome: end?.outcome, ...(end?.cause !== undefined && {cause: end.cause})};
}

/** Every byte of the last requests comes from an item, a setting or a rule. */
async function expectAttributed(items: readonly Item[], places: readonly Place[], readMedia: ReadMedia): Promise<void> {
	const bodies = new Map(
		places.flatMap(({server}) => server.requests.map(({body}) => [hashOf(body), body] as const)),
	);
	const requests = items.flatMap((item, at) => (item.type === 'request' ? [{item, at}] : []));
	for (const {item, at} of requests.slice(-12)) {
		const made = await attributeRequest(items.slice(0, at), {readMedia});
		if (!made.ok) throw new Error(made.sentence);
		expect(made.attribution.unknown).toEqual([]);
		expect(made.attribution.body).toBe(bodies.get(item.requestHash));
		const used = made.attribution.pieces.flatMap(({source}) => ('rule' in source ? [source.rule] : []));
		const noted = new Set(item.rewrites?.map(({rule}) => rule));
		expect(used.filter(rule => rule !== undefined && !noted.has(rule))).toEqual([]);
	}
}

function hashOf(body: string): string {
	return createHash('sha256').update(body).digest('hex');
}
