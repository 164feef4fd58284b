import {en} from '../../../language/index.ts';
import {createGuardedFetch, type Network} from '../../../worker/index.ts';
import {createChangeFinder, type ListName} from './link-targets.ts';

/** The numbers of received bytes, messages that inkpod did not request, and JSON values. */
export type Received = {readonly bytes?: number; readonly unasked?: number; readonly values?: number};

/** Limits the amount of data that a server may send within a span of time. */
export type FloodMeter = {
	/** Counts received data. If the amount is too large, returns the end of a sentence about the server. */
	readonly count: (what: Received) => string | undefined;
};

const spanMs = 10_000;

const maxMegabytes = 128;

const maxUnasked = 20_000;

/** The maximum number of JSON values. If that many values are invalid, the errors about them take about 400 MB. */
export const maxValues = 200_000;

/**
Creates a meter. Without a meter, a server that never stops could use all of inkpod's time or memory. `now` returns
milliseconds.
*/
export function createFloodMeter(now: () => number = () => performance.now()): FloodMeter {
	let since = now();
	let total = 0;
	let messages = 0;
	let allValues = 0;
	return {
		count({bytes = 0, unasked = 0, values = 0}) {
			if (now() - since > spanMs) {
				since = now();
				total = 0;
				messages = 0;
				allValues = 0;
			}
			total += bytes;
			messages += unasked;
			allValues += values;
			if (messages > maxUnasked)
				return en`it sent more than ${maxUnasked} unrequested messages in ${spanMs / 1000} s, so inkpod ended
					the connection`;
			if (allValues > maxValues)
				return en`it sent more than ${maxValues} JSON values in ${spanMs / 1000} s, so inkpod ended the connection`;
			if (total > maxMegabytes * 1024 * 1024)
				return en`it sent more than ${maxMegabytes} MB in ${spanMs / 1000} s, so inkpod ended the connection`;
			return undefined;
		},
	};
}

/** The maximum number of bytes of a server's message or HTTP answer. A longer message or answer ends the connection. */
export const maxMessageBytes = 16 * 1024 * 1024;

/**
Creates a `fetch` function for one MCP server. An answer may have at most `maxBytes` bytes. The flood meter limits the
messages and values of all answers together, because each of them takes time. At a limit, a stream of events ends
without an error. At its end the client gets an error answer to the request, because otherwise nothing would report the
end.
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
		if (replies >= maxReplies) throw new Error(en`it sends too many requests at once`);
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
Returns a `fetch` without a size limit. `boundedFetch` counts the bytes instead, so that a stream that is too long ends
without an error.
*/
export function unlimitedFetch(network: Network | undefined): typeof globalThis.fetch {
	return createGuardedFetch({maxBytes: Number.POSITIVE_INFINITY}, network);
}

/**
The error code for a request whose stream ended without an answer. It is in the range that JSON-RPC leaves to
implementations.
*/
export const endedWithout = -32_099;

/** The maximum time of the request that ends the server's session, in milliseconds. */
const farewellMs = 1000;

/**
The maximum number of replies to a server's own requests that inkpod sends at the same time. Further requests of the
server get no reply.
*/
const maxReplies = 16;

function isReply(body: unknown): boolean {
	return typeof body === 'string' && !Object.hasOwn(JSON.parse(body) as object, 'method');
}

/**
`isStream`: whether the answer is a stream of events. `whyFlood`: returns the reason if a piece exceeds a limit of the
flood meter. `last`: the event to add at the end of a stream.
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
Returns an event that answers the request in this body with an error. If the real answer has already arrived, the client
ignores this event.
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

/** Counts messages or values in the pieces of an answer, so that a flood ends before anything parses it. */
type Counter = {
	/** Returns the number in this piece. It may be too low. */
	readonly count: (piece: Uint8Array) => number;
};

/**
Creates a counter for the messages in a stream of events (text/event-stream). It counts the lines that begin with the
field `data`, even if a piece ends inside of a line. The text of a message contains no newline, because JSON escapes
newlines.
*/
function createEventCounter(): Counter {
	let before: Buffer = Buffer.from('\n');
	return {
		count(piece) {
			const text = Buffer.concat([before, piece]);
			let count = 0;
			for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length))
				if (ends.has(text[at - 1] ?? none) && marks.has(text[at + name.length] ?? none)) count++;
			before = Buffer.from(text.subarray(Math.max(0, text.length - name.length - 1)));
			return count;
		},
	};
}

/**
Creates a counter for the messages in a JSON text. For a list, it counts all objects. A single message is not counted.
*/
function createListCounter(): Counter {
	let first: number | undefined;
	return {
		count(piece) {
			first ??= piece.find(byte => !blanks.has(byte));
			if (first !== bracket) return 0;
			let count = 0;
			for (let at = piece.indexOf(brace); at >= 0; at = piece.indexOf(brace, at + 1)) count++;
			return count;
		},
	};
}

/**
Creates a counter for the JSON values in any answer, because a short text can contain very many values. A newline ends a
string, because JSON does not allow a newline in a string.
*/
function createValueCounter(): Counter {
	let isString = false;
	let isEscaped = false;
	return {
		count(piece) {
			let count = 0;
			for (let at = 0; at < piece.length; at++) {
				const byte = piece[at];
				if (byte === newline || byte === carriageReturn) isString = isEscaped = false;
				else if (isEscaped) isEscaped = false;
				else if (byte === quote) isString = !isString;
				else if (isString) isEscaped = byte === backslash;
				else if (byte === comma || byte === colon || byte === brace || byte === bracket) count++;
			}
			return count;
		},
	};
}

const name = 'data';

const [newline, carriageReturn, colon, none] = [0x0a, 0x0d, 0x3a, -1];

const ends: ReadonlySet<number> = new Set([newline, carriageReturn]);

const marks: ReadonlySet<number> = new Set([newline, carriageReturn, colon]);

const [bracket, brace, comma, quote, backslash] = [0x5b, 0x7b, 0x2c, 0x22, 0x5c];

/** The white space of JSON, and the bytes of a byte order mark. */
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, newline, carriageReturn, 0xef, 0xbb, 0xbf]);
