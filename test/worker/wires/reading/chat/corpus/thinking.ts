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

const field = (name: string) => ({field: name});

/** api-docs.deepseek.com/api/create-chat-completion and guides/thinking_mode. */
export const deepseek: readonly CorpusStream[] = [
	{
		name: 'DeepSeek: thoughts, then text',
		dialect: 'deepseek',
		events: [
			chunk({role: 'assistant', content: null, reasoning_content: ''}),
			...thoughts('reasoning_content', 'Let me ', 'think.'),
			...words('Hel', 'lo.'),
			finish('stop', {
				usage: {
					...counts,
					prompt_tokens_details: {cached_tokens: 4},
					completion_tokens_details: {reasoning_tokens: 3},
					prompt_cache_hit_tokens: 4,
					prompt_cache_miss_tokens: 7,
				},
			}),
		],
		expected: {
			thoughts: 'Let me think.',
			text: 'Hello.',
			usage: {...usage, cacheRead: 4, reasoning: 3},
			stop: 'end',
			data: [field('reasoning_content')],
		},
	},
	{
		name: 'DeepSeek: only the older fields of the cache',
		dialect: 'deepseek',
		events: [
			...words('Hi'),
			finish('stop', {usage: {...counts, prompt_cache_hit_tokens: 4, prompt_cache_miss_tokens: 7}}),
		],
		expected: {text: 'Hi', usage: {...usage, cacheRead: 4}, stop: 'end'},
	},
	{
		name: 'DeepSeek: thoughts, then two calls',
		dialect: 'deepseek',
		events: [
			...thoughts('reasoning_content', 'Both.'),
			...calledInPieces(0, 'call_00_a', 'read', '{"path":"a"}'),
			...calledInPieces(1, 'call_01_b', 'read', '{"path":"b"}'),
			finish('tool_calls', {usage: counts}),
		],
		expected: {
			thoughts: 'Both.',
			calls: [
				['read', '{"path":"a"}'],
				['read', '{"path":"b"}'],
			],
			usage,
			stop: 'tool_calls',
			data: [field('reasoning_content')],
		},
	},
	{
		name: 'DeepSeek: out of resources',
		dialect: 'deepseek',
		events: [...words('Half'), finish('insufficient_system_resource')],
		expected: {
			text: 'Half',
			error: 'the answer ended with an error (insufficient_system_resource)',
		},
	},
	{
		name: 'DeepSeek: length',
		dialect: 'deepseek',
		events: [...words('Half'), finish('length'), usageEvent(counts)],
		expected: {text: 'Half', usage, stop: 'length'},
	},
];

/** platform.moonshot.ai/docs/api/chat and docs/guide/use-kimi-k2-thinking-model. */
export const kimi: readonly CorpusStream[] = [
	{
		name: 'Kimi: usage in the choice',
		dialect: 'kimi',
		events: [
			chunk({role: 'assistant', content: ''}),
			...words('Hello.'),
			chunk({}, {finish_reason: 'stop', usage: {...counts, cached_tokens: 5}}),
		],
		expected: {text: 'Hello.', usage: {...usage, cacheRead: 5}, stop: 'end'},
	},
	{
		name: 'Kimi: thoughts and a call, whose id names the function',
		dialect: 'kimi',
		events: [
			...thoughts('reasoning_content', 'Read', ' it.'),
			...calledInPieces(0, 'functions.read:0', 'read', '{"path":"a"}'),
			chunk({}, {finish_reason: 'tool_calls', usage: counts}),
		],
		expected: {
			thoughts: 'Read it.',
			calls: [['read', '{"path":"a"}']],
			usage,
			stop: 'tool_calls',
			data: [field('reasoning_content')],
		},
	},
	{
		name: 'Kimi: a builtin function',
		dialect: 'kimi',
		events: [
			call({
				index: 0,
				id: 'x',
				type: 'builtin_function',
				function: {name: '$web_search', arguments: '{"search_result":{"search_id":"1"}}'},
			}),
			finish('tool_calls', {usage: counts}),
		],
		expected: {calls: [['$web_search', '{"search_result":{"search_id":"1"}}']], usage, stop: 'tool_calls'},
	},
	{
		name: 'Kimi: an error inside the stream',
		dialect: 'kimi',
		events: [
			...words('Half'),
			{error: {message: 'The engine is currently overloaded', type: 'engine_overloaded_error'}},
		],
		expected: {text: 'Half', error: 'The engine is currently overloaded'},
	},
];

/** help.aliyun.com/zh/model-studio/use-qwen-by-calling-api and deep-thinking. */
export const qwen: readonly CorpusStream[] = [
	{
		name: 'Qwen: thoughts beside null content, usage last',
		dialect: 'qwen',
		events: [
			chunk({content: null, role: 'assistant', reasoning_content: 'Hm'}),
			chunk({content: '', reasoning_content: null}),
			chunk({content: 'Hello', reasoning_content: null}),
			finish('stop'),
			usageEvent({...counts, completion_tokens_details: {reasoning_tokens: 2}}),
		],
		expected: {
			thoughts: 'Hm',
			text: 'Hello',
			usage: {...usage, reasoning: 2},
			stop: 'end',
			data: [field('reasoning_content')],
		},
	},
	{
		name: 'Qwen: "null" as a finish, empty ids in later pieces',
		dialect: 'qwen',
		events: [
			chunk(
				{tool_calls: [{index: 0, id: 'call_1', type: 'function', function: {name: 'read', arguments: ''}}]},
				{finish_reason: 'null'},
			),
			chunk(
				{tool_calls: [{index: 0, id: '', type: 'function', function: {name: '', arguments: '{"path":'}}]},
				{finish_reason: 'null'},
			),
			chunk({tool_calls: [{index: 0, id: '', type: 'function', function: {name: null, arguments: '"a"}'}}]}),
			finish('tool_calls', {usage: counts}),
		],
		expected: {calls: [['read', '{"path":"a"}']], usage, stop: 'tool_calls'},
	},
	{
		name: 'Qwen: whole messages instead of deltas',
		dialect: 'qwen',
		events: ['The sky ', 'The sky is ', 'The sky is blue.'].map((content, at) => ({
			choices: [{message: {role: 'assistant', content}, finish_reason: at === 2 ? 'stop' : null}],
			usage: {input_tokens: 11, output_tokens: at + 5},
		})),
		expected: {text: 'The sky is blue.', usage, stop: 'end'},
	},
	{
		name: 'Qwen: messages that are pieces',
		dialect: 'qwen',
		events: ['One, ', 'two, ', 'three.'].map((content, at) => ({
			choices: [{message: {content}, finish_reason: at === 2 ? 'stop' : null}],
		})),
		expected: {text: 'One, two, three.', stop: 'end'},
	},
	{
		name: 'GLM: network_error',
		dialect: 'qwen',
		events: [...words('Half'), finish('network_error')],
		expected: {text: 'Half', error: 'the answer ended with an error (network_error)'},
	},
	{
		name: 'GLM: sensitive',
		dialect: 'qwen',
		events: [...words('Half'), finish('sensitive', {usage: counts})],
		expected: {text: 'Half', usage, stop: 'blocked'},
	},
	{
		name: 'MiniMax: an error with status 200',
		dialect: 'qwen',
		events: [{base_resp: {status_code: 1008, status_msg: 'insufficient balance'}}],
		expected: {error: 'insufficient balance'},
	},
	{
		name: 'MiniMax: thoughts only as details',
		dialect: 'openrouter',
		events: [
			chunk({reasoning_details: [{type: 'reasoning.text', id: 'r1', format: 'MiniMax', index: 0, text: 'Let '}]}),
			chunk({reasoning_details: [{type: 'reasoning.text', id: 'r1', format: 'MiniMax', index: 0, text: 'me.'}]}),
			...words('Done.'),
			finish('stop', {usage: counts, base_resp: {status_code: 0, status_msg: ''}}),
		],
		expected: {
			thoughts: 'Let me.',
			text: 'Done.',
			usage,
			stop: 'end',
			data: [
				{
					field: 'reasoning_details',
					reasoning_details: [
						{type: 'reasoning.text', id: 'r1', format: 'MiniMax', index: 0, text: 'Let me.'},
					],
				},
			],
		},
	},
];
