import type {NativeCase} from '../../../wires/reading/played-native.ts';

/*
Streams of the Responses API, after the documented shapes:
developers.openai.com/api/reference/resources/responses/streaming-events (events),
/api/docs/guides/reasoning (encrypted reasoning), /api/docs/guides/tools-web-search (annotations).
*/

const response = {id: 'resp_1', object: 'response', created_at: 1_700_000_000, model: 'served', status: 'in_progress'};
const start = [
	{type: 'response.created', response},
	{type: 'response.in_progress', response},
];
const added = (output_index: number, item: unknown) => ({type: 'response.output_item.added', output_index, item});
const done = (output_index: number, item: unknown) => ({type: 'response.output_item.done', output_index, item});
const message = (id: string, text: string, annotations: unknown = []) => ({
	type: 'message',
	id,
	role: 'assistant',
	status: 'completed',
	content: [{type: 'output_text', text, annotations}],
});
const delta = (item_id: string, output_index: number, text: unknown) => ({
	type: 'response.output_text.delta',
	item_id,
	output_index,
	content_index: 0,
	delta: text,
});
const hello = (at = 0, id = `msg_${at}`) => [
	added(at, {...message(id, ''), status: 'in_progress', content: []}),
	delta(id, at, 'Hel'),
	delta(id, at, 'lo'),
	{type: 'response.output_text.done', item_id: id, output_index: at, content_index: 0, text: 'Hello'},
	done(at, message(id, 'Hello')),
];
const reasoning = (id: string, more: object = {}) => ({type: 'reasoning', id, summary: [], ...more});
const thought = (text: string, summary_index = 0) => ({
	type: 'response.reasoning_summary_text.delta',
	item_id: 'rs_0',
	output_index: 0,
	summary_index,
	delta: text,
});
const functionCall = (more: object = {}) => ({
	type: 'function_call',
	id: 'fc_0',
	call_id: 'call_0',
	name: 'read_file',
	arguments: '',
	...more,
});
const piece = (text: unknown, at: object = {item_id: 'fc_0', output_index: 0}) => ({
	type: 'response.function_call_arguments.delta',
	...at,
	delta: text,
});
const tokens = {
	input_tokens: 10,
	input_tokens_details: {cached_tokens: 4},
	output_tokens: 5,
	output_tokens_details: {reasoning_tokens: 2},
	total_tokens: 15,
};
const completed = (more: object = {}) => ({
	type: 'response.completed',
	response: {...response, status: 'completed', incomplete_details: null, usage: tokens, ...more},
});
const incomplete = (reason: string) => ({
	type: 'response.incomplete',
	response: {...response, status: 'incomplete', incomplete_details: {reason}, usage: tokens},
});
const usage = {input: 10, output: 5, cacheRead: 4, reasoning: 2};
const args = '{"path":"a.ts"}';
const called = {texts: [], calls: [['read_file', {path: 'a.ts'}]], usage, stop: 'tool_calls'} as const;

export const responsesCorpus: readonly NativeCase[] = [
	{name: 'a text', events: [...start, ...hello(), completed()], seen: {usage}},
	{
		name: 'a thought and a call',
		events: [
			...start,
			added(0, reasoning('rs_0', {encrypted_content: 'first'})),
			thought('Hm.'),
			done(0, reasoning('rs_0', {encrypted_content: 'whole', summary: [{type: 'summary_text', text: 'Hm.'}]})),
			added(1, functionCall()),
			piece('{"path":', {item_id: 'fc_0', output_index: 1}),
			piece('"a.ts"}', {item_id: 'fc_0', output_index: 1}),
			{type: 'response.function_call_arguments.done', item_id: 'fc_0', output_index: 1, arguments: args},
			done(1, functionCall({arguments: args, status: 'completed'})),
			completed(),
		],
		seen: {...called, thoughts: ['Hm.']},
	},
	{
		name: 'two summaries of one thought',
		events: [
			...start,
			added(0, reasoning('rs_0')),
			thought('A'),
			thought('B', 1),
			done(0, reasoning('rs_0')),
			...hello(1),
			completed(),
		],
		seen: {thoughts: ['A', 'B'], usage},
	},
	{
		name: 'raw reasoning text',
		events: [
			added(0, reasoning('rs_0')),
			{type: 'response.reasoning_text.delta', item_id: 'rs_0', output_index: 0, content_index: 0, delta: 'Hm.'},
			done(0, {...reasoning('rs_0'), content: [{type: 'reasoning_text', text: 'Hm.'}]}),
			...hello(1),
			completed(),
		],
		seen: {thoughts: ['Hm.'], usage},
	},
	{
		name: 'a thought without its start, and a whole one',
		events: [
			thought('A'),
			done(0, reasoning('rs_0')),
			done(1, reasoning('rs_1', {summary: [{type: 'summary_text', text: 'B'}]})),
			...hello(2),
			completed(),
		],
		seen: {thoughts: ['A', 'B'], usage},
	},
	{
		name: 'unknown events and items',
		events: [
			...start,
			{type: 'response.rate_limits.updated', limits: []},
			added(0, {type: 'hologram_call', id: 'h_0'}),
			{type: 'response.hologram_call.delta', item_id: 'h_0', output_index: 0, delta: 'light'},
			done(0, {type: 'hologram_call', id: 'h_0', light: 'blue'}),
			...hello(1),
			completed(),
		],
		seen: {unread: ['hologram_call'], usage},
	},
	{
		name: 'audio of no item',
		events: [
			...hello(),
			{type: 'response.audio.delta', delta: 'UklG'},
			{type: 'response.audio.delta', delta: 'Rg=='},
			completed(),
		],
		seen: {unread: ['response.audio.delta'], usage},
	},
	{
		name: 'a search, an image, code and an MCP call of the server',
		events: [
			added(0, {type: 'web_search_call', id: 'ws_0', status: 'in_progress'}),
			{type: 'response.web_search_call.searching', item_id: 'ws_0', output_index: 0},
			done(0, {type: 'web_search_call', id: 'ws_0', status: 'completed', action: {type: 'levitate'}}),
			added(1, {type: 'image_generation_call', id: 'ig_0', status: 'in_progress'}),
			{
				type: 'response.image_generation_call.partial_image',
				item_id: 'ig_0',
				output_index: 1,
				partial_image_b64: 'AA',
			},
			done(1, {type: 'image_generation_call', id: 'ig_0', status: 'completed', result: 'A'.repeat(200_000)}),
			added(2, {type: 'code_interpreter_call', id: 'ci_0', code: ''}),
			{type: 'response.code_interpreter_call_code.delta', item_id: 'ci_0', output_index: 2, delta: '1+1'},
			done(2, {type: 'code_interpreter_call', id: 'ci_0', code: '1+1', outputs: null}),
			done(3, {type: 'mcp_call', id: 'mcp_0', name: 'x', arguments: '{}', output: null}),
			...hello(4),
			completed(),
		],
		seen: {unread: ['web_search_call', 'image_generation_call', 'code_interpreter_call', 'mcp_call'], usage},
	},
	{
		name: 'annotations, known and unknown',
		events: [
			added(0, message('msg_0', '')),
			delta('msg_0', 0, 'Hello'),
			{
				type: 'response.output_text.annotation.added',
				item_id: 'msg_0',
				output_index: 0,
				annotation: {type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 3},
			},
			{
				type: 'response.output_text.annotation.added',
				item_id: 'msg_0',
				output_index: 0,
				annotation: {type: 'verse_citation', verse: 3},
			},
			done(
				0,
				message('msg_0', 'Hello', [
					{type: 'url_citation', url: 'https://a.example', title: 'A'},
					{type: 'file_citation', file_id: 'f', filename: 'b.pdf', index: 1},
				]),
			),
			completed(),
		],
		seen: {
			citations: [{title: 'A', url: 'https://a.example'}, {title: 'b.pdf'}],
			unread: ['verse_citation'],
			usage,
		},
	},
	{
		name: 'annotations and content that are null',
		events: [
			added(0, {type: 'message', id: 'msg_0', content: null}),
			delta('msg_0', 0, 'Hello'),
			done(0, {type: 'message', id: 'msg_0', content: [{type: 'output_text', text: 'Hello', annotations: null}]}),
			completed(),
		],
		seen: {usage},
	},
	{name: 'deltas without the start of their item', events: [delta('msg_0', 0, 'Hello'), completed()], seen: {usage}},
	{
		name: 'no indexes and no ids',
		events: [
			{type: 'response.output_item.added', item: {type: 'message'}},
			{type: 'response.output_text.delta', delta: 'Hel'},
			{type: 'response.output_text.delta', delta: {text: 'lo'}},
			{type: 'response.output_item.done', item: {type: 'message'}},
			completed(),
		],
		seen: {usage},
	},
	{
		name: 'ids that change in the middle',
		events: [
			added(0, message('a', '')),
			delta('b', 0, 'Hel'),
			delta('c', 0, 'lo'),
			done(0, message('d', 'Hello')),
			completed({output: [message('e', 'Hello')]}),
		],
		seen: {usage},
	},
	{
		name: 'the index 0 for all items',
		events: [added(0, reasoning('rs_0')), thought('Hm.'), ...hello(0, 'msg_9'), completed()],
		seen: {thoughts: ['Hm.'], usage},
	},
	{
		name: 'only whole texts',
		events: [
			added(0, message('m', '')),
			{type: 'response.output_text.done', item_id: 'm', output_index: 0, content_index: 0, text: 'Hello'},
			completed(),
		],
		seen: {usage},
	},
	{name: 'only whole items', events: [done(0, message('m', 'Hello')), completed()], seen: {usage}},
	{name: 'only a whole response', events: [completed({output: [message('m', 'Hello')]})], seen: {usage}},
	{
		name: 'a call without the start of its item',
		events: [piece('{"path":'), piece('"a.ts"}'), done(0, functionCall({arguments: args})), completed()],
		seen: called,
	},
	{
		name: 'a call with arguments as an object',
		events: [
			added(0, functionCall({arguments: {}})),
			done(0, functionCall({arguments: {path: 'a.ts'}, call_id: null})),
			completed(),
		],
		seen: called,
	},
	{
		name: 'a call whose arguments only come in pieces',
		events: [added(0, functionCall({arguments: null})), piece('{"path":'), piece('"a.ts"}'), completed()],
		seen: called,
	},
	{
		name: 'a call whose name comes with its arguments',
		events: [
			piece('{"path":', {item_id: 'fc_0'}),
			{type: 'response.function_call_arguments.done', item_id: 'fc_0', name: 'read_file', arguments: args},
			completed(),
		],
		seen: called,
	},
	{
		name: 'the input of a custom tool',
		events: [
			added(0, {type: 'custom_tool_call', id: 'ct_0', call_id: 'call_0', name: 'patch', input: ''}),
			{type: 'response.custom_tool_call_input.delta', item_id: 'ct_0', output_index: 0, delta: '*** Begin'},
			done(0, {type: 'custom_tool_call', id: 'ct_0', call_id: 'call_0', name: 'patch', input: '*** Begin'}),
			completed(),
		],
		seen: {texts: [], calls: [['patch', {input: '*** Begin'}]], usage, stop: 'tool_calls'},
	},
	{
		name: 'a call without a name',
		events: [piece('{"path":'), completed()],
		seen: {
			texts: [],
			unread: ['function_call'],
			stop: 'unread_call',
			explanation: 'The server sent a call without its name.',
			usage,
		},
	},
	{
		name: 'a refusal',
		events: [
			added(0, message('m', '')),
			{type: 'response.refusal.delta', item_id: 'm', output_index: 0, content_index: 0, delta: 'I can’t.'},
			{type: 'response.refusal.done', item_id: 'm', output_index: 0, content_index: 0, refusal: 'I can’t.'},
			done(0, {...message('m', ''), content: [{type: 'refusal', refusal: 'I can’t.'}]}),
			completed(),
		],
		seen: {texts: ['I can’t.'], stop: 'refused', explanation: 'I can’t.', usage},
	},
	{
		name: 'a whole refusal',
		events: [done(0, {...message('m', ''), content: [{type: 'refusal', refusal: 'I can’t.'}]}), completed()],
		seen: {texts: ['I can’t.'], stop: 'refused', explanation: 'I can’t.', usage},
	},
	{name: 'the output limit', events: [...hello(), incomplete('max_output_tokens')], seen: {stop: 'length', usage}},
	{
		name: 'a filter',
		events: [...hello(), incomplete('content_filter')],
		seen: {stop: 'blocked', explanation: 'content_filter', usage},
	},
	{
		name: 'an unknown reason',
		events: [...hello(), incomplete('full_moon')],
		seen: {stop: 'other', explanation: 'full_moon', usage},
	},
	{
		name: 'a cancelled response',
		events: [...hello(), {type: 'response.cancelled', response: {status: 'cancelled'}}],
		seen: {stop: 'other', explanation: 'cancelled'},
	},
	{name: 'an end without a response', events: [...hello(), {type: 'response.completed'}], seen: {}},
	{name: 'no end, but [DONE]', events: hello(), isDone: true, seen: {}},
	{
		name: 'usage as texts, in other words and without details',
		events: [
			...hello(),
			completed({usage: {prompt_tokens: '10', completion_tokens: 5, input_tokens_details: null}}),
		],
		seen: {usage: {input: 10, output: 5, cacheRead: 0, reasoning: 0}},
	},
	{
		name: 'half of the usage',
		events: [...hello(), completed({usage: {output_tokens: 5}})],
		seen: {usage: {output: 5, cacheRead: 0, reasoning: 0}},
	},
	{
		name: 'a failed response',
		events: [
			...start,
			...hello(),
			{
				type: 'response.failed',
				response: {...response, status: 'failed', error: {code: 'server_error', message: 'Broken.'}},
			},
		],
		seen: {error: 'overloaded'},
	},
	{
		name: 'a failed response without a reason',
		events: [...hello(), {type: 'response.failed'}],
		seen: {error: 'overloaded'},
	},
	{
		name: 'an error without a type',
		events: [...start, {type: 'error', code: 'rate_limit_exceeded', message: 'Slow down.', param: null}],
		seen: {texts: [], error: 'rate_limited'},
	},
	{
		name: 'only events of another API',
		events: [{id: 'c', object: 'chat.completion.chunk', choices: [{delta: {content: 'Hello'}}]}],
		seen: {texts: [], error: 'bad_response'},
	},
];
