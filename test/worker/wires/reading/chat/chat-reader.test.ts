import {describe, expect, it} from 'vitest';
import {createAnswerNotes} from '../../../../../src/worker/wires/reading/answer-notes.ts';
import {createChatReader} from '../../../../../src/worker/wires/reading/chat/chat-reader.ts';
import {seededRandom} from '../../../../helpers/random.ts';
import {gemini, openrouter, perplexity} from './corpus/gateways.ts';
import {groq, mistral} from './corpus/hosted.ts';
import {ollama, vllm} from './corpus/local.ts';
import {openai} from './corpus/openai.ts';
import {played} from './corpus/play.ts';
import {call, chunk, finish, thoughts, words, type CorpusStream} from './corpus/stream.ts';

const seed = Number(process.env['INKPOD_SEED'] ?? 20_261_122);
const rounds = process.env['INKPOD_TEST'] === 'long' ? 3000 : 60;
const plain = {seed: 9, lineEnd: '\n', hasLastLineEnd: true, hasUnknown: false} as const;

/** Returns the events that a reader passes on, and its notes. */
function read(...events: readonly unknown[]) {
	const notes = createAnswerNotes('test');
	const reader = createChatReader(notes);
	return {passed: [...events.flatMap(event => reader.read(event)), ...reader.end(true)], notes};
}

const streams = [openrouter, perplexity, gemini, groq, mistral, ollama, vllm, openai].flat();
const junk: readonly unknown[] = [
	null,
	true,
	0,
	-1.5,
	'',
	'text',
	[],
	{},
	[null],
	[[]],
	[{}],
	{a: {}},
	{type: 'x'},
	1e300,
];

/** Returns the same JSON with other values in some places. */
function broken(value: unknown, random: () => number): unknown {
	if (random() < 0.04) return junk[Math.floor(random() * junk.length)];
	if (Array.isArray(value)) return value.map(element => broken(element, random));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, broken(field, random)]));
}

describe('the reader of chat completions', () => {
	it(`passes on nothing that the package refuses, whatever the events are (seed ${seed})`, async () => {
		const random = seededRandom(seed);
		for (let round = 0; round < rounds; round++) {
			const stream = streams[Math.floor(random() * streams.length)]!;
			const events = stream.events.map(event => broken(event, random));
			const {isWhole: _, ...rest} = stream;
			const tried: CorpusStream = {...rest, events};
			const {error = ''} = await played(tried, {...plain, seed: round, hasUnknown: round % 2 === 0});
			// The last two messages would show bugs of inkpod.
			expect({round, error}).not.toMatchObject({
				error: expect.stringMatching(/could not be understood|Cannot read|is not a/),
			});
		}
	}, 60_000);

	it.each([
		[null],
		[undefined],
		[1],
		['x'],
		[[]],
		[{}],
		[{choices: null}],
		[{choices: {}}],
		[{choices: [null]}],
		[{choices: 'x'}],
	])('passes on nothing from %j', event => {
		expect(read(event).passed).toEqual([]);
	});

	it('passes on only the fields that are used', () => {
		const {passed} = read(
			{...chunk({role: 'x', content: 'Hi', odd: 1}, {logprobs: {content: []}}), system_fingerprint: 'f'},
			call({index: 0, id: 'c', type: 'function', odd: 1, function: {name: 'f', arguments: '{}', odd: 1}}),
			finish('stop', {usage: {prompt_tokens: 1, completion_tokens: 2, odd: 3}}),
		);
		expect(passed).toEqual([
			{choices: [{delta: {content: 'Hi'}}]},
			{choices: [{delta: {tool_calls: [{index: 0, id: 'c', function: {name: 'f', arguments: '{}'}}]}}]},
			{
				choices: [{delta: {}, finish_reason: 'tool_calls'}],
				usage: {
					prompt_tokens: 1,
					completion_tokens: 2,
					prompt_tokens_details: {},
					completion_tokens_details: {},
				},
			},
		]);
	});

	it('keeps the data of each thought with it, however fast the thoughts come', async () => {
		const detail = (text: string, index: number) => ({reasoning_details: [{type: 'reasoning.text', text, index}]});
		const stream: CorpusStream = {
			name: 'interleaved',
			dialect: 'openrouter',
			events: [
				chunk({reasoning: 'a', ...detail('a', 0)}),
				...words('b'),
				chunk({reasoning: 'c', ...detail('c', 1)}),
				...words('d'),
				finish(),
			],
			expected: {},
		};
		for (const one of [plain, {...plain, seed: 4}, {...plain, seed: 7}])
			expect(await played(stream, one)).toMatchObject({
				text: 'bd',
				thoughts: 'ac',
				data: [
					{field: 'reasoning', ...detail('a', 0)},
					{field: 'reasoning', ...detail('c', 1)},
				],
			});
	});

	it('notes an event of broken JSON and continues', async () => {
		const stream: CorpusStream = {
			name: 'broken',
			dialect: 'safe',
			events: [...words('a'), 'data: {"choices":[{"delta":', ...words('b'), finish()],
			expected: {},
		};
		expect(await played(stream, plain)).toEqual({text: 'ab', stop: 'end', unread: ['event']});
	});

	it('joins the texts of an array of events, up to an error', () => {
		const content = (text: string) => ({choices: [{delta: {content: text}}]});
		const {passed} = read([content('a'), content('b'), {error: {message: 'No.'}}, content('c'), content('d')]);
		expect(passed.slice(0, 3)).toEqual([
			content('ab'),
			{choices: [], error: expect.objectContaining({message: 'No.'}) as unknown},
			content('cd'),
		]);
	});

	it('passes on an error with all its facts', () => {
		const metadata = {raw: '{"error":"no"}', provider_name: 'p'};
		const error = {message: 'Provider returned error', code: 502, metadata};
		expect(read(...words('a'), {error}).passed.slice(0, 2)).toEqual([
			{choices: [{delta: {content: 'a'}}]},
			{choices: [], error},
		]);
	});

	it('reads tags of thoughts only if the dialect has them', async () => {
		const stream = {name: 'tags', events: [...words('<think>a</think>b'), finish()], expected: {}};
		expect(await played({...stream, dialect: 'vllm'}, plain)).toMatchObject({thoughts: 'a', text: 'b'});
		expect(await played({...stream, dialect: 'safe'}, plain)).toMatchObject({text: '<think>a</think>b'});
	});

	it('does not repeat parts that a last message contains again', () => {
		const last = {choices: [{message: {content: 'Hi.', reasoning: 'Hm'}, finish_reason: 'stop'}]};
		const {passed} = read(...thoughts('reasoning', 'H', 'm'), ...words('H', 'i.'), last);
		expect(JSON.stringify(passed)).not.toContain('Hi.');
		expect(passed).toHaveLength(5);
	});
});
