import {call, chunk, counts, finish, thoughts, usage, usageEvent, words, type CorpusStream} from './stream.ts';

/**
platform.openai.com/docs/api-reference/chat/streaming and learn.microsoft.com/azure/ai-foundry/openai/concepts/
content-streaming.
*/
export const openai: readonly CorpusStream[] = [
	{
		name: 'Azure: filters before and after the text',
		dialect: 'safe',
		events: [
			{...usageEvent(null), prompt_filter_results: [{prompt_index: 0, content_filter_results: {}}]},
			...words('Half'),
			chunk({}, {finish_reason: 'content_filter', content_filter_results: {hate: {filtered: true}}}),
			usageEvent(counts),
		],
		expected: {text: 'Half', usage, stop: 'blocked'},
	},
	{
		name: 'OpenAI: a refusal',
		dialect: 'safe',
		events: [
			chunk({role: 'assistant', content: '', refusal: null}),
			chunk({refusal: 'I '}),
			chunk({refusal: 'can’t.'}),
			finish(),
			usageEvent(counts),
		],
		expected: {text: 'I can’t.', usage, stop: 'refused'},
	},
	{
		name: 'OpenAI: a call of a custom tool in pieces',
		dialect: 'safe',
		events: [
			call({index: 0, id: 'c', type: 'custom', custom: {name: 'run', input: ''}}),
			call({index: 0, custom: {input: 'ls'}}),
			finish('tool_calls', {usage: counts}),
		],
		expected: {usage, stop: 'unread_call', unread: ['custom']},
	},
	{
		name: 'OpenAI: audio',
		dialect: 'safe',
		events: [
			chunk({role: 'assistant', audio: {id: 'audio_1', transcript: 'Hel'}}),
			chunk({audio: {data: 'AAAA'}}),
			chunk({audio: {transcript: 'lo', expires_at: 1}}),
			finish('stop', {usage: counts}),
		],
		expected: {usage, stop: 'end', unread: ['audio']},
	},
	{
		name: 'OpenAI: a deprecated function call',
		dialect: 'safe',
		events: [
			chunk({role: 'assistant', content: null, function_call: {name: 'read', arguments: ''}}),
			chunk({function_call: {arguments: '{"path":'}}),
			chunk({function_call: {arguments: '"a"}'}}),
			finish('function_call', {usage: counts}),
		],
		expected: {calls: [['read', '{"path":"a"}']], usage, stop: 'tool_calls'},
	},
	{
		name: 'Copilot: reasoning_text, an empty choice list and choices null',
		dialect: 'safe',
		events: [
			{choices: [], prompt_filter_results: []},
			{choices: null},
			...thoughts('reasoning_text', 'Hm'),
			...words('Hi.'),
			finish('stop', {usage: counts}),
		],
		expected: {thoughts: 'Hm', text: 'Hi.', usage, stop: 'end', data: [{field: 'reasoning_text'}]},
	},
];
