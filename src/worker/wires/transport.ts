import {openGuarded} from './http/guarded-fetch.ts';
import {HttpError} from './http/http-error.ts';
import type {Network} from './http/network.ts';
import {textOf, type Source} from './http/source.ts';
import {endedByAnswer, type EndRule} from './answer-end.ts';
import {inBatches} from './batches.ts';

/** One request to a model. `body` is sent unchanged. */
export type OutgoingRequest = {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
	readonly signal: AbortSignal;
};

/** Callbacks for the progress of a request. */
type TransportListener = {
	/** Called when headers or bytes arrived, including keep-alive comments, which never become a part. */
	readonly onBytes: () => void;
	/** Called when the model has stopped. The answer may then be silent for this many milliseconds until it ends. */
	readonly onFinish?: (ms: number) => void;
};

type TransportOptions = {
	/** A fetch that replaces the network. */
	readonly base?: typeof globalThis.fetch | undefined;
	readonly network?: Network | undefined;
	/** The rule by which the end of the answer is recognised. The bytes end there too. */
	readonly ending?: EndRule | undefined;
};

/** The answer of a server that accepted a request. */
export type IncomingAnswer = {readonly contentType: string | null; readonly source: Source};

/**
Sends a request once and returns its answer. All received bytes are reported. The answer is decoded and its size is
limited (`openGuarded`). There are no time limits, because Node's limits would end a slow local model after 300 s. Only
the stall timeout applies. Rejects with an `HttpError` if the server did not accept the request or sent no body.
*/
export async function sendToModel(
	{url, headers, body, signal}: OutgoingRequest,
	{onBytes, onFinish}: TransportListener,
	{base, network, ending}: TransportOptions = {},
): Promise<IncomingAnswer> {
	signal.throwIfAborted();
	const init = {method: 'POST', headers, body, signal};
	const {response, source} = await openGuarded(url, init, {base, network});
	onBytes();
	if (source === undefined) throw httpError(response, '');
	const heard = reportingBytes(source, onBytes);
	if (!response.ok) throw httpError(response, await textOf(heard));
	const answer = ending === undefined ? heard : endedByAnswer(heard, ending, onFinish);
	return {contentType: response.headers.get('content-type'), source: inBatches(answer)};
}

function httpError({ok, status, statusText, headers}: Response, body: string): HttpError {
	return new HttpError({
		status,
		// The words of a success say nothing about what is wrong.
		statusText: ok ? '' : statusText,
		headers: Object.fromEntries(headers),
		body,
	});
}

/** Returns the same bytes. Keep-alive comments count as received data, although no reader sees them. */
function reportingBytes(source: Source, onBytes: () => void): Source {
	return {
		async read() {
			const piece = await source.read();
			if (!piece.done) onBytes();
			return piece;
		},
		cancel: async reason => source.cancel(reason),
	};
}
