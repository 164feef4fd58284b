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
The same bytes, in at most some twenty pieces a second: every piece goes through a chain of streams behind here, and a model sends one for every word.
What comes after a pause goes through at once. What breaks the stream comes behind all that was read before.
*/
function inBatches(body: ReadableStream<Uint8Array>, onBytes: () => void): ReadableStream<Uint8Array> {
	const reader = body.getReader();
	let pieces: Uint8Array[] = [];
	let bytes = 0;
	let givenAt = Number.NEGATIVE_INFINITY;
	let due: NodeJS.Timeout | undefined;
	let asked: Asked | undefined;
	let room: PromiseWithResolvers<void> | undefined;
	let end: {readonly error?: unknown} | undefined;

	async function readOn(): Promise<void> {
		try {
			for (let found = await reader.read(); !found.done; found = await reader.read()) {
				onBytes();
				pieces.push(found.value);
				bytes += found.value.length;
				offer();
				if (bytes >= batchBytes) await (room = Promise.withResolvers()).promise;
			}
			end = {};
		} catch (error) {
			end = {error};
		}
		offer();
	}

	/** Gives what is here to who asks, once it is time. */
	function offer(): void {
		if (asked === undefined) return;
		const rest = bytes >= batchBytes || end !== undefined ? 0 : givenAt + batchMs - performance.now();
		if (bytes > 0 && rest > 0) due ??= setTimeout(give, rest);
		else if (bytes > 0) give();
		else if (end !== undefined && 'error' in end) asked.controller.error(end.error);
		else if (end !== undefined) {
			asked.controller.close();
			asked.done();
		}
	}

	function give(): void {
		clearTimeout(due);
		due = undefined;
		const {controller, done} = asked!;
		controller.enqueue(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces));
		asked = undefined;
		pieces = [];
		bytes = 0;
		givenAt = performance.now();
		room?.resolve();
		done();
	}

	return new ReadableStream<Uint8Array>({
		start: () => void readOn(),
		pull: async controller => new Promise(done => {
			asked = {controller, done};
			offer();
		}),
		async cancel(reason) {
			clearTimeout(due);
			asked = undefined;
			room?.resolve();
			await reader.cancel(reason);
		},
	}, {highWaterMark: 0});
}

type Asked = {readonly controller: ReadableStreamDefaultController<Uint8Array>; readonly done: () => void};

/** About as long as a screen shows one frame of an answer. */
const batchMs = 48;
/** So much is no word, and need not wait. */
const batchBytes = 16 * 1024;

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
