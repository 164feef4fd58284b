import {createGuardedFetch, type Network} from '../../worker/index.ts';
import {createFloodMeter, type FloodMeter} from './flood-meter.ts';

/** The maximum bytes of a server's message or HTTP answer. A longer one ends the connection. */
export const maxMessageBytes = 16 * 1024 * 1024;

/** Milliseconds to tell a server that the session is over. */
const farewellMs = 1000;

/**
Creates a fetch for one MCP server. No answer is longer than `maxBytes`.
All streams together have no more events than the flood meter allows, because each event takes time.
A stream of events ends instead of failing.
If it ends without the answer to its request, the request gets an error, because nothing else would report the end.
*/
export function boundedFetch(
	maxBytes: number = maxMessageBytes,
	base: typeof globalThis.fetch = unlimitedFetch(undefined),
): typeof globalThis.fetch {
	let replies = 0;
	const flood = createFloodMeter();
	const send = async (...[input, init]: Parameters<typeof fetch>): Promise<Response> => {
		if (!isReply(init?.body)) return base(input, init);
		if (replies >= maxReplies) throw new Error('it asks for too much at once');
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
		return new Response(bounded(response.body, {maxBytes, last, ...(isStream && {flood})}), {
			status: response.status,
			statusText: response.statusText,
			headers: response.headers,
		});
	};
}

/**
A fetch without its own limit. inkpod counts bytes itself, so that a stream that is too long ends without an error.
*/
export function unlimitedFetch(network: Network | undefined): typeof globalThis.fetch {
	return createGuardedFetch({maxBytes: Number.POSITIVE_INFINITY}, network);
}

/** The maximum number of a server's own requests that are refused at a time. Further requests get no answer. */
const maxReplies = 16;

function isReply(body: unknown): boolean {
	return typeof body === 'string' && body.length < 1024 && !Object.hasOwn(JSON.parse(body) as object, 'method');
}

/** `flood` is the meter of a stream of events. `last` returns the event that ends it. */
type StreamBounds = {
	readonly maxBytes: number;
	readonly flood?: FloodMeter;
	readonly last: Uint8Array | undefined;
};

function bounded(body: ReadableStream<Uint8Array>, {maxBytes, flood, last}: StreamBounds): ReadableStream<Uint8Array> {
	const reader = body.getReader();
	const isStream = flood !== undefined;
	let total = 0;
	return new ReadableStream({
		async pull(controller) {
			try {
				const {done, value} = await reader.read();
				total += value?.length ?? 0;
				const isFlood = value !== undefined && flood?.count({unasked: eventsIn(value)}) !== undefined;
				if (!done && total <= maxBytes && !isFlood) return controller.enqueue(value);
				if (!done) await reader.cancel().catch(() => {});
				if (!done && !isStream)
					return controller.error(new Error(`it sent an answer of more than ${maxBytes} bytes`));
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

/** Counts the lines in these bytes of a stream that begin an event. In the data of an event a newline is escaped. */
function eventsIn(bytes: Uint8Array): number {
	const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	return countOf(text, '\ndata:') + countOf(text, '\rdata:');
}

function countOf(text: Buffer, mark: string): number {
	let count = 0;
	for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) count++;
	return count;
}

/**
Returns an event that answers the request of this body with an error. The client ignores it after a real answer.
*/
function unanswered(body: unknown): Uint8Array | undefined {
	if (typeof body !== 'string') return undefined;
	const {id} = JSON.parse(body) as {readonly id?: unknown};
	if (id === undefined) return undefined;
	const answer = {
		jsonrpc: '2.0',
		id,
		error: {code: endedWithout, message: 'the connection ended before the answer came'},
	};
	return new TextEncoder().encode(`\n\ndata: ${JSON.stringify(answer)}\n\n`);
}

/** The code of such an answer. JSON-RPC leaves this range to implementations. */
export const endedWithout = -32_099;
