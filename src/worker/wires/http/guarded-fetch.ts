import {answerBounds, bounded, boundedError, type Bounds} from './bounds.ts';
import type {Outgoing, Undecoded} from './exchange.ts';
import type * as Connections from './outgoing.ts';
import {IgnoredPlaces} from './ignored-places.ts';
import type {Network} from './network.ts';
import {AnswerRefused, refusalIn} from './refusal.ts';
import {streamOf, type Source} from './source.ts';

/** The beginning of an answer. `source` reads its body, decoded and within bounds. */
type GuardedAnswer = Omit<Undecoded, 'encodings'>;

type GuardOptions = {
	readonly bounds?: Bounds;
	/** A fetch function that is used instead of the network. */
	readonly base?: typeof fetch | undefined;
	readonly network?: Network | undefined;
};

/**
Sends a request to a server that may be hostile. The body of the answer is decoded, and its size is limited. If the body
is too large or cannot be decoded, the read rejects with `AnswerRefused` and the connection is closed. No redirect is
followed: a key must not reach a host that the user did not name.
*/
export async function openGuarded(
	url: URL | string,
	outgoing: Outgoing = {},
	{bounds = answerBounds, base, network}: GuardOptions = {},
): Promise<GuardedAnswer> {
	const {encodings, ...answer} = await (base === undefined
		? sendOver(network, new URL(url), outgoing)
		: sendWith(base, url, outgoing));
	const {status, source} = answer;
	if (source === undefined) return answer;
	try {
		if (status > 599) throw new AnswerRefused('bad_status', String(status));
		const whole = encodings === '' ? source : (await import('./decode.ts')).decoded(source, encodings);
		return {...answer, source: status >= 300 ? boundedError(whole) : bounded(whole, bounds)};
	} catch (error) {
		await source.cancel(error).catch(() => {});
		throw error;
	}
}

/** Returns `openGuarded` in the form of a `fetch` function. */
export function createGuardedFetch(bounds: Bounds, network?: Network): typeof fetch {
	return async (input, init) => {
		// The signal is passed separately, because a Request has only a weak reference to its signal.
		const request = new Request(input, {...init, signal: null});
		const outgoing = {
			method: request.method,
			headers: Object.fromEntries(request.headers),
			...(request.body !== null && {body: new Uint8Array(await request.arrayBuffer())}),
			signal: init?.signal ?? (input instanceof Request ? input.signal : undefined),
		};
		const answer = await openGuarded(request.url, outgoing, {bounds, network});
		return responseOf(answer, answer.source === undefined ? null : streamOf(answer.source));
	};
}

/** Returns a `Response` with the status and headers of an answer and with this body. */
export function responseOf(
	{status, statusText, headers}: GuardedAnswer,
	body: ReadableStream<Uint8Array> | null,
): Response {
	return new Response(body, {status, statusText, headers});
}

/** Loads the code for connections, so that the first request need not wait for it. */
export async function loadConnections(): Promise<typeof Connections> {
	return import('./outgoing.ts');
}

/**
Opens a connection for a request that follows soon. Nothing is sent over the connection. If the connection fails, the
request reports the failure.
*/
export async function connectEarly(url: URL, network?: Network): Promise<void> {
	try {
		const {connect, trustCertificates} = await loadConnections();
		if (network?.certificates !== undefined) await trustCertificates(network.certificates);
		await connect(url, network);
	} catch {
		// The request that follows fails in the same way, and reports the failure.
	}
}

async function sendOver(network: Network | undefined, url: URL, outgoing: Outgoing): Promise<Undecoded> {
	const {send, trustCertificates} = await loadConnections();
	const problems = network?.certificates === undefined ? [] : await trustCertificates(network.certificates);
	try {
		return await send(url, outgoing, network);
	} catch (error) {
		throw problems.length === 0
			? error
			: new TypeError('fetch failed', {cause: new IgnoredPlaces(problems, error)});
	}
}

async function sendWith(base: typeof fetch, url: URL | string, outgoing: Outgoing): Promise<Undecoded> {
	const {signal = null, body = null, onConnect: _, ...init} = outgoing;
	const isWhole = typeof body === 'string' || body instanceof Uint8Array || body === null;
	const whole = isWhole ? body : Buffer.concat(body).toString();
	const options: RequestInit = {...init, body: whole, signal, redirect: 'manual'};
	const {status, statusText, headers, body: stream} = await base(url, options);
	const source = stream === null ? undefined : unwrapped(stream.getReader());
	return {status, statusText, headers: Object.fromEntries(headers), encodings: '', source};
}

/**
Returns a source that throws an `AnswerRefused` itself. A stream of fetch would throw an error that wraps the
`AnswerRefused`.
*/
function unwrapped(source: Source): Source {
	return {
		async read() {
			return source.read().catch((error: unknown) => {
				throw refusalIn(error) ?? error;
			});
		},
		cancel: async reason => source.cancel(reason),
	};
}
