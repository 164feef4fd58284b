import {en} from '../../../language/index.ts';
import {createGuardedFetch, type Network} from '../../../worker/index.ts';
import {createFloodMeter} from './flood-meter.ts';
import {createChangeFinder, type ListName} from './list-changes.ts';
import {createEventCounter, createListCounter, createValueCounter} from './message-counter.ts';

/** The maximum number of bytes of a server's message or HTTP answer. A longer message or answer ends the connection. */
export const maxMessageBytes = 16 * 1024 * 1024;

/** The number of milliseconds that inkpod waits for a server to learn that the session is over. */
const farewellMs = 1000;

/**
Creates a `fetch` function for one MCP server. An answer may have at most `maxBytes`. All answers together have no more
messages and values than the flood meter allows, because each of them takes time. At a limit, a stream of events ends
instead of failing. If it ends without the answer to its request, the request gets an error, because nothing else would
report the end.
*/
export function boundedFetch(
	maxBytes: number = maxMessageBytes,
	base: typeof globalThis.fetch = unlimitedFetch(undefined),
	onListChanged: (list: ListName) => void = () => {},
): typeof globalThis.fetch {
	let replies = 0;
	const flood = createFloodMeter();
	const send = async (...[input, init]: Parameters<typeof fetch>): Promise<Response> => {
		if (!isReply(init?.body)) return base(input, init);
		if (replies >= maxReplies) throw new Error(en`it asks for too much at once`);
		replies += 1;
		try {
			return await base(input, init);
		} finally {
			replies -= 1;
		}
	};
	return async (input, init) => {
		const signal = init?.method === 'DELETE' ? AbortSignal.timeout(farewellMs) : init?.signal;
		const response = await send(input, {...init, ...(signal && {signal})});
		if (response.body === null) return response;
		const isStream = response.headers.get('content-type')?.includes('text/event-stream') === true;
		const last = isStream ? unanswered(init?.body) : undefined;
		const counter = isStream ? createEventCounter() : createListCounter();
		const values = createValueCounter();
		const findChange = isStream ? createChangeFinder(onListChanged) : undefined;
		const whyFlood = (piece: Uint8Array) => {
			findChange?.(piece);
			return flood.count({unasked: counter.count(piece), values: values.count(piece)});
		};
		return new Response(bounded(response.body, {maxBytes, isStream, whyFlood, last}), {
			status: response.status,
			statusText: response.statusText,
			headers: response.headers,
		});
	};
}

/**
A fetch without a limit of its own. inkpod counts the bytes itself, so that a stream that is too long ends without an
error.
*/
export function unlimitedFetch(network: Network | undefined): typeof globalThis.fetch {
	return createGuardedFetch({maxBytes: Number.POSITIVE_INFINITY}, network);
}

/**
The maximum number of a server's own requests that are refused at a time. Further requests of the server get no answer.
*/
const maxReplies = 16;

function isReply(body: unknown): boolean {
	return typeof body === 'string' && !Object.hasOwn(JSON.parse(body) as object, 'method');
}

/**
`isStream`: whether the answer is a stream of events. `whyFlood` returns why a piece has too many messages. `last` is
the event that ends a stream.
*/
type AnswerBounds = {
	readonly maxBytes: number;
	readonly isStream: boolean;
	readonly whyFlood: (piece: Uint8Array) => string | undefined;
	readonly last: Uint8Array | undefined;
};

function bounded(
	body: ReadableStream<Uint8Array>,
	{maxBytes, isStream, whyFlood, last}: AnswerBounds,
): ReadableStream<Uint8Array> {
	const reader = body.getReader();
	let total = 0;
	return new ReadableStream({
		async pull(controller) {
			try {
				const {done, value} = await reader.read();
				total += value?.length ?? 0;
				const tooLong = total > maxBytes ? en`it sent an answer of more than ${maxBytes} bytes` : undefined;
				const why = value === undefined ? undefined : (tooLong ?? whyFlood(value));
				if (!done && why === undefined) return controller.enqueue(value);
				if (!done) await reader.cancel().catch(() => {});
				if (why !== undefined && !isStream) return controller.error(new Error(why));
			} catch (error) {
				if (!isStream) return controller.error(error);
			}
			if (last !== undefined) controller.enqueue(last);
			controller.close();
		},
		async cancel() {
			await reader.cancel().catch(() => {});
		},
	});
}

/**
Returns an event that answers the request in this body with an error. The client ignores this event after a real answer.
*/
function unanswered(body: unknown): Uint8Array | undefined {
	if (typeof body !== 'string') return undefined;
	const {id} = JSON.parse(body) as {readonly id?: unknown};
	if (id === undefined) return undefined;
	const answer = {
		jsonrpc: '2.0',
		id,
		error: {code: endedWithout, message: en`the connection ended before the answer came`},
	};
	return new TextEncoder().encode(`\n\ndata: ${JSON.stringify(answer)}\n\n`);
}

/** The code of such an answer. JSON-RPC leaves this range to implementations. */
export const endedWithout = -32_099;
