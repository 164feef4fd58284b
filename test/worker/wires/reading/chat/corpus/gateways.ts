import {call, chunk, counts, finish, usage, usageEvent, words, type CorpusStream} from './stream.ts';

const signed = {
	type: 'reasoning.text',
	text: 'Let me see.',
	signature: 'c2ln',
	format: 'anthropic-claude-v1',
	index: 0,
};
const encrypted = {type: 'reasoning.encrypted', data: 'ZW5j', id: 'call_g', format: 'google-gemini-v1', index: 0};

/** openrouter.ai/docs/use-cases/reasoning-tokens, api-reference/errors, features/web-search, image-generation. */
export const openrouter: readonly CorpusStream[] = [
	{
		name: 'OpenRouter: a signed thought in fragments',
		dialect: 'openrouter',
		events: [
			': OPENROUTER PROCESSING',
			chunk({
				role: 'assistant',
				content: '',
				reasoning: 'Let me ',
				reasoning_details: [{type: 'reasoning.text', text: 'Let me ', format: 'anthropic-claude-v1', index: 0}],
			}),
			chunk({
				content: '',
				reasoning: 'see.',
				reasoning_details: [{type: 'reasoning.text', text: 'see.', format: 'anthropic-claude-v1', index: 0}],
			}),
			chunk({
				content: '',
				reasoning: null,
				reasoning_details: [
					{type: 'reasoning.text', signature: 'c2ln', format: 'anthropic-claude-v1', index: 0},
				],
			}),
			...words('Four.'),
			finish('stop', {native_finish_reason: 'end_turn'}),
			usageEvent({...counts, cost: 0.1, completion_tokens_details: {reasoning_tokens: 2}}),
		],
		expected: {
			thoughts: 'Let me see.',
			text: 'Four.',
			usage: {...usage, reasoning: 2},
			stop: 'end',
			data: [{field: 'reasoning', reasoning_details: [signed]}],
		},
	},
	{
		name: 'OpenRouter: encrypted thoughts beside a call',
		dialect: 'openrouter',
		events: [
			chunk({
				reasoning: 'Hm',
				reasoning_details: [{type: 'reasoning.text', text: 'Hm', format: 'google-gemini-v1', index: 0}],
			}),
			chunk({
				tool_calls: [
					{index: 0, id: 'call_g', type: 'function', function: {name: 'read', arguments: '{"path":"a"}'}},
				],
				reasoning_details: [encrypted],
			}),
			finish('tool_calls', {usage: counts}),
		],
		expected: {
			thoughts: 'Hm',
			calls: [['read', '{"path":"a"}']],
			usage,
			stop: 'tool_calls',
			data: [
				{
					field: 'reasoning',
					reasoning_details: [
						{type: 'reasoning.text', text: 'Hm', format: 'google-gemini-v1', index: 0},
						encrypted,
					],
				},
			],
		},
	},
	{
		name: 'OpenRouter: encrypted thoughts only, then a call',
		dialect: 'openrouter',
		events: [
			chunk({reasoning_details: [encrypted]}),
			call({index: 0, id: 'call_g', type: 'function', function: {name: 'read', arguments: '{}'}}),
			finish('tool_calls', {usage: counts}),
		],
		expected: {calls: [['read', '{}']], usage, stop: 'tool_calls', data: [{reasoning_details: [encrypted]}]},
	},
	{
		name: 'OpenRouter: encrypted thoughts only, after the text',
		dialect: 'openrouter',
		events: [
			...words('Four.'),
			chunk({content: '', reasoning_details: [encrypted]}),
			finish('stop', {usage: counts}),
		],
		expected: {text: 'Four.', usage, stop: 'end', data: [{reasoning_details: [encrypted]}]},
	},
	{
		name: 'OpenRouter: two summaries and an encrypted block',
		dialect: 'openrouter',
		events: [
			...['One ', 'two'].map(summary =>
				chunk({
					reasoning: summary,
					reasoning_details: [{type: 'reasoning.summary', summary, format: 'openai-responses-v1', index: 0}],
				}),
			),
			chunk({reasoning_details: [{...encrypted, id: 'rs_1', format: 'openai-responses-v1'}]}),
			...words('Three.'),
			finish('stop', {usage: counts}),
		],
		expected: {
			thoughts: 'One two',
			text: 'Three.',
			usage,
			stop: 'end',
			data: [
				{
					field: 'reasoning',
					reasoning_details: [
						{type: 'reasoning.summary', summary: 'One two', format: 'openai-responses-v1', index: 0},
						{...encrypted, id: 'rs_1', format: 'openai-responses-v1'},
					],
				},
			],
		},
	},
	{
		name: 'OpenRouter: an error beside a finish',
		dialect: 'openrouter',
		events: [
			...words('Half'),
			{
				...finish('error'),
				error: {code: 502, message: 'Provider returned error', metadata: {raw: 'upstream', provider_name: 'p'}},
			},
		],
		expected: {text: 'Half', error: 'upstream'},
	},
	{
		name: 'OpenRouter: an error inside a choice',
		dialect: 'openrouter',
		events: [chunk({content: ''}, {finish_reason: 'error', error: {code: 429, message: 'Rate limit exceeded'}})],
		expected: {error: 'Rate limit exceeded'},
	},
	{
		name: 'OpenRouter: an unreadable call of the model',
		dialect: 'openrouter',
		events: [chunk({content: ''}, {finish_reason: 'stop', native_finish_reason: 'MALFORMED_FUNCTION_CALL'})],
		expected: {stop: 'unread_call'},
	},
	{
		name: 'OpenRouter: web search',
		dialect: 'openrouter',
		events: [
			...words('It is so.'),
			chunk({
				content: '',
				annotations: [
					{
						type: 'url_citation',
						url_citation: {
							url: 'https://a.example/',
							title: 'A',
							content: 'So it is.',
							start_index: 0,
							end_index: 5,
						},
					},
				],
			}),
			finish('stop', {usage: counts}),
		],
		expected: {
			text: 'It is so.',
			usage,
			stop: 'end',
			data: [
				{
					citations: [
						{
							url: 'https://a.example/',
							title: 'A',
						},
					],
				},
			],
		},
	},
	{
		name: 'OpenRouter: an image',
		dialect: 'openrouter',
		events: [
			...words('Here.'),
			chunk({
				content: '',
				images: [{type: 'image_url', image_url: {url: `data:image/png;base64,${'A'.repeat(5000)}`}}],
			}),
			finish('stop', {usage: counts}),
		],
		expected: {text: 'Here.', usage, stop: 'end', unread: ['image']},
	},
];

/** docs.perplexity.ai/api-reference/chat-completions-post. */
export const perplexity: readonly CorpusStream[] = [
	{
		name: 'Perplexity: message and delta, sources with every event',
		dialect: 'perplexity',
		events: ['It ', 'is so.'].map((content, at) => ({
			...chunk(
				{role: 'assistant', content},
				{
					message: {role: 'assistant', content: at === 0 ? 'It ' : 'It is so.'},
					finish_reason: at === 1 ? 'stop' : null,
				},
			),
			usage: {...counts, completion_tokens: at === 0 ? 1 : 7, search_context_size: 'low', num_search_queries: 1},
			citations: ['https://a.example/', 'https://b.example/'],
			search_results: [{title: 'A', url: 'https://a.example/', date: '2025-01-01'}],
		})),
		expected: {
			text: 'It is so.',
			usage,
			stop: 'end',
			data: [
				{
					citations: [{url: 'https://a.example/', title: 'A'}, {url: 'https://b.example/'}],
				},
			],
		},
	},
	{
		name: 'Perplexity: think tags and no [DONE]',
		dialect: 'perplexity',
		isDone: false,
		events: [...words('<think>Hm</think>', 'So.'), finish('stop', {usage: counts})],
		expected: {thoughts: 'Hm', text: 'So.', usage, stop: 'end', data: [{field: 'think'}]},
	},
];

const signature = {google: {thought_signature: 'c2ln'}};

/** ai.google.dev/gemini-api/docs/openai and docs/thought-signatures. */
export const gemini: readonly CorpusStream[] = [
	{
		name: 'Gemini: two calls at index 0, the first one signed',
		dialect: 'gemini',
		events: [
			call({
				index: 0,
				id: 'function-call-1',
				type: 'function',
				function: {name: 'read', arguments: '{"path":"a"}'},
				extra_content: signature,
			}),
			call({
				index: 0,
				id: 'function-call-2',
				type: 'function',
				function: {name: 'read', arguments: '{"path":"b"}'},
			}),
			finish('stop', {usage: {prompt_tokens: 11, completion_tokens: 7, total_tokens: 18}}),
		],
		expected: {
			calls: [
				['read', '{"path":"a"}'],
				['read', '{"path":"b"}'],
			],
			usage,
			stop: 'tool_calls',
			data: [{thoughtSignature: 'c2ln', extra_content: signature}],
		},
	},
	{
		name: 'Gemini: calls without ids',
		dialect: 'gemini',
		events: [
			call({type: 'function', id: '', function: {name: 'read', arguments: '{"path":"a"}'}}),
			call({type: 'function', id: '', function: {name: 'read', arguments: '{"path":"b"}'}}),
			finish('tool_calls', {usage: counts}),
		],
		expected: {
			calls: [
				['read', '{"path":"a"}'],
				['read', '{"path":"b"}'],
			],
			usage,
			stop: 'tool_calls',
		},
	},
	{
		name: 'Gemini: thoughts are only in the total',
		dialect: 'gemini',
		events: [
			chunk({content: 'Hm.', extra_content: {google: {thought: true}}}),
			...words('Four.'),
			finish('stop', {usage: {prompt_tokens: 11, completion_tokens: 4, total_tokens: 18}}),
		],
		expected: {
			thoughts: 'Hm.',
			text: 'Four.',
			usage: {...usage, reasoning: 3},
			stop: 'end',
			data: [{field: 'content'}],
		},
	},
	{
		name: 'Gemini: a list with an error',
		dialect: 'gemini',
		isWhole: true,
		events: [[{error: {code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE'}}]],
		expected: {error: 'The model is overloaded.'},
	},
	{
		name: 'LiteLLM: both fields of and a native finish in capitals',
		dialect: 'gemini',
		events: [
			chunk({reasoning_content: 'Hm', reasoning: 'Hm', thinking_blocks: [{type: 'thinking', thinking: 'Hm'}]}),
			...words('Four.'),
			finish('MAX_TOKENS', {usage: counts}),
		],
		expected: {thoughts: 'Hm', text: 'Four.', usage, stop: 'length', data: [{field: 'reasoning_content'}]},
	},
];
