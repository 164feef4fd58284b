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
		const body = response.body.pipeThrough(
			new TransformStream<Uint8Array, Uint8Array>({
				transform(chunk, controller) {
					watch.onBytes();
					controller.enqueue(chunk);
				},
			}),
		);
		return new Response(body, {status: response.status, statusText: response.statusText, headers: response.headers});
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
