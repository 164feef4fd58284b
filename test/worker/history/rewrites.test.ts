import {describe, expect, it} from 'vitest';
import {composeRequest} from '../../../src/pod/ground/history/reader.ts';
import type {Item, Rewrite} from '../../../src/worker/index.ts';
import {requestBody} from '../../../src/worker/wires/request-body.ts';
import {createRewriteNotes, rewritesOf} from '../../../src/worker/history/rewrites.ts';
import {createItems} from '../../helpers/items.ts';

type Case = {
	readonly rule: string;
	readonly model: string;
	readonly where: readonly string[];
	/** The items after the setup and the first message, which are `i1` and `i2`. */
	readonly items: (make: ReturnType<typeof createItems>) => readonly Item[];
	readonly settings?: Record<string, unknown>;
};

const claude = 'anthropic/claude-sonnet-5';
const gpt = 'openai/gpt-5.2';
const local = 'openai-compatible/local';
const chat = (dialect: string) => ({rules: 2, dialect});

const cases: readonly Case[] = [
	{
		rule: 'gap_line',
		model: claude,
		where: ['i4'],
		items: make => [make.user('And?'), make.assistant('Yes.'), ...drop(make, 'i2', 'i3')],
	},
	{rule: 'summary_heading', model: claude, where: ['i3'], items: make => [summary(make), make.user('Go on.')]},
	{rule: 'blank_text', model: claude, where: ['i3'], items: make => [make.assistant(' \n'), make.user('And?')]},
	{
		rule: 'unread_part',
		model: claude,
		where: ['i3'],
		items: make => [{...make.assistant(''), unread: {type: 'audio'}}, make.user('And?')],
	},
	{
		rule: 'cut_thought',
		model: claude,
		where: ['i3'],
		items: make => [{...make.reasoning('I was'), stop: 'cut'}, make.user('And?')],
	},
	{rule: 'trailing_thought', model: claude, where: ['i3'], items: make => [make.reasoning('So.'), make.user('?')]},
	{
		rule: 'foreign_thought',
		model: claude,
		where: ['i3'],
		items: make => [thought(make, {openai: {itemId: 'rs_1'}}), make.assistant('Yes.'), make.user('And?')],
	},
	{
		rule: 'unsent_thought',
		model: claude,
		where: ['i3'],
		items: make => [make.reasoning('So.'), make.assistant('Yes.'), make.user('And?')],
	},
	{
		rule: 'unsent_thought',
		model: 'groq/x',
		where: ['i3'],
		items: make => [thought(make, {groq: {}}), make.assistant('Yes.'), make.user('And?')],
		settings: chat('groq'),
	},
	{
		rule: 'thought_filler',
		model: 'kimi/x',
		where: ['i3'],
		items: make => [make.assistant('Yes.'), make.user('And?')],
		settings: chat('kimi'),
	},
	{
		rule: 'joined_thoughts',
		model: 'deepseek/x',
		where: ['i4'],
		items: make => [
			thought(make, {deepseek: {}}),
			thought(make, {deepseek: {}}),
			make.assistant('Yes.'),
			make.user('And?'),
		],
		settings: chat('deepseek'),
	},
	{
		rule: 'joined_texts',
		model: local,
		where: ['i4'],
		items: make => [make.assistant('Yes.'), make.assistant('No.'), make.user('And?')],
	},
	{
		rule: 'unanswered_call',
		model: claude,
		where: ['i3'],
		items: make => [make.call('a', 'glob', {}), make.user('?')],
	},
	{rule: 'stray_result', model: claude, where: ['i3'], items: make => [make.result('a', 's', 'c'), make.user('?')]},
	{
		rule: 'moved_result',
		model: claude,
		where: ['i5'],
		items: make => [make.call('a', 'glob', {}), make.user('Wait.'), make.result('a', 's', 'c')],
	},
	{
		rule: 'repeated_call_id',
		model: claude,
		where: ['i6'],
		items: make => [...called(make, 'a'), make.request(), ...called(make, 'a')],
	},
	{rule: 'call_id', model: claude, where: ['i3', 'i4'], items: make => called(make, 'ü')},
	{rule: 'tool_name', model: claude, where: ['i3'], items: make => called(make, 'a', {}, 'fly away!')},
	{rule: 'arguments_value', model: claude, where: ['i3'], items: make => called(make, 'a', '{ "b": 1.0 }')},
	{rule: 'invalid_json', model: claude, where: ['i3'], items: make => called(make, 'a', '{"b":')},
	{
		rule: 'no_message',
		model: claude,
		where: ['i4'],
		items: make => [make.call('a', 'glob', {}), make.result('a', '', '', true)],
	},
	{
		rule: 'error_object',
		model: gpt,
		where: ['i4'],
		items: make => [make.call('a', 'glob', {}), make.result('a', '', 'No.', true)],
	},
	{rule: 'well_formed', model: claude, where: ['i3'], items: make => [make.user('a\uD83D')]},
	{rule: 'prompt_in_message', model: 'google/gemma-3', where: ['setup'], items: () => []},
	{rule: 'trimmed_text', model: claude, where: ['i3'], items: make => [make.assistant('Yes. ')]},
	{rule: 'merged_users', model: claude, where: ['i3'], items: make => [make.user('And?')]},
	{
		rule: 'joined_answers',
		model: 'ollama/x',
		where: ['i5'],
		items: make => [make.assistant('Yes.'), make.request(), make.assistant('No.'), make.user('And?')],
		settings: chat('ollama'),
	},
	{
		rule: 'answer_line',
		model: 'mistral/x',
		where: ['i5'],
		items: make => [...called(make, 'abcdefghi'), make.user('And?')],
		settings: chat('mistral'),
	},
	{rule: 'foreign_call_mark', model: 'google/gemini-3-pro', where: ['i3'], items: make => called(make, 'a')},
	{
		rule: 'foreign_call_mark',
		model: 'own/x',
		where: ['i3'],
		items: make => called(make, 'a'),
		settings: {...chat('gemini'), wire: 'openai-compatible'},
	},
	{
		rule: 'bare_call',
		model: 'own/x',
		where: ['i3'],
		items(make) {
			const [call, result] = called(make, 'abcdefghi');
			return [{...call, provider: {own: {extra_content: {a: 1}}}}, result];
		},
		settings: {...chat('strict'), wire: 'openai-compatible'},
	},
	{rule: 'cache_marks', model: claude, where: ['setup', 'i2'], items: () => []},
	{rule: 'output_limit', model: claude, where: ['max_tokens'], items: () => []},
	{rule: 'tool_flags', model: claude, where: ['tools'], items: () => []},
	{rule: 'stream_options', model: local, where: ['stream_options'], items: () => []},
	{rule: 'not_stored', model: gpt, where: ['store'], items: () => []},
	{rule: 'missing_media', model: claude, where: ['i3'], items: make => [image(make)]},
	{rule: 'unsent_media', model: 'google/gemini-3-pro', where: ['i3'], items: make => [image(make, 'image/gif')]},
	{rule: 'unsent_media', model: claude, where: ['i3'], items: make => [image(make)], settings: {input: []}},
];

describe('the rewrites of a request', () => {
	it.each(cases)('name $rule for $model, and where', async ({rule, model, where, items, settings = {}}) => {
		const make = createItems();
		const setup = {...make.setup(), model, settings};
		const rewrites = await rewritesFor(model, [setup, make.user('Hello.'), ...items(make)]);
		expect(rewrites.filter(each => each.rule === rule)).toEqual([{rule, where}]);
	});

	it('are none for a model whose requests are its items', async () => {
		const make = createItems();
		const items = [make.setup(), make.user('Hello.'), make.assistant('Yes.'), make.user('And?')];
		expect(await rewritesFor('offline', items)).toEqual([]);
	});

	it('name the last places of a rule, and count the others', () => {
		const {note, notes} = createRewriteNotes();
		for (let n = 0; n < 9; n++) note('blank_text', `i${n}`);
		expect(rewritesOf([notes], {idOf: () => undefined})).toEqual([
			{rule: 'blank_text', where: ['i5', 'i6', 'i7', 'i8'], more: 5},
		]);
	});
});

async function rewritesFor(model: string, items: readonly Item[]): Promise<readonly Rewrite[]> {
	const {request, rewrites} = composeRequest(items);
	const made = await requestBody(model, {...request, readMedia: async () => undefined});
	if (!made.ok) throw new Error(made.sentence);
	return rewrites(made.rewrites);
}

type Make = ReturnType<typeof createItems>;

function called(make: Make, callId: string, args: unknown = {}, name = 'glob') {
	return [make.call(callId, name, args), make.result(callId, 's', 'c')] as const;
}

function thought(make: Make, provider: Record<string, unknown>): Item {
	return {...make.reasoning('So.'), provider};
}

function image(make: Make, mime = 'image/png'): Item {
	const origin = {kind: 'image', path: 'a', mime, bytes: 9, width: 2, height: 2, sha256: 'f'.repeat(64)};
	return make.item('message', {role: 'system', text: '[Image: a, 2x2, 9 bytes]', origin});
}

function drop(make: Make, ...ids: readonly string[]): readonly Item[] {
	return [make.item('context', {op: 'drop', ids: [...ids]})];
}

function summary(make: Make): Item {
	const compaction = make.compaction('All was said.');
	return {...compaction, firstKept: compaction.id};
}
