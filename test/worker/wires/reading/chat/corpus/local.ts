import {call, chunk, counts, finish, thoughts, usage, usageEvent, whole, words, type CorpusStream} from './stream.ts';

/** docs.ollama.com/api/openai-compatibility, and docs.ollama.com/api/chat for its own API. */
export const ollama: readonly CorpusStream[] = [
	{
		name: 'Ollama: stop after a whole call',
		dialect: 'ollama',
		events: [
			chunk({
				role: 'assistant',
				content: '',
				tool_calls: [
					{id: 'call_1', index: 0, type: 'function', function: {name: 'read', arguments: '{"path":"a"}'}},
				],
			}),
			chunk({role: 'assistant', content: ''}, {finish_reason: 'stop'}),
			usageEvent(counts),
		],
		expected: {calls: [['read', '{"path":"a"}']], usage, stop: 'tool_calls'},
	},
	{
		name: 'Ollama: thoughts',
		dialect: 'ollama',
		events: [
			chunk({role: 'assistant', content: '', reasoning: 'Hm'}),
			...words('Hi.'),
			finish('stop', {usage: counts}),
		],
		expected: {thoughts: 'Hm', text: 'Hi.', usage, stop: 'end', data: [{field: 'reasoning'}]},
	},
	{
		name: 'Ollama: its own API as JSON lines',
		dialect: 'ollama',
		isWhole: true,
		events: [
			[
				{model: 'm', message: {role: 'assistant', content: '', thinking: 'Hm'}, done: false},
				{model: 'm', message: {role: 'assistant', content: 'Hel'}, done: false},
				{model: 'm', message: {role: 'assistant', content: 'lo.'}, done: false},
				{
					model: 'm',
					message: {role: 'assistant', content: ''},
					done: true,
					done_reason: 'stop',
					prompt_eval_count: 11,
					eval_count: 7,
				},
			]
				.map(line => JSON.stringify(line))
				.join('\n'),
		],
		expected: {thoughts: 'Hm', text: 'Hello.', usage, stop: 'end', data: [{field: 'thinking'}]},
	},
	{
		name: 'Ollama: its own API with arguments as an object',
		dialect: 'ollama',
		isWhole: true,
		events: [
			{
				model: 'm',
				message: {
					role: 'assistant',
					content: '',
					tool_calls: [{function: {name: 'read', arguments: {path: 'a'}}}],
				},
				done: true,
				done_reason: 'stop',
				prompt_eval_count: 11,
				eval_count: 7,
			},
		],
		expected: {calls: [['read', '{"path":"a"}']], usage, stop: 'tool_calls'},
	},
	{
		name: 'Ollama: an error as a text',
		dialect: 'ollama',
		events: [...words('Half'), {error: 'model runner has unexpectedly stopped'}],
		expected: {text: 'Half', error: 'model runner has unexpectedly stopped'},
	},
];

/** lmstudio.ai/docs/app/api/endpoints/openai. */
export const lmstudio: readonly CorpusStream[] = [
	{
		name: 'LM Studio: think tags, and a name again with every piece',
		dialect: 'lmstudio',
		events: [
			...words('<think>', 'Hm', '</think>'),
			call({index: 0, id: '365174485', type: 'function', function: {name: 'read', arguments: ''}}),
			call({index: 0, type: 'function', function: {name: 'read', arguments: '{"path":'}}),
			call({index: 0, type: 'function', function: {name: 'read', arguments: '"a"}'}}),
			finish('tool_calls', {usage: counts}),
		],
		expected: {
			thoughts: 'Hm',
			calls: [['read', '{"path":"a"}']],
			usage,
			stop: 'tool_calls',
			data: [{field: 'think'}],
		},
	},
	{
		name: 'LM Studio: a thought that the template opened',
		dialect: 'lmstudio',
		events: [...words('Hm, ', 'so.\n</thi', 'nk>\n\nHi', '.'), finish('stop', {usage: counts})],
		expected: {thoughts: 'Hm, so.\n', text: 'Hi.', usage, stop: 'end', data: [{field: 'think'}]},
	},
	{
		name: 'LM Studio: a thought that the template opened, and a call',
		dialect: 'lmstudio',
		events: [
			...words('Hm\n', '</think>', '\n'),
			call({index: 0, id: '365174485', type: 'function', function: {name: 'read', arguments: '{}'}}),
			finish('tool_calls', {usage: counts}),
		],
		expected: {
			thoughts: 'Hm\n',
			calls: [['read', '{}']],
			usage,
			stop: 'tool_calls',
			data: [{field: 'think'}],
		},
	},
	{
		name: 'an unknown server: thoughts with tags, and the whole message again',
		dialect: 'safe',
		events: [
			...words('Hm\n', '</think>', 'Hi'),
			{choices: [{index: 0, message: {content: 'Hm\n</think>Hi there'}, finish_reason: 'stop'}], usage: counts},
		],
		expected: {thoughts: 'Hm\n', text: 'Hi there', usage, stop: 'end', data: [{field: 'think'}]},
	},
	{
		name: 'LM Studio: an error event',
		dialect: 'lmstudio',
		events: [
			'event: error\ndata: {"error":{"message":"The number of tokens to keep from the initial prompt is greater ' +
				'than the context length"},"message":"The number of tokens"}',
		],
		expected: {
			error: 'The number of tokens to keep from the initial prompt is greater than the context length',
		},
	},
	{
		name: 'LM Studio: no usage at all',
		dialect: 'lmstudio',
		events: [chunk({role: 'assistant', content: 'Hi.'}), finish('stop')],
		expected: {text: 'Hi.', stop: 'end'},
	},
];

/** github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md. */
export const llamacpp: readonly CorpusStream[] = [
	{
		name: 'llama.cpp: timings instead of usage',
		dialect: 'llama.cpp',
		events: [
			chunk({role: 'assistant', content: null}),
			...words('Hi.'),
			finish('stop', {timings: {cache_n: 4, prompt_n: 7, prompt_ms: 1.5, predicted_n: 7, predicted_ms: 2}}),
		],
		expected: {text: 'Hi.', usage: {...usage, cacheRead: 4}, stop: 'end'},
	},
	{
		name: 'llama.cpp: usage and timings after the finish',
		dialect: 'llama.cpp',
		events: [
			...thoughts('reasoning_content', 'Hm'),
			...words('Hi.'),
			finish('stop'),
			{...usageEvent(counts), timings: {prompt_n: 1, predicted_n: 1}},
		],
		expected: {thoughts: 'Hm', text: 'Hi.', usage, stop: 'end', data: [{field: 'reasoning_content'}]},
	},
	{
		name: 'llama.cpp: the error field of older versions',
		dialect: 'llama.cpp',
		isDone: false,
		events: [...words('Half'), 'error: {"code":500,"message":"slot unavailable","type":"server_error"}'],
		expected: {text: 'Half', error: 'slot unavailable'},
	},
	{
		name: 'llama.cpp: a call whose id comes late',
		dialect: 'llama.cpp',
		events: [
			call({index: 0, id: null, type: 'function', function: {name: null, arguments: '{"pa'}}),
			call({index: 0, id: 'late', function: {arguments: 'th":'}}),
			call({index: 0, id: 'late', function: {name: 'read', arguments: '"a"}'}}),
			finish('tool_calls', {usage: counts}),
		],
		expected: {calls: [['read', '{"path":"a"}']], usage, stop: 'tool_calls'},
	},
	{
		name: 'llama.cpp: an unclosed tag and a call',
		dialect: 'llama.cpp',
		events: [
			...words('\n', '<thinking>', 'Hm <'),
			call({index: 0, id: 'a', function: {name: 'read', arguments: '{}'}}),
			finish('tool_calls', {usage: counts}),
		],
		expected: {thoughts: 'Hm <', calls: [['read', '{}']], usage, stop: 'tool_calls', data: [{field: 'think'}]},
	},
];

/** docs.vllm.ai/en/latest/serving/openai_compatible_server.html and features/tool_calling.html. */
export const vllm: readonly CorpusStream[] = [
	{
		name: 'vLLM: a stop_reason, and usage with every event',
		dialect: 'vllm',
		events: [
			chunk(
				{role: 'assistant', content: ''},
				{stop_reason: null},
				{usage: {prompt_tokens: 11, total_tokens: 11, completion_tokens: 0}},
			),
			chunk(
				{content: 'Hi.'},
				{stop_reason: null},
				{usage: {prompt_tokens: 11, total_tokens: 13, completion_tokens: 2}},
			),
			chunk({content: ''}, {finish_reason: 'stop', stop_reason: '</s>'}, {usage: counts}),
			usageEvent(counts),
		],
		expected: {text: 'Hi.', usage, stop: 'end'},
	},
	{
		name: 'vLLM: another id with every piece of a call',
		dialect: 'vllm',
		events: [
			call({index: 0, id: 'chatcmpl-tool-1', type: 'function', function: {name: 'read'}}),
			call({index: 0, id: 'chatcmpl-tool-2', function: {arguments: '{"path":'}}),
			call({index: '0', id: 'chatcmpl-tool-3', function: {arguments: '"a"}'}}),
			finish('tool_calls', {usage: counts}),
		],
		expected: {calls: [['read', '{"path":"a"}']], usage, stop: 'tool_calls'},
	},
	{
		name: 'vLLM: aborted',
		dialect: 'vllm',
		events: [...words('Half'), finish('abort')],
		expected: {text: 'Half', error: 'the answer ended with an error (abort)'},
	},
	{
		name: 'vLLM: an error as an object',
		dialect: 'vllm',
		events: [
			{object: 'error', message: 'EngineCore encountered an issue.', type: 'InternalServerError', code: 500},
		],
		expected: {error: 'EngineCore encountered an issue.'},
	},
	{
		name: 'vLLM: [DONE] without a finish',
		dialect: 'vllm',
		events: [...words('Hel', 'lo.'), usageEvent(counts)],
		expected: {text: 'Hello.', usage, stop: 'end'},
	},
	{
		name: 'vLLM: [DONE] without a finish after a call',
		dialect: 'vllm',
		events: [call({index: 0, id: 'a', function: {name: 'read', arguments: '{}'}})],
		expected: {calls: [['read', '{}']], stop: 'tool_calls'},
	},
	{
		name: 'vLLM: a cut stream',
		dialect: 'vllm',
		isDone: false,
		events: words('Half'),
		expected: {
			text: 'Half',
			error: 'was cut off',
		},
	},
	{
		name: 'vLLM: a whole answer, whose role is strange',
		dialect: 'vllm',
		isWhole: true,
		events: [whole({role: 'model', content: 'Hi.', reasoning_content: 'Hm', tool_calls: []})],
		expected: {thoughts: 'Hm', text: 'Hi.', usage, stop: 'end', data: [{field: 'reasoning_content'}]},
	},
	{
		name: 'vLLM: whole calls',
		dialect: 'vllm',
		isWhole: true,
		events: [
			whole(
				{
					role: 'assistant',
					content: null,
					tool_calls: ['a', 'b'].map(path => ({
						id: 'same',
						type: 'function',
						function: {name: 'read', arguments: `{"path":"${path}"}`},
					})),
				},
				{finish_reason: 'tool_calls'},
			),
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
		name: 'vLLM: a whole error with status 200',
		dialect: 'vllm',
		isWhole: true,
		events: [{detail: [{loc: ['body'], msg: 'field required', type: 'missing'}]}],
		expected: {error: 'field required'},
	},
	{
		name: 'A gateway: an array of chunks',
		dialect: 'safe',
		isWhole: true,
		events: [[...words('Hel', 'lo.'), finish('stop', {usage: counts})]],
		expected: {text: 'Hello.', usage, stop: 'end'},
	},
	{
		name: 'A gateway: one choice as an object, text in its text, counts as texts',
		dialect: 'safe',
		events: [
			{choices: {text: 'Hel', index: 0}},
			{choices: {delta: {content: 42}}},
			{choices: {delta: null, finishReason: 'endTurn'}, usage: {prompt_tokens: '11', completion_tokens: '7'}},
		],
		expected: {text: 'Hel42', usage, stop: 'end'},
	},
	{
		name: 'A gateway: zeros as usage',
		dialect: 'safe',
		events: [...words('Hi.'), finish('stop', {usage: {prompt_tokens: 0, completion_tokens: 0, total_tokens: 0}})],
		expected: {text: 'Hi.', stop: 'end'},
	},
	{
		name: 'A gateway: an unknown finish',
		dialect: 'safe',
		events: [...words('Hi.'), finish('tired', {usage: counts})],
		expected: {text: 'Hi.', usage, stop: 'other'},
	},
	{
		name: 'A gateway: events without blank lines between them',
		dialect: 'safe',
		isDone: false,
		events: [[...words('Hel', 'lo.'), finish()].map(event => `data: ${JSON.stringify(event)}`).join('\n')],
		expected: {text: 'Hello.', stop: 'end'},
	},
	{
		name: 'A gateway: a call without a name',
		dialect: 'safe',
		events: [call({index: 0, id: 'x', function: {arguments: '{"a":1}'}}), finish('tool_calls', {usage: counts})],
		expected: {usage, stop: 'unread_call', unread: ['tool_call']},
	},
];
