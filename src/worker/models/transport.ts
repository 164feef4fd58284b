import {createHash} from 'node:crypto';

/** What a request tells of itself while it is on its way. */
export type TransportWatch = {
	/** Just before the body is sent: its sha256 in hex. */
	readonly onSent: (hash: string) => void;
	/** Headers or bytes came in: also keep-alive comments that never become a part. */
	readonly onBytes: () => void;
};

/**
A fetch for one model request. It hashes the exact body, reports every sign of life, follows no redirect
(a key must not travel to a host that the person did not name), and has no time limits of its own:
Node's would end a slow local model after 300 s, and the stall timeout governs.
*/
export function createTransport(watch: TransportWatch, base?: typeof globalThis.fetch): typeof globalThis.fetch {
	return async (input, init) => {
		if (typeof init?.body !== 'string') throw new TypeError('A model request has a text body.');
		watch.onSent(createHash('sha256').update(init.body).digest('hex'));
		const response = await (base ?? patientFetch)(input, {...init, redirect: 'manual'});
		watch.onBytes();
		if (response.body === null) return response;
		const body = inBatches(response.body, watch.onBytes);
		return new Response(body, {status: response.status, statusText: response.statusText, headers: response.headers});
	};
}

/**
The same bytes, in at most some twenty-five pieces a second: every piece goes through a chain of streams behind here, and a model sends one for every word.
What comes after a pause goes through at once.
*/
function inBatches(body: ReadableStream<Uint8Array>, onBytes: () => void): ReadableStream<Uint8Array> {
	const reader = body.getReader();
	let next: Promise<ReadableStreamReadResult<Uint8Array>> | undefined;
	let givenAt = Number.NEGATIVE_INFINITY;
	const read = async () => {
		const result = await reader.read();
		if (!result.done) onBytes();
		return result;
	};

	async function gather(first: Uint8Array): Promise<readonly Uint8Array[]> {
		const pieces = [first];
		const rest = givenAt + batchMs - performance.now();
		if (rest <= 0) return pieces;
		const over = delay(rest);
		for (let bytes = first.length; bytes < batchBytes; ) {
			next ??= read();
			// What breaks the stream is the next piece: the ones before it are given first.
			const found = await Promise.race([next.catch(() => undefined), over.promise]);
			if (found === undefined || found.done) break;
			next = undefined;
			pieces.push(found.value);
			bytes += found.value.length;
		}
		over.cancel();
		return pieces;
	}

	return new ReadableStream<Uint8Array>({
		async pull(controller) {
			const found = await (next ?? read());
			next = undefined;
			if (found.done) {
				controller.close();
				return;
			}
			const pieces = await gather(found.value);
			givenAt = performance.now();
			controller.enqueue(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces));
		},
		cancel: async reason => reader.cancel(reason),
	}, {highWaterMark: 0});
}

/** About as long as a screen shows one frame of an answer. */
const batchMs = 40;
/** So much is no word, and need not wait. */
const batchBytes = 16 * 1024;

function delay(ms: number): {readonly promise: Promise<undefined>; cancel(): void} {
	const {promise, resolve} = Promise.withResolvers<undefined>();
	const timer = setTimeout(resolve, ms, undefined);
	return {
		promise,
		cancel() {
			clearTimeout(timer);
			resolve(undefined);
		},
	};
}

type Dispatcher = {dispatch(options: object, handler: object): boolean};

/** The place where Node's own fetch keeps its dispatcher, shared with every copy of undici. */
const dispatcherKey = Symbol.for('undici.globalDispatcher.1');

/**
Node's fetch without header and body timeouts. The limits are set on each dispatch, so the global dispatcher,
and with it a proxy that the person configured, stays in use.
*/
const patientFetch: typeof globalThis.fetch = async (input, init) => {
	const dispatcher: Dispatcher = {
		dispatch(options, handler) {
			const node = (globalThis as unknown as Record<symbol, Dispatcher>)[dispatcherKey];
			if (node === undefined) throw new Error('This Node has no global dispatcher for fetch.');
			return node.dispatch({...options, headersTimeout: 0, bodyTimeout: 0}, handler);
		},
	};
	return fetch(input, {...init, dispatcher} as RequestInit);
};
