import fc from 'fast-check';
import {createHash} from 'node:crypto';
import {describe, expect, it} from 'vitest';
import {composeRequest} from '../../../../src/pod/ground/history/reader.ts';
import {verifyRequests} from '../../../../src/pod/disk/check/verify-requests.ts';
import {
	dialectNames,
	requestBody,
	requestSettings,
	stamp,
	type Draft,
	type Item,
	type ItemOf,
	type ModelRequest,
} from '../../../../src/worker/index.ts';
import {countedClock} from '../../../helpers/clock.ts';

const long = process.env['INKPOD_TEST'] === 'long';

/** The models of a session: each wire, and each dialect of chat completions. */
const models = [
	...['offline', 'scripted:a'].map(model => ({name: model, model, settings: {}})),
	...[
		'anthropic/claude-sonnet-5',
		'anthropic/other',
		'openai/gpt-5.2',
		'google/gemini-3-pro-preview',
		'azure/deployment',
		'bedrock/anthropic.claude-sonnet-5',
		'vertex/gemini-3-pro-preview',
	].flatMap(model => [
		{name: model, model, settings: settingsOf(model)},
		{name: `${model} by the rules of 0.1.0`, model, settings: {}},
	]),
	...dialectNames.map(dialect => ({
		name: `dialect ${dialect}`,
		model: 'openai-compatible/local',
		settings: {...settingsOf('openai-compatible/local'), dialect},
	})),
	{name: 'chat completions by the rules of 0.1.0', model: 'openai-compatible/local', settings: {}},
];

/** Cache marks move, the head is in the list, thoughts go back in the loop only, and user messages merge. */
const fewModels = models.filter(({name}) =>
	['offline', 'anthropic/claude-sonnet-5', 'openai/gpt-5.2', 'dialect qwen', 'dialect safe'].includes(name),
);

function settingsOf(name: string) {
	const [provider = '', model = ''] = name.split('/');
	return requestSettings({provider, model});
}

const dataKeys = ['anthropic', 'openai', 'google', 'compatible', 'azure', 'amazonBedrock', 'googleVertex'];

type Step = {readonly kind: number; readonly n: number};

const anySteps = fc.array(fc.record({kind: fc.nat(99), n: fc.nat(1000)}), {minLength: 20, maxLength: long ? 60 : 30});

type Maker = <D extends Draft>(draft: D) => ItemOf<D['type']>;

function maker(): Maker {
	const clock = countedClock();
	return draft => stamp(clock, draft);
}

/** The items of one step of a conversation, without the request. Rare steps change what was before. */
function stepItems({kind, n}: Step, items: readonly Item[], make: Maker): readonly Item[] {
	const earlier = items[n % items.length]?.id ?? '';
	const user = () => make({type: 'message', role: 'user', text: `Question ${n} — „ß 👍”`});
	if (kind < 50) return [user()];
	if (kind < 60) return [user(), user()];
	if (kind < 65)
		return [make({type: 'message', role: 'system', text: '[File: a]\n1', origin: {kind: 'file'}}), user()];
	if (kind < 90) return [];
	if (kind < 92) return [make({type: 'run_end', outcome: 'cancelled'})];
	if (kind < 94) return [make({type: 'context', op: n % 2 === 0 ? 'drop' : 'prune', ids: [earlier]}), user()];
	if (kind < 95) return [make({type: 'context', op: 'pin', ids: [earlier]}), user()];
	if (kind < 97) return [make({type: 'rewind', to: earlier}), user()];
	if (kind < 98) return [user(), make({type: 'message', role: 'user', text: ' '})];
	return [
		make({
			type: 'compaction',
			summary: 'Before that, much was said.',
			firstKept: earlier,
			keptIds: [],
			refs: ['a.ts'],
			refused: [],
			before: 9,
			after: 1,
			model: 'm',
			usage: {},
		}),
		user(),
	];
}

/** An answer with thoughts, texts and calls, and the results of the calls. Servers may repeat the ids of calls. */
function answerItems({n}: Step, make: Maker): readonly Item[] {
	const provider = n % 3 === 0 ? undefined : Object.fromEntries(dataKeys.map(key => [key, {signature: `s${n}`}]));
	const data = provider === undefined ? {} : {provider};
	const calls = Array.from({length: n % 4}, (_, index) => (n % 5 === 0 ? `${index + 1}` : `call_${n}_${index}`));
	return [
		...(n % 2 === 0 ? [make({type: 'reasoning', text: `Thought ${n}.`, ms: 1, ...data})] : []),
		...(n % 7 === 0 ? [] : [make({type: 'message', role: 'assistant', text: `Answer ${n}. `})]),
		...calls.map(callId => make({type: 'tool_call', callId, name: 'read_file', arguments: `{"path":"${n}"}`})),
		...calls.map(callId =>
			make({type: 'tool_result', callId, summary: '', content: `of ${n}`, isError: n % 11 === 0, ms: 1}),
		),
	];
}

type Sent = {readonly model: string; readonly settings: Record<string, string | number | boolean>};

/** Returns a session whose requests have the hashes of the bodies that are made from the start, one by one. */
async function session({model, settings}: Sent, steps: readonly Step[], isWhole = false): Promise<Item[]> {
	const make = maker();
	const tools = [{name: 'read_file', description: 'Reads "messages":[].', parameters: {type: 'object'}}];
	const items: Item[] = [make({type: 'setup', model, prompt: 'You answer.', tools, settings})];
	items.push(make({type: 'message', role: 'user', text: 'Hello'}));
	for (const step of steps) {
		items.push(...stepItems(step, items, make));
		const composed = composeRequest(items);
		const made = await requestBody(model, composed.request);
		const requestHash = made.ok ? sha256(made.body) : '';
		const rewrites = isWhole || !made.ok ? undefined : composed.rewrites(made.rewrites);
		const sent = {
			model,
			requestHash,
			startedAt: '2026-01-01T00:00:00.000Z',
			...(rewrites && {rewrites: rewrites.map(rewrite => ({...rewrite, where: [...rewrite.where]}))}),
		};
		const end = {usage: {}, endedAt: '2026-01-01T00:00:01.000Z', stop: 'end'} as const;
		const answer = answerItems(step, make);
		const spoken = answer.filter(({type}) => type !== 'tool_result');
		const results = answer.filter(({type}) => type === 'tool_result');
		if (isWhole) items.push(...spoken, make({type: 'request', ...sent, ...end}), ...results);
		else {
			const request = make({type: 'request', ...sent});
			items.push(request, ...spoken, make({type: 'request_end', request: request.id, ...end}), ...results);
		}
	}
	return items;
}

function sha256(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}

function requestCount(items: readonly Item[]): number {
	return items.filter(item => item.type === 'request' && item.requestHash !== '').length;
}

/** Counts the bytes of the bodies that a check makes. */
function countingMake() {
	let bytes = 0;
	return {
		bytes: () => bytes,
		make: async (model: string, request: ModelRequest) => {
			const made = await requestBody(model, request);
			bytes += made.ok ? made.body.length : 0;
			return made;
		},
	};
}

describe('verifyRequests', () => {
	it.each(models)('finds each request of any session the same: $name', async sent => {
		await fc.assert(
			fc.asyncProperty(anySteps, fc.boolean(), async (steps, isWhole) => {
				const items = await session(sent, steps, isWhole);
				const verdict = await verifyRequests(items);
				expect(verdict).toMatchObject({same: requestCount(items), different: 0, unmade: 0, unchecked: 0});
			}),
			{numRuns: long ? 25 : 1},
		);
	});

	it.each(long ? models : fewModels)('makes few bytes more for each further turn: $name', async sent => {
		const turns = (count: number) =>
			Array.from({length: count}, (_, n): Step => ({kind: n % 9 === 4 ? 70 : 0, n: n * 7 + (n % 3)}));
		const bytes = async (count: number) => {
			const items = await session(sent, turns(count));
			const counting = countingMake();
			expect((await verifyRequests(items, {make: counting.make})).same).toBe(requestCount(items));
			return counting.bytes();
		};
		const [some, more] = [await bytes(30), await bytes(60)];
		expect(more / some).toBeLessThan(2.6);
	});

	it('names the request that differs, and only that one', async () => {
		const items = await session(
			models[0]!,
			Array.from({length: 40}, (_, n) => ({kind: 0, n})),
		);
		const tampered = items.map(item =>
			item.type === 'request' && item.id === requestAt(items, 20).id
				? {...item, requestHash: 'f'.repeat(64)}
				: item,
		);
		const verdict = await verifyRequests(tampered);
		expect(verdict).toMatchObject({same: 39, different: 1, first: {n: 21, id: requestAt(items, 20).id}});
		expect(verdict.first?.made).toBe(requestAt(items, 20).requestHash);
	});

	it('finds every request different after a changed message', async () => {
		const items = await session(
			models[2]!,
			Array.from({length: 40}, (_, n) => ({kind: 0, n})),
		);
		const at = items.indexOf(requestAt(items, 20));
		const changed = items.map((item, index) =>
			item.type === 'message' && index === at - 1 ? {...item, text: `${item.text}.`} : item,
		);
		expect(await verifyRequests(changed)).toMatchObject({same: 20, different: 20, first: {n: 21}});
	});
});

describe('requests that differ', () => {
	const turns = (count: number) => Array.from({length: count}, (_, n): Step => ({kind: 0, n: n * 7 + (n % 3)}));
	const changedAt = (items: readonly Item[], from: number, to: number) => {
		const requests = items.filter(({type}) => type === 'request');
		const changed = new Set(requests.slice(from, to));
		return items.map(item => (changed.has(item) ? {...item, requestHash: 'f'.repeat(64)} : item)) as Item[];
	};

	it.each(fewModels)('need few bytes more for each further turn: $name', async sent => {
		const bytes = async (count: number) => {
			const items = await session(sent, turns(count));
			const counting = countingMake();
			const changed = changedAt(items, 0, count);
			expect(await verifyRequests(changed, {make: counting.make})).toMatchObject({same: 0, different: count});
			return counting.bytes();
		};
		const [some, more] = [await bytes(80), await bytes(160)];
		expect(more / some).toBeLessThan(3);
	});

	it.each(fewModels)('are counted exactly, wherever they begin and end: $name', async sent => {
		const items = await session(sent, turns(70));
		for (const [from, to] of [
			[3, 40],
			[0, 60],
			[30, 70],
		] as const)
			expect(await verifyRequests(changedAt(items, from, to))).toMatchObject({
				same: 70 - (to - from),
				different: to - from,
				first: {n: from + 1},
			});
	});
});

function requestAt(items: readonly Item[], n: number): ItemOf<'request'> {
	const request = items.filter(item => item.type === 'request')[n];
	if (request === undefined) throw new Error('no such request');
	return request;
}
