import {AnswerRefused} from './refusal.ts';

/** An answer of Node's fetch before decoding, with its content encodings. */
export type Undecoded = {
	readonly response: Response;
	readonly encodings: string;
	/** Reports that bytes of the body were read. If too many unread bytes wait, the answer is refused. */
	readonly onRead: (bytes: number) => void;
};

/**
Uses Node's fetch without header and body timeouts, and without its decoders. The decoders throw an error that cannot be
caught when a body has many layers of encoding. It follows no redirects. (For users with a proxy, `proxiedFetch` is
used.)

It never pauses a connection. If a connection ends while it is paused, undici 7 in Node 24 throws an error that cannot
be caught (`assert(!this.paused)`, nodejs/undici#5360, fixed in undici 8). A handler has no other way to slow a server
down. So unread bytes wait in memory until the answer is read or dropped. The size of each answer is limited.
*/
export async function undecodedFetch(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Undecoded> {
	let encodings = '';
	const waiting = createWaitingMeter();
	const dispatcher: Dispatcher = {
		dispatch(options, handler) {
			const node: unknown = Reflect.get(globalThis, dispatcherKey);
			if (!isDispatcher(node)) throw new Error('This Node has no global dispatcher for fetch.');
			const guarded = withoutPauses(
				withoutEncodings(handler, found => {
					encodings = found;
				}),
				waiting,
			);
			return node.dispatch({...options, headersTimeout: 0, bodyTimeout: 0}, guarded);
		},
	};
	const headers = new Headers(init?.headers);
	headers.set('accept-encoding', 'identity');
	const options: RequestInit = {...init, headers, redirect: 'manual'};
	// Node's type of a dispatcher has all methods, but fetch calls only this one.
	Reflect.set(options, 'dispatcher', dispatcher);
	const response = await fetch(input, options);
	return {response, encodings, onRead: waiting.onRead};
}

/**
The handler that fetch passes to a dispatcher. The handler keeps its state on `this`, so a wrapper must inherit from it.
*/
type Handler = {onHeaders?: OnHeaders; onConnect?: OnConnect; onData?: OnData};
type OnConnect = (abort: (reason?: Error) => void, context?: unknown) => void;
type OnData = (bytes: Buffer) => boolean | undefined;
type OnHeaders = (status: number, raw: readonly Buffer[], resume: () => void, statusText: string) => boolean;
type Dispatcher = {dispatch(options: object, handler: Handler): boolean};

/** The place where Node's own fetch keeps its dispatcher. Every copy of undici shares this place. */
const dispatcherKey = Symbol.for('undici.globalDispatcher.1');

function isDispatcher(value: unknown): value is Dispatcher {
	return typeof value === 'object' && value !== null && 'dispatch' in value && typeof value.dispatch === 'function';
}

/** Returns an object that inherits from the handler. */
function derived(handler: Handler): Handler {
	const made: Handler = Object.create(handler);
	return made;
}

function withoutEncodings(handler: Handler, onFound: (encodings: string) => void): Handler {
	const {onHeaders} = handler;
	if (onHeaders === undefined) return handler;
	const guarded = derived(handler);
	guarded.onHeaders = function (status, raw, resume, statusText) {
		const kept: Buffer[] = [];
		const found: string[] = [];
		for (let at = 0; at + 1 < raw.length; at += 2) {
			const [name, value] = raw.slice(at, at + 2);
			if (String(name).toLowerCase() === 'content-encoding') found.push(String(value));
			else kept.push(...raw.slice(at, at + 2));
		}
		onFound(found.join(','));
		return onHeaders.call(this, status, kept, resume, statusText);
	};
	return guarded;
}

/**
Returns a handler whose methods always return `true`, so the transfer continues. If too many bytes are waiting, it ends
the request.
*/
function withoutPauses(handler: Handler, waiting: WaitingMeter): Handler {
	const {onConnect, onData} = handler;
	if (onConnect === undefined || onData === undefined) return handler;
	const guarded = derived(handler);
	let abort: Parameters<OnConnect>[0] | undefined;
	guarded.onConnect = function (abortRequest, context) {
		abort = abortRequest;
		onConnect.call(this, abortRequest, context);
	};
	guarded.onData = function (bytes) {
		if (waiting.onReceived(bytes.length)) onData.call(this, bytes);
		else abort?.(new AnswerRefused('answer_too_large', `${maxWaitingMegabytes} MB`));
		return true;
	};
	return guarded;
}

/** Counts the bytes that were received and are not read yet. */
type WaitingMeter = {
	/** Returns whether the count is within the limit. */
	readonly onReceived: (bytes: number) => boolean;
	readonly onRead: (bytes: number) => void;
};

function createWaitingMeter(): WaitingMeter {
	let waiting = 0;
	return {
		onReceived(bytes) {
			waiting += bytes;
			return waiting <= maxWaitingMegabytes * 1024 * 1024;
		},
		onRead(bytes) {
			waiting -= bytes;
		},
	};
}

/** The maximum size of unread bytes, which is also the limit of a whole answer. */
const maxWaitingMegabytes = 64;
