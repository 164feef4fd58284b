// The events of the wires on which the fake servers answer.

/**
The speech of each wire, for an answer whose long part is `kind`. `begin` and `end` are the events before and after
this part, and `delta` returns the event of a piece of it. The usage reports `input` and `output` tokens. Some clients
of `openai` need the whole `text` of the answer again at its end.
*/
export const speeches = {
	'openai-compatible'(kind, {input, output} = fewTokens) {
		const call = args => ({tool_calls: [{index: 0, ...args}]});
		const begins = {
			call: chatChunk(
				call({id: 'call_1', type: 'function', function: {name: 'write_file', arguments: '{"content":"'}}),
			),
		};
		const deltas = {
			text: content => chatChunk({content}),
			thought: text => chatChunk({reasoning_content: text}),
			call: text => chatChunk(call({function: {arguments: text}})),
		};
		const ends = {call: chatChunk(call({function: {arguments: '"}'}})), thought: chatChunk({content: 'Done.'})};
		const usage = {prompt_tokens: input, completion_tokens: output, total_tokens: input + output};
		const finish =
			chatChunk({}, kind === 'call' ? 'tool_calls' : 'stop') + event({...chatHead, choices: [], usage});
		return {
			begin: begins[kind] ?? '',
			delta: deltas[kind],
			end: `${ends[kind] ?? ''}${finish}data: [DONE]\n\n`,
		};
	},
	anthropic(kind, {input, output} = fewTokens) {
		const message = {id: 'm', type: 'message', role: 'assistant', model: 'm', content: []};
		const start = named({
			type: 'message_start',
			message: {
				...message,
				stop_reason: null,
				stop_sequence: null,
				usage: {input_tokens: input, output_tokens: 1},
			},
		});
		const block = (index, content_block) => named({type: 'content_block_start', index, content_block});
		const grows = (index, delta) => named({type: 'content_block_delta', index, delta});
		const stop = index => named({type: 'content_block_stop', index});
		const blocks = {
			text: {type: 'text', text: ''},
			thought: {type: 'thinking', thinking: '', signature: ''},
			call: {type: 'tool_use', id: 'toolu_1', name: 'write_file', input: {}},
		};
		const deltas = {
			text: text => ({type: 'text_delta', text}),
			thought: thinking => ({type: 'thinking_delta', thinking}),
			call: partial_json => ({type: 'input_json_delta', partial_json}),
		};
		const text = block(1, blocks.text) + grows(1, deltas.text('Done.')) + stop(1);
		const ends = {
			text: stop(0),
			thought: grows(0, {type: 'signature_delta', signature: 's'}) + stop(0) + text,
			call: grows(0, deltas.call('"}')) + stop(0),
		};
		const delta = {stop_reason: kind === 'call' ? 'tool_use' : 'end_turn', stop_sequence: null};
		return {
			begin: start + block(0, blocks[kind]) + (kind === 'call' ? grows(0, deltas.call('{"content":"')) : ''),
			delta: piece => grows(0, deltas[kind](piece)),
			end:
				ends[kind] +
				named({type: 'message_delta', delta, usage: {output_tokens: output}}) +
				named({type: 'message_stop'}),
		};
	},
	openai(kind, {input, output, text} = fewTokens) {
		const response = {id: 'r', object: 'response', created_at: 1, model: 'm', status: 'in_progress'};
		const at = {item_id: 'i', output_index: 0};
		const items = {
			text: {type: 'message', id: 'i', role: 'assistant', status: 'in_progress', content: []},
			thought: {type: 'reasoning', id: 'i', summary: []},
			call: {
				type: 'function_call',
				id: 'i',
				call_id: 'c',
				name: 'write_file',
				arguments: '',
				status: 'in_progress',
			},
		};
		const deltas = {
			text: delta => named({type: 'response.output_text.delta', ...at, content_index: 0, delta}),
			thought: delta => named({type: 'response.reasoning_summary_text.delta', ...at, summary_index: 0, delta}),
			call: delta => named({type: 'response.function_call_arguments.delta', ...at, delta}),
		};
		const parts = {
			text: named({
				type: 'response.content_part.added',
				...at,
				content_index: 0,
				part: {type: 'output_text', text: '', annotations: []},
			}),
			thought: named({
				type: 'response.reasoning_summary_part.added',
				...at,
				summary_index: 0,
				part: {type: 'summary_text', text: ''},
			}),
			call: deltas.call('{"content":"'),
		};
		const added = named({type: 'response.output_item.added', output_index: 0, item: items[kind]});
		const content = [{type: 'output_text', text, annotations: []}];
		const done = named({
			type: 'response.output_item.done',
			output_index: 0,
			item: {...items.text, status: 'completed', content},
		});
		const usage = {input_tokens: input, output_tokens: output, total_tokens: input + output};
		const finish = named({type: 'response.completed', response: {...response, status: 'completed', usage}});
		return {
			begin: named({type: 'response.created', response}) + added + parts[kind],
			delta: deltas[kind],
			end: (kind === 'call' ? deltas.call('"}') : '') + (text === undefined ? '' : done) + finish,
		};
	},
	google(kind) {
		const part = (value, more = {}) =>
			event({candidates: [{content: {role: 'model', parts: [value]}, index: 0, ...more}]});
		const partial = text => ({
			functionCall: {
				partialArgs: [{jsonPath: '$.content', stringValue: text, willContinue: true}],
				willContinue: true,
			},
		});
		const deltas = {
			text: text => part({text}),
			thought: text => part({text, thought: true}),
			call: text => part(partial(text)),
		};
		const ends = {
			text: '',
			thought: deltas.text('Done.'),
			call:
				part({functionCall: {partialArgs: [{jsonPath: '$.content', stringValue: ''}], willContinue: true}}) +
				part({functionCall: {}}),
		};
		return {
			begin: kind === 'call' ? part({functionCall: {id: 'c', name: 'write_file', willContinue: true}}) : '',
			delta: deltas[kind],
			end: ends[kind] + part({text: ''}, {finishReason: 'STOP'}),
		};
	},
};

/** Returns an event of a chat completion. */
export function chatChunk(delta, finish = null) {
	return event({...chatHead, choices: [{index: 0, delta, finish_reason: finish}]});
}

const chatHead = {id: 'answer', object: 'chat.completion.chunk', created: 1, model: 'bench-model'};
const fewTokens = {input: 1, output: 2};

function named(value) {
	return `event: ${value.type}\n${event(value)}`;
}

function event(value) {
	return `data: ${JSON.stringify(value)}\n\n`;
}
