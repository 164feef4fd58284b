import {describe, expect, it} from 'vitest';
import {loadModel} from '../../../../src/worker/wires/load.ts';
import {requestSettings, type Answer, type ModelSpec} from '../../../../src/worker/index.ts';
import {countKind, requestSize} from '../../../../src/pod/ground/counts/usage.ts';
import {estimateRequest} from '../../../../src/pod/ground/counts/estimate.ts';
import {projectedItems} from '../../../../src/pod/ground/history/reader.ts';
import type {Item} from '../../../../src/pod/protocol.ts';
import {allowed, testPod, type TestPod} from '../../../helpers/pod.ts';
import {tempProject} from '../../../helpers/temp-project.ts';
import {startCountingServer, sum, type Sizes} from '../../../helpers/wire-servers/counting.ts';
import type {WireName} from '../../../helpers/wire-servers/index.ts';

type Row = Parameters<typeof startCountingServer>[1] & {readonly lines?: string};

/** Six turns with one `read_file` each. */
const turns = 6;
const answers: readonly Answer[] = Array.from({length: turns}, (_, n): readonly Answer[] => [
	[{type: 'tool_call', name: 'read_file', arguments: {path: `${n}.md`}}],
	[{type: 'text', text: `That was file ${n}.`}],
]).flat();

const prose = 'The words of a line that says something. ';
const banner = `/* ${'='.repeat(76)} */\n${'-'.repeat(100)}\n`;

const specs: Readonly<Record<WireName, Pick<ModelSpec, 'provider' | 'apiKey'>>> = {
	'openai-compatible': {provider: 'ollama'},
	anthropic: {provider: 'anthropic', apiKey: 'k'},
	google: {provider: 'google', apiKey: 'k'},
	openai: {provider: 'openai', apiKey: 'k'},
};

/** Plays the turns of print mode, where nobody can answer. */
async function played({lines = prose, ...options}: Row): Promise<TestPod & {readonly requests: number}> {
	await using server = await startCountingServer(answers, options);
	const files = Object.fromEntries(answers.map((_, n) => [`${n}.md`, lines.repeat(60)]));
	const version = options.wire === 'anthropic' ? '/v1' : options.wire === 'google' ? '/v1beta' : '';
	const spec: ModelSpec = {...specs[options.wire ?? 'openai-compatible'], model: 'm', baseURL: server.url + version};
	const told = await testPod(await tempProject(files), {
		model: await loadModel(spec),
		settings: requestSettings(spec),
		attended: false,
		...allowed,
	});
	for (let n = 0; n < turns; n++) {
		await told.run(`Please look at ${n}.md and say what it is.`);
		await told.rest();
	}
	expect(server.refusals).toEqual([]);
	return {...told, requests: server.requests.length};
}

const noticesOf = (items: readonly Item[]) =>
	items.filter(item => item.type === 'message' && item.origin?.['about'] === 'truncated');
const outcomesOf = (items: readonly Item[]) => items.flatMap(item => (item.type === 'run_end' ? [item.outcome] : []));
const of = ({messages}: Sizes, ...roles: readonly string[]) =>
	sum(messages.filter(({role}) => roles.includes(role)).map(({tokens}) => tokens));

const withoutUsage = (event: object) => ({...event, usage: undefined});
const withTimings = (timings: (sizes: Sizes) => object) => (event: {usage?: unknown}, sizes: Sizes) =>
	event.usage === undefined ? event : {...withoutUsage(event), timings: timings(sizes)};

const honest: ReadonlyArray<readonly [string, Row]> = [
	['whole', {count: ({whole}) => ({input: whole})}],
	['whole with cached_tokens', {count: ({whole, cached}) => ({input: whole, cacheRead: cached})}],
	['only the rest beside cached_tokens', {count: ({whole, cached}) => ({input: whole - cached, cacheRead: cached})}],
	[
		'timings with cache_n',
		{
			dialect: 'llama.cpp',
			count: () => ({input: 1}),
			reshape: withTimings(({whole, cached}) => ({cache_n: cached, prompt_n: whole - cached, predicted_n: 9})),
		},
	],
	[
		'Anthropic with cache fields',
		{wire: 'anthropic', count: ({whole, cached}) => ({input: whole, cacheRead: cached})},
	],
	[
		'Gemini with cachedContentTokenCount',
		{wire: 'google', count: ({whole, cached}) => ({input: whole, cacheRead: cached})},
	],
	['zero', {count: () => ({input: 0})}],
	['none', {count: () => ({input: 1}), reshape: withoutUsage}],
	['whole, for files of rule lines and banners', {lines: banner, count: ({whole}) => ({input: whole})}],
];

const uncached: ReadonlyArray<readonly [string, Row]> = [
	['only uncached, as old versions of Ollama', {count: ({whole, cached}) => ({input: whole - cached})}],
	[
		'only uncached, with the system prompt cached before the session',
		{
			count: sizes => ({
				input: sizes.n === 0 ? of(sizes, 'user') : sizes.whole - sizes.cached,
			}),
		},
	],
	[
		'timings.prompt_n alone',
		{
			dialect: 'llama.cpp',
			count: () => ({input: 1}),
			reshape: withTimings(({whole, cached}) => ({prompt_n: whole - cached, predicted_n: 9})),
		},
	],
	[
		'the form of Anthropic, without cached tokens',
		{wire: 'anthropic', count: ({whole, cached}) => ({input: whole - cached})},
	],
];

const partial: ReadonlyArray<readonly [string, Row]> = [
	['no tools', {count: ({whole, tools}) => ({input: whole - tools})}],
	['neither tools nor their results', {count: sizes => ({input: of(sizes, 'system', 'user', 'assistant')})}],
	['only user and assistant', {count: sizes => ({input: of(sizes, 'user', 'assistant')})}],
	['characters divided by four', {count: ({messages}) => ({input: sum(messages.map(({tokens}) => tokens))})}],
	[
		'with two models behind one alias',
		{count: ({whole, n}) => ({input: Math.round(n % 2 === 0 ? whole : 0.6 * whole)})},
	],
];

describe('a server that counts', () => {
	it.each([...honest, ...partial])('%s is never suspected', async (_, row) => {
		const told = await played(row);
		expect(noticesOf(told.items())).toEqual([]);
		expect(outcomesOf(told.items())).toEqual(Array.from({length: turns}, () => 'finished'));
		expect(told.requests).toBe(2 * turns);
	});

	it.each(uncached)('%s is not suspected, and its counts are marked', async (_, row) => {
		const told = await played(row);
		expect(noticesOf(told.items())).toEqual([]);
		expect(outcomesOf(told.items())).toEqual(Array.from({length: turns}, () => 'finished'));
		expect(countKind(told.items())).toBe('uncached');
		const {tokens, exact} = told.context()!;
		expect(exact).toBe(false);
		const estimate = estimateRequest(told.items(), projectedItems);
		expect(tokens / estimate).toBeGreaterThan(0.6);
		expect(tokens / estimate).toBeLessThan(1.6);
	});

	it('only the rest beside cached_tokens has the sum as its size', async () => {
		const told = await played({
			count: ({whole, cached}) => ({input: Math.max(1, whole - cached - 500), cacheRead: cached}),
		});
		const end = told.items().findLast(item => item.type === 'request_end')!;
		const {input = 0, cacheRead = 0} = end.type === 'request_end' ? end.usage : {};
		expect(cacheRead).toBeGreaterThan(input);
		expect(told.context()).toMatchObject({tokens: input + cacheRead + 20, exact: true});
	});

	it.each<[string, (tokens: number) => number]>([
		['exactly', tokens => Math.min(tokens, 4096)],
		['less its reserve', tokens => Math.min(tokens, 4096 - 64)],
	])(
		'a window of 4,096 tokens %s, and drops the front, is noticed at the second full request, once',
		async (_, kept) => {
			// Only every second request adds more than 5 %: the one with the file.
			const full: boolean[] = [];
			const count = ({whole, n}: Sizes) => {
				full.push(kept(whole) < whole && n % 2 === 1);
				return {input: kept(whole)};
			};
			const told = await played({count, lines: prose.repeat(2)});
			const [notice, ...more] = noticesOf(told.items());
			expect(more).toEqual([]);
			const ends = told.items().filter(item => item.type === 'request_end');
			const at = ends.findLastIndex(end => told.items().indexOf(end) < told.items().indexOf(notice!));
			expect(full.slice(0, at + 1).filter(Boolean).length).toBeLessThanOrEqual(2);
			expect(outcomesOf(told.items())).toEqual(Array.from({length: turns}, () => 'finished'));
			expect(told.context()!.exact).toBe(false);
			expect(requestSize(told.items(), projectedItems)).toBeGreaterThan(5000);
			expect(told.events).toContainEqual({
				type: 'alert',
				alert: {level: 'warn', text: expect.stringMatching(/^The server kept \d+ of about \d+ tokens/)},
			});
		},
	);
});
