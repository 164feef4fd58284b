import type {Model, ModelEvent, ModelRequest, Usage} from '../../src/worker/index.ts';

/**
Creates a model that emits exactly these events, one list for each request, and remembers its requests. After an abort
it emits nothing.
*/
export function eventModel(
	...answers: Array<ModelEvent[] | ((request: ModelRequest) => ModelEvent[] | AsyncIterable<ModelEvent>)>
): Model & {readonly requests: ModelRequest[]} {
	const requests: ModelRequest[] = [];
	return {
		name: 'told/model',
		requests,
		async *stream(request, signal) {
			const answer = answers[requests.length];
			requests.push(structuredClone(request));
			if (answer === undefined) throw new Error('the test told this model no further answer');
			for await (const event of typeof answer === 'function' ? answer(request) : answer) {
				if (signal.aborted) return;
				yield event;
			}
		},
	};
}

const usage: Usage = {input: 10, output: 5};

export const sent: ModelEvent = {type: 'sending', hash: 'f'.repeat(64)};

/** Makes a text part in pieces. */
export function says(...pieces: string[]): ModelEvent[] {
	return [
		{type: 'start', key: 't', part: {type: 'text'}},
		...pieces.map((text): ModelEvent => ({type: 'delta', key: 't', text})),
		{type: 'end', key: 't'},
	];
}

export function thinks(text: string, provider?: Record<string, unknown>): ModelEvent[] {
	return [
		{type: 'start', key: 'r', part: {type: 'reasoning'}},
		{type: 'delta', key: 'r', text},
		{type: 'end', key: 'r', ...(provider && {provider})},
	];
}

export function calls(callId: string, name: string, args: unknown): ModelEvent[] {
	const text = typeof args === 'string' ? args : JSON.stringify(args);
	return [
		{type: 'start', key: callId, part: {type: 'tool_call', callId, name}},
		{type: 'delta', key: callId, text},
		{type: 'end', key: callId, text},
	];
}

/** Makes a whole answer that ends normally. */
export function answer(...parts: ModelEvent[][]): ModelEvent[] {
	const events = parts.flat();
	const stop = events.some(event => event.type === 'start' && event.part.type === 'tool_call') ? 'tool_calls' : 'end';
	return [sent, ...events, {type: 'finish', stop, usage}];
}
