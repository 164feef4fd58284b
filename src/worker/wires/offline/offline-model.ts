import {createHash} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Model, ModelEvent, ModelRequest} from '../../history/model.ts';
import {canonicalJson} from '../canonical-json.ts';
import {aborted} from '../failure.ts';
import {offlineFailed} from '../texts.ts';
import type {Call} from './call.ts';
import type {GuideTool} from './guide-tools.ts';
import {replyTo} from './reply.ts';

/**
`tools`: the tools that the guide uses if a session offers them. `delayMs`: the pause between two pieces of the stream.
`chunk`: the number of code points in a piece.
*/
type OfflineOptions = {
	readonly tools?: readonly GuideTool[];
	readonly delayMs?: number;
	readonly chunk?: number;
};

/**
Creates the built-in guide, which works by rules, without a language model, a key or a network. The guide reports the
contents of its request and calls the tools of the session. The same request always gives the same answer.
*/
export function offlineModel({tools = [], delayMs = 12, chunk = 16}: OfflineOptions = {}): Model {
	return {
		name: 'offline',
		async *stream(request, signal) {
			try {
				yield* paced(eventsOf(request, tools, chunk), delayMs, signal);
			} catch (cause) {
				yield {
					type: 'error',
					error: signal.aborted
						? aborted()
						: {
								reason: 'other',
								message: offlineFailed,
								retryable: false,
								cause,
							},
				};
			}
		},
	};
}

async function* paced(events: Iterable<ModelEvent>, delayMs: number, signal: AbortSignal): AsyncGenerator<ModelEvent> {
	for (const event of events) {
		signal.throwIfAborted();
		if (delayMs > 0 && event.type === 'delta') await sleep(delayMs, undefined, {signal});
		yield event;
	}
}

function* eventsOf(request: ModelRequest, tools: readonly GuideTool[], chunk: number): Generator<ModelEvent> {
	const hash = createHash('sha256').update(canonicalJson(request)).digest('hex');
	yield {type: 'sending', hash};
	const {text, calls} = replyTo(request, tools);
	if (text !== '') yield* partEvents('text', {type: 'text'}, text, chunk);
	for (const [index, call] of calls.entries())
		yield* callEvents(call, `offline_${hash.slice(0, 12)}_${index + 1}`, chunk);
	yield {type: 'finish', stop: calls.length > 0 ? 'tool_calls' : 'end', usage: {}};
}

function* callEvents({name, args}: Call, callId: string, chunk: number): Generator<ModelEvent> {
	yield* partEvents(callId, {type: 'tool_call', callId, name}, JSON.stringify(args), chunk);
}

function* partEvents(
	key: string,
	part: Extract<ModelEvent, {type: 'start'}>['part'],
	text: string,
	chunk: number,
): Generator<ModelEvent> {
	yield {type: 'start', key, part};
	const points = Array.from(text);
	for (let at = 0; at < points.length; at += chunk)
		yield {type: 'delta', key, text: points.slice(at, at + chunk).join('')};
	yield {type: 'end', key};
}
