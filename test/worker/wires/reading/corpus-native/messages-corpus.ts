import type {NativeCase} from '../../../wires/reading/played-native.ts';

/*
Streams of the Messages API, after the documented shapes:
platform.claude.com/docs/en/build-with-claude/streaming (events), /extended-thinking (thinking blocks),
/handling-stop-reasons (ends), /citations, /agents-and-tools/tool-use/web-search-tool (server tools).
*/

const start = (usage: unknown = {input_tokens: 10, output_tokens: 1}) => ({
	type: 'message_start',
	message: {id: 'msg_1', type: 'message', role: 'assistant', model: 'served', content: [], stop_reason: null, usage},
});
const begin = (index: number, content_block: unknown) => ({type: 'content_block_start', index, content_block});
const delta = (index: number, delta: unknown) => ({type: 'content_block_delta', index, delta});
const stop = (index: number) => ({type: 'content_block_stop', index});
const text = (index: number, ...pieces: readonly string[]) => [
	begin(index, {type: 'text', text: ''}),
	...pieces.map(piece => delta(index, {type: 'text_delta', text: piece})),
	stop(index),
];
const thinking = (index: number, piece: string) => [
	begin(index, {type: 'thinking', thinking: '', signature: ''}),
	delta(index, {type: 'thinking_delta', thinking: piece}),
	delta(index, {type: 'signature_delta', signature: 'c2ln'}),
	stop(index),
];
const call = (index: number, ...pieces: readonly string[]) => [
	begin(index, {type: 'tool_use', id: `toolu_${index}`, name: 'read_file', input: {}}),
	...pieces.map(piece => delta(index, {type: 'input_json_delta', partial_json: piece})),
	stop(index),
];
const end = (stop_reason: unknown = 'end_turn', more: object = {}, usage: unknown = {output_tokens: 5}) => [
	{type: 'message_delta', delta: {stop_reason, stop_sequence: null, ...more}, usage},
	{type: 'message_stop'},
];
const usage = {input: 10, output: 5, cacheRead: 0, cacheWrite: 0};
const path = {path: 'a.ts'};

export const messagesCorpus: readonly NativeCase[] = [
	{name: 'a text', events: [start(), {type: 'ping'}, ...text(0, 'Hel', 'lo'), ...end()], seen: {usage}},
	{
		name: 'a thought, a text and a call',
		events: [
			start(),
			...thinking(0, 'Hm.'),
			...text(1, 'Hello'),
			...call(2, '{"path":', '"a.ts"}'),
			...end('tool_use'),
		],
		seen: {thoughts: ['Hm.'], calls: [['read_file', path]], usage, stop: 'tool_calls'},
	},
	{
		name: 'cached tokens and thinking tokens',
		events: [
			start({input_tokens: 3, cache_read_input_tokens: 20, cache_creation_input_tokens: 7, output_tokens: 1}),
			...text(0, 'Hello'),
			...end('end_turn', {}, {output_tokens: 9, output_tokens_details: {thinking_tokens: 4}}),
		],
		seen: {usage: {input: 30, output: 9, cacheRead: 20, cacheWrite: 7, reasoning: 4}},
	},
	{
		name: 'unknown events, blocks and deltas',
		events: [
			start(),
			{type: 'vendor_heartbeat', at: 1},
			begin(0, {type: 'hologram', light: 'blue'}),
			delta(0, {type: 'hologram_delta', light: ' and red'}),
			stop(0),
			...text(1, 'Hello'),
			...end(),
		],
		seen: {unread: ['hologram'], usage},
	},
	{
		name: 'an unknown delta in a text',
		events: [
			start(),
			begin(0, {type: 'text', text: ''}),
			delta(0, {type: 'text_delta', text: 'Hello'}),
			delta(0, {type: 'mood_delta', mood: 'good'}),
			stop(0),
			...end(),
		],
		seen: {unread: ['mood_delta'], usage},
	},
	{
		name: 'a search by the server, with its results and citations',
		events: [
			start(),
			begin(0, {type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {}}),
			delta(0, {type: 'input_json_delta', partial_json: '{"query":"x"}'}),
			stop(0),
			begin(1, {
				type: 'web_search_tool_result',
				tool_use_id: 'srvtoolu_1',
				content: [{type: 'web_search_result', url: 'https://a.example', title: 'A', encrypted_content: 'RQ'}],
			}),
			stop(1),
			begin(2, {type: 'text', text: '', citations: []}),
			delta(2, {type: 'text_delta', text: 'Hello'}),
			delta(2, {
				type: 'citations_delta',
				citation: {
					type: 'web_search_result_location',
					cited_text: 'So',
					url: 'https://a.example',
					title: 'A',
					encrypted_index: 'RQ',
				},
			}),
			stop(2),
			...end(),
		],
		seen: {
			unread: ['server_tool_use', 'web_search_tool_result'],
			citations: [
				{
					type: 'web_search_result_location',
					cited_text: 'So',
					url: 'https://a.example',
					title: 'A',
					encrypted_index: 'RQ',
				},
			],
			usage,
		},
	},
	{
		name: 'citations that it does not know',
		events: [
			start(),
			begin(0, {type: 'text', text: 'Hello', citations: [{type: 'verse_location', verse: 3}]}),
			delta(0, {type: 'citations_delta', citation: {type: 'char_location', cited_text: 'x'}}),
			stop(0),
			...end(),
		],
		seen: {unread: ['verse_location', 'char_location'], usage},
	},
	{
		name: 'texts in the start of a block',
		events: [start(), begin(0, {type: 'text', text: 'Hello'}), stop(0), ...end()],
		seen: {usage},
	},
	{
		name: 'a whole thought in the start of its block',
		events: [
			start(),
			begin(0, {type: 'thinking', thinking: 'Hm.', signature: 'c2ln'}),
			stop(0),
			...text(1, 'Hello'),
			...end(),
		],
		seen: {thoughts: ['Hm.'], usage},
	},
	{
		name: 'whole arguments in the start of a call',
		events: [
			start(),
			begin(0, {type: 'tool_use', id: 't', name: 'read_file', input: path}),
			stop(0),
			...end('tool_use'),
		],
		seen: {texts: [], calls: [['read_file', path]], usage, stop: 'tool_calls'},
	},
	{
		name: 'whole arguments in the start of a call, and again in pieces',
		events: [
			start(),
			begin(0, {type: 'tool_use', id: 't', name: 'read_file', input: path}),
			delta(0, {type: 'input_json_delta', partial_json: '{"path":"a.ts"}'}),
			stop(0),
			...end('tool_use'),
		],
		seen: {texts: [], calls: [['read_file', path]], usage, stop: 'tool_calls'},
	},
	{
		name: 'arguments as objects',
		events: [
			start(),
			begin(0, {type: 'tool_use', id: 't', name: 'read_file', input: null}),
			delta(0, {type: 'input_json_delta', partial_json: path}),
			stop(0),
			begin(1, {type: 'tool_use', name: 'read_file', input: '{"path":"b.ts"}'}),
			stop(1),
			...end('tool_use'),
		],
		seen: {
			texts: [],
			calls: [
				['read_file', path],
				['read_file', {path: 'b.ts'}],
			],
			usage,
			stop: 'tool_calls',
		},
	},
	{
		name: 'no message_start and no content_block_start',
		events: [delta(0, {type: 'text_delta', text: 'Hello'}), stop(0), ...end()],
		seen: {usage: {output: 5}},
	},
	{
		name: 'no indexes and no types of deltas',
		events: [
			start(),
			{type: 'content_block_start', content_block: {type: 'text', text: ''}},
			{type: 'content_block_delta', delta: {text: 'Hello'}},
			{type: 'content_block_stop'},
			...end(),
		],
		seen: {usage},
	},
	{
		name: 'the same index for all blocks, without stops',
		events: [
			start(),
			begin(0, {type: 'thinking', thinking: ''}),
			delta(0, {type: 'thinking_delta', thinking: 'Hm.'}),
			begin(0, {type: 'text', text: ''}),
			delta(0, {type: 'text_delta', text: 'Hello'}),
			begin(0, {type: 'tool_use', id: 't', name: 'read_file', input: {}}),
			delta(0, {type: 'input_json_delta', partial_json: '{"path":"a.ts"}'}),
			...end('tool_use'),
		],
		seen: {thoughts: ['Hm.'], calls: [['read_file', path]], usage, stop: 'tool_calls'},
	},
	{name: 'no message_stop', events: [start(), ...text(0, 'Hello'), end()[0]], seen: {usage}},
	{
		name: 'no stop reason, but [DONE]',
		events: [start(), ...text(0, 'Hello')],
		isDone: true,
		seen: {usage: {input: 10, cacheRead: 0, cacheWrite: 0}},
	},
	{
		name: 'a message_delta without a stop reason and usage as text',
		events: [
			start(),
			...text(0, 'Hello'),
			{type: 'message_delta', delta: {}, usage: {output_tokens: '5'}},
			{type: 'message_stop'},
		],
		seen: {usage},
	},
	{
		name: 'usage nowhere',
		events: [start(null), ...text(0, 'Hello'), ...end('end_turn', {}, null)],
		seen: {usage: {}},
	},
	{
		name: 'usage with the stop, under the names of another API',
		events: [
			start(null),
			...text(0, 'Hello'),
			end('stop', {}, null)[0],
			{type: 'message_stop', usage: {prompt_tokens: 10, completion_tokens: 5}},
		],
		seen: {usage},
	},
	{
		name: 'a refusal with its explanation',
		events: [
			start(),
			...text(0, 'Hello'),
			...end('refusal', {stop_details: {type: 'refusal', category: 'cyber', explanation: 'Not that.'}}),
		],
		seen: {stop: 'refused', explanation: 'Not that.', usage},
	},
	{name: 'a pause', events: [start(), ...text(0, 'Hello'), ...end('pause_turn')], seen: {stop: 'paused', usage}},
	{
		name: 'the output limit',
		events: [start(), ...text(0, 'Hello'), ...end('max_tokens')],
		seen: {stop: 'length', usage},
	},
	{
		name: 'the end of the context',
		events: [start(), ...text(0, 'Hello'), ...end('model_context_window_exceeded')],
		seen: {stop: 'length', explanation: 'model_context_window_exceeded', usage},
	},
	{
		name: 'an unknown stop reason',
		events: [start(), ...text(0, 'Hello'), ...end('full_moon')],
		seen: {stop: 'other', explanation: 'full_moon', usage},
	},
	{
		name: 'calls and the reason end_turn',
		events: [start(), ...call(0, '{"path":"a.ts"}'), ...end('end_turn')],
		seen: {texts: [], calls: [['read_file', path]], stop: 'tool_calls', usage},
	},
	{
		name: 'the arguments of a call that has no start',
		events: [start(), delta(0, {type: 'input_json_delta', partial_json: '{"path":'}), ...end('tool_use')],
		seen: {
			texts: [],
			unread: ['tool_use'],
			stop: 'unread_call',
			explanation: 'The server sent the arguments of a call without its name.',
			usage,
		},
	},
	{
		name: 'redacted thinking, and one that is empty',
		events: [
			start(),
			begin(0, {type: 'redacted_thinking', data: 'c2VjcmV0'}),
			stop(0),
			begin(1, {type: 'redacted_thinking', data: null}),
			stop(1),
			...text(2, 'Hello'),
			...end(),
		],
		seen: {usage},
	},
	{
		name: 'the message whole in its start',
		events: [
			{type: 'message_start', message: {content: [{type: 'text', text: 'Hello'}], usage: {input_tokens: 10}}},
			...end(),
		],
		seen: {usage},
	},
	{
		name: 'an error after half of the text',
		events: [
			start(),
			begin(0, {type: 'text', text: ''}),
			delta(0, {type: 'text_delta', text: 'Hel'}),
			{type: 'error', error: {type: 'overloaded_error', message: 'Overloaded'}},
		],
		seen: {texts: [], error: 'overloaded'},
	},
	{
		name: 'an error without an envelope',
		events: [start(), {error: 'out of memory'}],
		seen: {texts: [], error: 'overloaded'},
	},
	{
		name: 'only events of another API',
		events: [{id: 'c', object: 'chat.completion.chunk', choices: [{delta: {content: 'Hello'}}]}],
		seen: {texts: [], error: 'bad_response'},
	},
];
