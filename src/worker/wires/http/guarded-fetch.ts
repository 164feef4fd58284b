import {answerBounds, bounded, boundedError, type Bounds} from './bounds.ts';
import {IgnoredPlaces} from './ignored-places.ts';
import type {CertificatePlaces, Network} from './network.ts';
import {AnswerRefused, refusalIn} from './refusal.ts';
import {streamOf, type Source} from './source.ts';
import {undecodedFetch, type Undecoded} from './undecoded-fetch.ts';

/** An answer of a guarded fetch. Its body is read through `source`, never through the response. */
type GuardedAnswer = {readonly response: Response; readonly source: Source | undefined};

type GuardOptions = {
	readonly bounds?: Bounds;
	/** A fetch that replaces the network. */
	readonly base?: typeof fetch | undefined;
	readonly network?: Network | undefined;
};

/**
Returns a fetch for servers that may be hostile. It decodes and bounds the body. If the body is too large or cannot be
decoded, the read rejects with `AnswerRefused` and the connection is closed. It follows no redirects: a key must not
reach a host that the user did not name.
*/
export async function openGuarded(
	input: Parameters<typeof fetch>[0],
	init?: RequestInit,
	{bounds = answerBounds, base, network}: GuardOptions = {},
): Promise<GuardedAnswer> {
	const {response, encodings, onRead} =
		base === undefined
			? await sendOver(network, input, init)
			: await withoutEncoding(base(input, {...init, redirect: 'manual'}));
	if (response.body === null) return {response, source: undefined};
	const source = reported(response.body.getReader(), onRead);
	try {
		if (response.status > 599) throw new AnswerRefused('bad_status', String(response.status));
		const whole = encodings === '' ? source : (await import('./decode.ts')).decoded(source, encodings);
		return {response, source: response.status >= 300 ? boundedError(whole) : bounded(whole, bounds)};
	} catch (error) {
		await source.cancel(error).catch(() => {});
		throw error;
	}
}

/** Returns `openGuarded` in the form of a `fetch` function. */
export function createGuardedFetch(bounds: Bounds, network?: Network): typeof fetch {
	return async (input, init) => {
		const {response, source} = await openGuarded(input, init, {bounds, network});
		return source === undefined ? response : withBody(response, streamOf(source));
	};
}

/** Returns the same answer with a decoded body. */
export function withBody({status, statusText, headers}: Response, body: ReadableStream<Uint8Array>): Response {
	return new Response(body, {status, statusText, headers});
}

/** The code for certificates and proxies is loaded only when the user has any. */
async function sendOver(network: Network | undefined, ...request: Parameters<typeof fetch>): Promise<Undecoded> {
	const {certificates, proxies} = network ?? {};
	const problems = certificates === undefined ? [] : await trust(certificates);
	try {
		if (proxies === undefined) return await undecodedFetch(...request);
		const {proxiedFetch} = await import('./outgoing.ts');
		return await proxiedFetch(...request, proxies);
	} catch (error) {
		throw problems.length === 0
			? error
			: new TypeError('fetch failed', {cause: new IgnoredPlaces(problems, error)});
	}
}

async function trust(places: CertificatePlaces): Promise<readonly string[]> {
	const {trustCertificates} = await import('./outgoing.ts');
	return trustCertificates(places);
}

async function withoutEncoding(answer: Promise<Response>): Promise<Undecoded> {
	return {response: await answer, encodings: '', onRead() {}};
}

/**
Returns the same bytes, and calls `onRead` for each piece. fetch wraps the errors of its body; this throws a refusal
unwrapped.
*/
function reported(source: Source, onRead: Undecoded['onRead']): Source {
	return {
		async read() {
			const piece = await source.read().catch((error: unknown) => {
				throw refusalIn(error) ?? error;
			});
			if (!piece.done) onRead(piece.value.length);
			return piece;
		},
		cancel: async reason => source.cancel(reason),
	};
}
