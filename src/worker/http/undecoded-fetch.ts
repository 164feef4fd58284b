import {AnswerRefused} from './refusal.ts';

/** Node's fetch, with the content encodings of the answer, which are left in place. */
export type Undecoded = {
	readonly response: Response;
	readonly encodings: string;
	/** Says that bytes of the body were read. What comes is refused when too much waits. */
	readonly taken: (bytes: number) => void;
};

/**
Node's fetch without header and body timeouts, and without its decoders: an answer in many layers makes it throw where
nobody can catch.
The global dispatcher stays in use, and with it a proxy that the user configured. Follows no redirect.

Never pauses a connection: where one ends while it is paused, undici 7 in Node 24 throws where nobody can catch
(`assert(!this.paused)`, nodejs/undici#5360, mended in undici 8 only), and it gives a handler no other way to slow a
server down.
So what is not read waits in memory, up to a limit for each answer, until the answer is read or dropped.
*/
export async function undecodedFetch(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Undecoded> {
	let encodings = '';
	const waiting = createWaitingMeter();
	const dispatcher: Dispatcher = {
		dispatch(options, handler) {
			const node = (globalThis as unknown as Record<symbol, Dispatcher>)[dispatcherKey];
			if (node === undefined) throw new Error('This Node has no global dispatcher for fetch.');
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
	const response = await fetch(input, {...init, headers, redirect: 'manual', dispatcher} as RequestInit);
	return {response, encodings, taken: waiting.taken};
}

/** What fetch gives a dispatcher. It keeps its state on `this`, so a guard of it must inherit from it. */
type Handler = {onHeaders?: OnHeaders; onConnect?: OnConnect; onData?: OnData};
type OnConnect = (abort: (reason?: Error) => void, context?: unknown) => void;
type OnData = (bytes: Buffer) => boolean | undefined;
type OnHeaders = (status: number, raw: readonly Buffer[], resume: () => void, statusText: string) => boolean;
type Dispatcher = {dispatch(options: object, handler: Handler): boolean};

/** The place where Node's own fetch keeps its dispatcher, shared with every copy of undici. */
const dispatcherKey = Symbol.for('undici.globalDispatcher.1');

function withoutEncodings(handler: Handler, onFound: (encodings: string) => void): Handler {
	const {onHeaders} = handler;
	if (onHeaders === undefined) return handler;
	const guarded = Object.create(handler) as Handler;
	guarded.onHeaders = function (status, raw, resume, statusText) {
		const kept: Buffer[] = [];
		const found: string[] = [];
		for (let at = 0; at + 1 < raw.length; at += 2) {
			if (String(raw[at]).toLowerCase() === 'content-encoding') found.push(String(raw[at + 1]));
			else kept.push(raw[at]!, raw[at + 1]!);
		}
		onFound(found.join(','));
		return onHeaders.call(this, status, kept, resume, statusText);
	};
	return guarded;
}

/** Answers `true` to whatever comes, which means to go on, and ends the request when too much of it waits. */
function withoutPauses(handler: Handler, waiting: WaitingMeter): Handler {
	const {onConnect, onData} = handler;
	if (onConnect === undefined || onData === undefined) return handler;
	const guarded = Object.create(handler) as Handler;
	let abort: Parameters<OnConnect>[0] | undefined;
	guarded.onConnect = function (abortRequest, context) {
		abort = abortRequest;
		onConnect.call(this, abortRequest, context);
	};
	guarded.onData = function (bytes) {
		if (waiting.came(bytes.length)) onData.call(this, bytes);
		else abort?.(new AnswerRefused('answer_too_large', `${maxWaitingMegabytes} MB`));
		return true;
	};
	return guarded;
}

/** Bytes that came and were not read yet. */
type WaitingMeter = {
	/** Answers whether they are few enough. */
	readonly came: (bytes: number) => boolean;
	readonly taken: (bytes: number) => void;
};

function createWaitingMeter(): WaitingMeter {
	let waiting = 0;
	return {
		came(bytes) {
			waiting += bytes;
			return waiting <= maxWaitingMegabytes * 1024 * 1024;
		},
		taken(bytes) {
			waiting -= bytes;
		},
	};
}

/** As much as a whole answer of a model may have. */
const maxWaitingMegabytes = 64;
