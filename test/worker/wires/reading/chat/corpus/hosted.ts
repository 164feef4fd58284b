import {
	call,
	calledInPieces,
	chunk,
	counts,
	finish,
	thoughts,
	usage,
	usageEvent,
	words,
	type CorpusStream,
} from './stream.ts';

/** console.groq.com/docs/text-chat, reasoning, tool-use, compound. */
export const groq: readonly CorpusStream[] = [
	{
		name: 'Groq: usage in x_groq',
		dialect: 'groq',
		events: [
			chunk({role: 'assistant', content: ''}, {}, {x_groq: {id: 'req_1'}}),
			...words('Hello.'),
			finish('stop', {x_groq: {id: 'req_1', usage: {...counts, queue_time: 0.1, prompt_time: 0.2}}}),
		],
		expected: {text: 'Hello.', usage, stop: 'end'},
	},
	{
		name: 'Groq: thoughts and a whole call',
		dialect: 'groq',
		events: [
			chunk({reasoning: 'Read it.', channel: 'analysis'}),
			call({index: 0, id: 'fc_1', type: 'function', function: {name: 'read', arguments: '{"path":"a"}'}}),
			finish('tool_calls', {x_groq: {id: 'r', usage: counts}}),
		],
		expected: {
			thoughts: 'Read it.',
			calls: [['read', '{"path":"a"}']],
			usage,
			stop: 'tool_calls',
			data: [{field: 'reasoning'}],
		},
	},
	{
		name: 'Groq: a failed generation',
		dialect: 'groq',
		events: [
			'event: error\ndata: {"error":{"message":"Failed to call a function.","type":"invalid_request_error",' +
				'"code":"tool_use_failed","failed_generation":"<function=read>","status_code":400}}',
		],
		expected: {stop: 'unread_call'},
	},
	{
		name: 'Groq: tools of the server',
		dialect: 'groq',
		events: [
			chunk({role: 'assistant', executed_tools: [{index: 0, type: 'search', arguments: '{}', output: 'found'}]}),
			...words('It is so.'),
			finish('stop', {x_groq: {usage: counts}}),
		],
		expected: {text: 'It is so.', usage, stop: 'end', unread: ['executed_tools']},
	},
];

/** inference-docs.cerebras.ai/capabilities/streaming and reasoning. */
export const cerebras: readonly CorpusStream[] = [
	{
		name: 'Cerebras: thoughts, text and times',
		dialect: 'cerebras',
		events: [
			chunk({role: 'assistant'}),
			...thoughts('reasoning', 'Hm'),
			...words('Hello.'),
			finish('stop', {usage: counts, time_info: {queue_time: 0.1, total_time: 1}}),
		],
		expected: {thoughts: 'Hm', text: 'Hello.', usage, stop: 'end', data: [{field: 'reasoning'}]},
	},
	{
		name: 'Cerebras: an error with its status beside it',
		dialect: 'cerebras',
		events: [...words('Half'), {status_code: 500, message: 'Encountered a server error', type: 'server_error'}],
		expected: {text: 'Half', error: 'Encountered a server error'},
	},
];

/** docs.mistral.ai/api and capabilities/reasoning, agents/connectors/websearch. */
export const mistral: readonly CorpusStream[] = [
	{
		name: 'Mistral: thoughts as content parts',
		dialect: 'mistral',
		events: [
			chunk({role: 'assistant', content: ''}),
			chunk({content: [{type: 'thinking', thinking: [{type: 'text', text: 'Let me '}]}]}),
			chunk({content: [{type: 'thinking', thinking: [{type: 'text', text: 'see.'}], closed: true}]}),
			chunk({content: [{type: 'text', text: 'Four'}]}),
			...words('.'),
			finish('stop', {usage: counts}),
		],
		expected: {thoughts: 'Let me see.', text: 'Four.', usage, stop: 'end', data: [{field: 'content'}]},
	},
	{
		name: 'Mistral: two whole calls without an index, with the finish',
		dialect: 'mistral',
		events: [
			chunk({role: 'assistant', content: ''}),
			chunk(
				{
					content: '',
					tool_calls: [
						{id: 'aB3dE5gH7', function: {name: 'read', arguments: '{"path": "a"}'}},
						{id: 'iJ9kL1mN3', function: {name: 'read', arguments: '{"path": "b"}'}},
					],
				},
				{finish_reason: 'tool_calls'},
				{usage: counts},
			),
		],
		expected: {
			calls: [
				['read', '{"path": "a"}'],
				['read', '{"path": "b"}'],
			],
			usage,
			stop: 'tool_calls',
		},
	},
	{
		name: 'Mistral: sources as content parts',
		dialect: 'mistral',
		events: [
			chunk({content: [{type: 'text', text: 'It is so.'}]}),
			chunk({
				content: [
					{
						type: 'tool_reference',
						tool: 'web_search',
						title: 'A page',
						url: 'https://a.example/',
						favicon: 'x',
					},
					{type: 'reference', reference_ids: [0]},
				],
			}),
			finish('stop', {usage: counts}),
		],
		expected: {
			text: 'It is so.',
			usage,
			stop: 'end',
			data: [{citations: [{title: 'A page', url: 'https://a.example/'}]}],
		},
	},
	{
		name: 'Mistral: model_length',
		dialect: 'mistral',
		events: [...words('Half'), finish('model_length', {usage: counts})],
		expected: {text: 'Half', usage, stop: 'length'},
	},
	{
		name: 'Mistral: an error as an object',
		dialect: 'mistral',
		events: [{object: 'error', message: 'Service tier capacity exceeded', type: 'service_tier', code: '3505'}],
		expected: {error: 'Service tier capacity exceeded'},
	},
	{
		name: 'Mistral: the finish error',
		dialect: 'mistral',
		events: [...words('Half'), finish('error')],
		expected: {text: 'Half', error: 'the answer ended with an error (error)'},
	},
];

/** docs.x.ai/docs/guides/reasoning, streaming-response and live-search. */
export const xai: readonly CorpusStream[] = [
	{
		name: 'xAI: thoughts beside the completion tokens, citations last',
		dialect: 'xai',
		events: [
			...thoughts('reasoning_content', 'Hm', 'm'),
			...words('It is so.'),
			finish('stop'),
			{
				...usageEvent({
					prompt_tokens: 11,
					completion_tokens: 4,
					total_tokens: 18,
					prompt_tokens_details: {text_tokens: 11, cached_tokens: 2},
					completion_tokens_details: {reasoning_tokens: 3},
					num_sources_used: 2,
				}),
				citations: ['https://a.example/', 'https://b.example/'],
			},
		],
		expected: {
			thoughts: 'Hmm',
			text: 'It is so.',
			usage: {...usage, cacheRead: 2, reasoning: 3},
			stop: 'end',
			data: [
				{field: 'reasoning_content'},
				{
					citations: [{url: 'https://a.example/'}, {url: 'https://b.example/'}],
				},
			],
		},
	},
	{
		name: 'xAI: a whole call and usage with every event',
		dialect: 'xai',
		events: [
			chunk({role: 'assistant', content: ''}, {}, {usage: {prompt_tokens: 11, completion_tokens: 0}}),
			chunk(
				{
					tool_calls: [
						{id: 'c', index: 0, type: 'function', function: {name: 'read', arguments: '{"path":"a"}'}},
					],
				},
				{finish_reason: 'tool_calls'},
				{usage: counts},
			),
		],
		expected: {calls: [['read', '{"path":"a"}']], usage, stop: 'tool_calls'},
	},
	{
		name: 'xAI: an error as a text',
		dialect: 'xai',
		events: [{code: 'The service is currently unavailable', error: 'Service temporarily unavailable.'}],
		expected: {error: 'Service temporarily unavailable.'},
	},
];

/** docs.together.ai/docs/chat-overview and docs.fireworks.ai/guides/querying-text-models. */
export const together: readonly CorpusStream[] = [
	{
		name: 'Together: eos, token ids and a text beside the delta',
		dialect: 'together',
		events: [
			chunk({token_id: 1, role: 'assistant', content: 'Hel', tool_calls: null}, {text: 'Hel', seed: 1}),
			chunk({token_id: 2, role: 'assistant', content: 'lo.', tool_calls: null}, {text: 'lo.', seed: 1}),
			chunk({token_id: 3, role: 'assistant', content: ''}, {finish_reason: 'eos', text: ''}, {usage: counts}),
		],
		expected: {text: 'Hello.', usage, stop: 'end'},
	},
	{
		name: 'Together: think tags',
		dialect: 'together',
		events: [...words('<th', 'ink>\nHm', '.\n</thi', 'nk>\n\n', 'Hello.'), finish('stop', {usage: counts})],
		expected: {thoughts: 'Hm.\n', text: 'Hello.', usage, stop: 'end', data: [{field: 'think'}]},
	},
	{
		name: 'Fireworks: usage null until the last event',
		dialect: 'fireworks',
		events: [
			chunk({role: 'assistant'}, {}, {usage: null}),
			chunk({content: 'Hello.'}, {}, {usage: null}),
			finish('stop', {usage: {...counts, prompt_tokens_details: {cached_tokens: 0}}}),
		],
		expected: {text: 'Hello.', usage: {...usage, cacheRead: 0}, stop: 'end'},
	},
	{
		name: 'Fireworks: an answer of one thought that is not closed',
		dialect: 'fireworks',
		events: [...words('<think>', 'Hm, ', 'well'), finish('length', {usage: counts})],
		expected: {thoughts: 'Hm, well', usage, stop: 'length', data: [{field: 'think'}]},
	},
	{
		name: 'Fireworks: two calls in pieces',
		dialect: 'fireworks',
		events: [
			...calledInPieces(0, 'call_a', 'read', '{"path":"a"}'),
			...calledInPieces(1, 'call_b', 'grep', '{"for":"b"}'),
			finish('tool_calls', {usage: counts}),
		],
		expected: {
			calls: [
				['read', '{"path":"a"}'],
				['grep', '{"for":"b"}'],
			],
			usage,
			stop: 'tool_calls',
		},
	},
];
