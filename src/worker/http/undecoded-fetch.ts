import {AnswerRefused} from './refusal.ts';

/** An answer of Node's fetch that is still encoded, with its content encodings. */
export type Undecoded = {
	readonly response: Response;
	readonly encodings: string;
	/** Reports that bytes of the body were read. The answer is refused when too many bytes wait. */
	readonly onRead: (bytes: number) => void;
};

/**
Node's fetch without header and body timeouts, and without its decoders: with many layers of encoding they throw an
error that cannot be caught. The global dispatcher stays in use, and with it the user's proxy. Redirects are not
followed.

A connection is never paused. If one ends while it is paused, undici 7 in Node 24 throws an error that cannot be caught
(`assert(!this.paused)`, nodejs/undici#5360, fixed in undici 8), and a handler cannot slow a server down in another way.
So unread bytes wait in memory, up to a limit for each answer, until the answer is read or dropped.
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
	// Node's fetch accepts a dispatcher; its type has all methods, but fetch calls only this one.
	Reflect.set(options, 'dispatcher', dispatcher);
	const response = await fetch(input, options);
	return {response, encodings, onRead: waiting.onRead};
}

/** The handler that fetch passes to a dispatcher. It keeps its state on `this`, so a wrapper must inherit from it. */
type Handler = {onHeaders?: OnHeaders; onConnect?: OnConnect; onData?: OnData};
type OnConnect = (abort: (reason?: Error) => void, context?: unknown) => void;
type OnData = (bytes: Buffer) => boolean | undefined;
type OnHeaders = (status: number, raw: readonly Buffer[], resume: () => void, statusText: string) => boolean;
type Dispatcher = {dispatch(options: object, handler: Handler): boolean};

/** Where Node's own fetch keeps its dispatcher. Every copy of undici shares it. */
const dispatcherKey = Symbol.for('undici.globalDispatcher.1');

function isDispatcher(value: unknown): value is Dispatcher {
	return typeof value === 'object' && value !== null && 'dispatch' in value && typeof value.dispatch === 'function';
}

/** An object that inherits from the handler. */
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

/** Always returns `true`, which means to continue, and ends the request when too many bytes wait. */
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

/** Counts the bytes that were received and not read yet. */
type WaitingMeter = {
	/** Returns whether the bytes are within the limit. */
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

/** The same as the limit of a whole answer. */
const maxWaitingMegabytes = 64;
