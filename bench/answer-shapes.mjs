// The answers that answers.mjs measures, as each wire sends them.

export const wires = ['openai-compatible', 'anthropic', 'openai', 'google'];

/**
The forms in which a server may send an answer. `kind` is the long part, `size` is the number of characters in a delta,
and `text` is the share of these characters that inkpod keeps. inkpod truncates an answer at 8 MB.
*/
export const shapes = {
	'text, 8 a delta': {kind: 'text', size: 8},
	'text, 100 a delta': {kind: 'text', size: 100},
	'text, 10,000 a delta': {kind: 'text', size: 10_000},
	'text, 1,000,000 a delta': {kind: 'text', size: 1_000_000},
	'text, 7 MB kept': {kind: 'text', size: 100, most: 7 * 2 ** 20},
	'text, one event': {kind: 'text', size: Infinity},
	'thoughts, 100 a delta': {kind: 'thought', size: 100},
	'thoughts, 10,000 a delta': {kind: 'thought', size: 10_000},
	'call, 100 a delta': {kind: 'call', size: 100},
	'call, 10,000 a delta': {kind: 'call', size: 10_000},
	'call, 7 MB kept': {kind: 'call', size: 10_000, most: 7 * 2 ** 20},
};

const prose = 'The quick brown fox jumps over the lazy dog, and then it rests for a while.\n';
const long = prose.repeat(Math.ceil((20 * 2 ** 20) / prose.length));

/** Yields the pieces of an answer with about this many bytes. */
export function* answerOf(wire, name, bytes) {
	const {kind, size, most = bytes} = shapes[name] ?? {kind: 'text', size: 8};
	const {begin, delta, end} = speeches[wire](kind);
	const overhead = Buffer.byteLength(delta(''));
	const width = Math.min(size, Math.max(8, bytes - overhead - 64));
	const count = bytes === 0 ? 1 : Math.max(1, Math.floor(Math.min(bytes / (overhead + width), most / width)));
	yield begin;
	let batch = '';
	for (let at = 0; at < count; at++) {
		const from = (at * width) % (long.length - width);
		batch += delta(
			bytes === 0 ? 'endofwork' : long.slice(from, from + width).replaceAll('\n', kind === 'call' ? ' ' : '\n'),
		);
		if (batch.length < 65_536) continue;
		yield batch;
		batch = '';
	}
	yield batch + end;
}

const event = value => `data: ${JSON.stringify(value)}\n\n`;
const named = value => `event: ${value.type}\n${event(value)}`;

const speeches = {
	'openai-compatible'(kind) {
		const chunk = delta => event({choices: [{index: 0, delta, finish_reason: null}]});
		const call = args => ({tool_calls: [{index: 0, ...args}]});
		const begins = {
			call: chunk(
				call({id: 'call_1', type: 'function', function: {name: 'write_file', arguments: '{"content":"'}}),
			),
		};
		const deltas = {
			text: content => chunk({content}),
			thought: text => chunk({reasoning_content: text}),
			call: text => chunk(call({function: {arguments: text}})),
		};
		const ends = {call: chunk(call({function: {arguments: '"}'}})), thought: chunk({content: 'Done.'})};
		const finish = {choices: [{index: 0, delta: {}, finish_reason: kind === 'call' ? 'tool_calls' : 'stop'}]};
		return {
			begin: begins[kind] ?? '',
			delta: deltas[kind],
			end: `${ends[kind] ?? ''}${event(finish)}data: [DONE]\n\n`,
		};
	},
	anthropic(kind) {
		const message = {id: 'm', type: 'message', role: 'assistant', model: 'm', content: []};
		const start = named({
			type: 'message_start',
			message: {...message, stop_reason: null, stop_sequence: null, usage: {input_tokens: 1, output_tokens: 1}},
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
				named({type: 'message_delta', delta, usage: {output_tokens: 2}}) +
				named({type: 'message_stop'}),
		};
	},
	openai(kind) {
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
		const usage = {input_tokens: 1, output_tokens: 1, total_tokens: 2};
		const finish = named({type: 'response.completed', response: {...response, status: 'completed', usage}});
		return {
			begin: named({type: 'response.created', response}) + added + parts[kind],
			delta: deltas[kind],
			end: (kind === 'call' ? deltas.call('"}') : '') + finish,
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
