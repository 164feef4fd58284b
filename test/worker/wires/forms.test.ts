import {describe, expect, it} from 'vitest';
import {
	chatDialectOf,
	formNames,
	formsNamedIn,
	nextForm,
	withForms,
	type FormName,
} from '../../../src/worker/wires/forms.ts';
import {dialectNames} from '../../../src/worker/wires/dialects.ts';
import {chatServers} from '../../helpers/wire-servers/chat/chat-server.ts';

/** What the strict servers say. */
const wordings = dialectNames.flatMap(name => {
	const {unknownField, callIds, order, thoughts} = chatServers[name].refuses;
	const all = [
		unknownField(1, 'reasoning_content'),
		unknownField(1, 'extra_content'),
		callIds?.words('call:1'),
		order?.words('user', 'tool'),
		thoughts?.words(3),
	];
	return all.flatMap(words => (words === undefined ? [] : [[name, words] as const]));
});

const named: ReadonlyArray<readonly [FormName, readonly string[]]> = [
	[
		'no_stream_options',
		[
			'Unrecognized request argument supplied: stream_options',
			"Unknown parameter: 'stream_options'.",
			'Extra inputs are not permitted extra_forbidden body.stream_options',
			'stream_options is not supported by this model',
			"Additional properties are not allowed ('stream_options' was unexpected)",
		],
	],
	[
		'max_completion_tokens',
		[
			"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
			'max_tokens is deprecated, use `max_completion_tokens`',
			'Unsupported parameter unsupported_parameter max_tokens',
		],
	],
	[
		'max_tokens',
		[
			'Unrecognized request argument supplied: max_completion_tokens',
			'json: unknown field "max_completion_tokens"',
		],
	],
	[
		'empty_content',
		[
			"Invalid value for 'content': expected a string, got null.",
			'none is not an allowed value type_error.none.not_allowed body.messages.2.content',
			'messages[2]: invalid type: null, expected a string at line 1 column 310',
			'invalid message content type: <nil>',
			"Type mismatch of '/messages/2/content', 'null' not in 'string'",
			"'messages.2.content' : value must be a string",
			'Failed to deserialize the JSON body: messages[2]: missing field `content`',
		],
	],
	[
		'reasoning_content',
		[
			'The `reasoning_content` in the thinking mode must be passed back to the API.',
			'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
			'Missing `reasoning_content` field in the assistant message at message index 2',
		],
	],
	[
		'no_thoughts',
		[
			'Unrecognized request argument supplied: reasoning_content',
			'json: unknown field "reasoning_content"',
			"property 'reasoning' is unsupported",
			'Extra inputs are not permitted',
		],
	],
	[
		'old_thoughts',
		[
			'messages.1.content.0: Invalid `signature` in `thinking` block',
			'The model returned the following errors: messages.3.content.0: Invalid `data` in `redacted_thinking` block',
			'messages.1.content.0.thinking.signature: Field required',
			'Corrupted thought signature.',
			'Thought signature is not valid.',
			'The encrypted content for item rs_1 could not be verified. invalid_encrypted_content',
		],
	],
	[
		'no_betas',
		[
			'Unexpected value(s) `structured-outputs-2025-11-13` for the `anthropic-beta` header.',
			'The model returned the following errors: invalid beta flag',
			'tools.0.custom.eager_input_streaming: Extra inputs are not permitted',
		],
	],
	[
		'short_cache',
		[
			'system.0.cache_control.ephemeral.ttl: Extra inputs are not permitted',
			'***.***.cache_control.ttl: unknown field `ttl`',
		],
	],
	['call_marks', ['Function call is missing a thought_signature in functionCall parts.']],
	[
		'short_ids',
		[
			'Tool call IDs should be alphanumeric strings with length 9!',
			"Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40",
		],
	],
	['separate_roles', ['System message must be at the beginning.', 'Last message must have role `user` or `tool`.']],
	[
		'prompt_in_message',
		['System role not supported', 'Developer instruction is not enabled for models/gemma-3-27b-it'],
	],
	[
		'bare_calls',
		['Invalid JSON payload received. Unknown name "extra_content" at \'messages[1]\': Cannot find field.'],
	],
];

describe('the refusal of a form', () => {
	it.each([...wordings, ...named.flatMap(([name, all]) => all.map(words => [name, words] as const))])(
		'is recognised in the words of %s: %s',
		(_, words) => {
			for (const status of [400, 422, 500, undefined]) expect(formsNamedIn({status, words})).not.toEqual([]);
			for (const status of [401, 404, 429, 503]) expect(formsNamedIn({status, words})).toEqual([]);
		},
	);

	it.each(named)('names %s first', (name, all) => {
		for (const words of all) expect([words, formsNamedIn({status: 400, words})[0]]).toEqual([words, name]);
	});

	it('has words for each form', () => {
		expect(named.map(([name]) => name)).toEqual(formNames);
	});

	it.each([
		'Invalid API key',
		'prompt is too long: 210000 tokens > 200000 maximum',
		'The model does not support tools',
		'Internal server error',
		'messages: at least one message is required',
		'Your role does not permit this; unexpected user',
		'max_tokens must be at most 4096',
		'max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens',
		'Invalid value for max_completion_tokens: it must be positive',
		'messages[2]: invalid type: sequence, expected a string',
		'The content was filtered: no answer is allowed',
		'bad tool schema',
		"Cannot read properties of null (reading 'content')",
		"'NoneType' object has no attribute 'content'",
	])('is not recognised in "%s"', words => {
		expect(formsNamedIn({status: 400, words})).toEqual([]);
	});
});

describe('the next form of a request', () => {
	const settings = {rules: 2, dialect: 'safe'};
	const latest = '2026-11-29T00:00:00.000Z';

	it('is the first named one that was not tried and makes a difference', () => {
		const first = nextForm(settings, ['no_thoughts', 'short_ids', 'separate_roles'], latest);
		expect(first).toEqual({...settings, forms: ['short_ids']});
		const second = nextForm(first ?? {}, ['no_thoughts', 'short_ids', 'separate_roles'], latest);
		expect(second).toEqual({...settings, forms: ['short_ids', 'separate_roles']});
		expect(
			nextForm(second ?? {}, ['no_thoughts', 'short_ids', 'separate_roles', 'unknown'], latest),
		).toBeUndefined();
	});

	it('may take an earlier change back, once', () => {
		const there = nextForm(settings, ['max_completion_tokens', 'max_tokens'], latest);
		const back = nextForm(there ?? {}, ['max_completion_tokens', 'max_tokens'], latest);
		expect(back).toEqual({...settings, forms: ['max_completion_tokens', 'max_tokens']});
		expect(nextForm(back ?? {}, ['max_completion_tokens', 'max_tokens'], latest)).toBeUndefined();
	});

	it('is only about thoughts and beta features for other wires, and for the rules of 0.1.0', () => {
		for (const other of [{rules: 2}, {dialect: 'safe'}, {}]) {
			expect(nextForm(other, ['no_betas'], latest)).toEqual({...other, forms: ['no_betas']});
			expect(
				nextForm(
					other,
					formNames.filter(name => name !== 'old_thoughts' && name !== 'no_betas'),
					latest,
				),
			).toBeUndefined();
			expect(nextForm(other, formNames, latest)).toEqual({
				...other,
				forms: ['old_thoughts'],
				thoughtsAfter: latest,
			});
		}
	});

	it('caches for a shorter time only after it cached for an hour', () => {
		expect(nextForm({rules: 2}, ['short_cache'], latest)).toBeUndefined();
		const cached = {rules: 2, cacheTime: '1h'};
		expect(nextForm(cached, ['short_cache'], latest)).toEqual({...cached, forms: ['short_cache']});
	});

	it('changes nothing that a dialect has already', () => {
		expect(
			nextForm({rules: 2, dialect: 'strict'}, ['short_ids', 'separate_roles', 'bare_calls', 'no_betas'], latest),
		).toBeUndefined();
		expect(nextForm({rules: 2, dialect: 'kimi'}, ['reasoning_content'], latest)).toBeUndefined();
	});

	it('merges the messages of the user although a setting says not to', () => {
		const own = {rules: 2, dialect: 'vllm', mergeUser: false};
		expect(chatDialectOf(own)?.mergesUser).toBe(false);
		const next = nextForm(own, ['separate_roles'], latest);
		expect(next).toEqual({...own, forms: ['separate_roles']});
		expect(chatDialectOf(next ?? {})?.mergesUser).toBe(true);
	});

	it('stays with the same server and dialect only', () => {
		const earlier = {...settings, server: 'https://a.example', forms: ['short_ids'], thoughtsAfter: latest};
		expect(withForms({...settings, server: 'https://a.example', topP: 1}, earlier)).toEqual({...earlier, topP: 1});
		for (const other of [settings, {...earlier, forms: undefined, dialect: 'mistral'}])
			expect(withForms(other, earlier)).toBe(other);
		expect(withForms(settings, settings)).toBe(settings);
	});
});
