import {openGuarded} from './http/guarded-fetch.ts';
import {HttpError} from './http/http-error.ts';
import type {Network} from './http/network.ts';
import {textOf, type Source} from './http/source.ts';
import {endedByAnswer, type EndRule} from './answer-end.ts';
import {inBatches} from './batches.ts';

/** One request to a model. The bytes of `body` are sent unchanged, one after another. */
export type OutgoingRequest = {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: ReadonlyArray<Uint8Array<ArrayBuffer>>;
	readonly signal: AbortSignal;
};

/** Callbacks for the progress of a request. */
type TransportListener = {
	/** Called with the IP address of the server, unless the connection uses a proxy. */
	readonly onConnect?: (address: string) => void;
	/** Called when headers or bytes arrive. The bytes may be only a keep-alive comment. */
	readonly onBytes: () => void;
	/** Called when the model has stopped. The answer may then be silent for this many milliseconds until it ends. */
	readonly onFinish?: (ms: number) => void;
};

type TransportOptions = {
	/** A fetch function that is used instead of the network. */
	readonly base?: typeof globalThis.fetch | undefined;
	readonly network?: Network | undefined;
	/** The rule that recognises the end of the answer. The source ends there. */
	readonly ending?: EndRule | undefined;
};

/** The answer of a server that accepted a request. The names of the headers are in lower case. */
export type IncomingAnswer = {readonly headers: Readonly<Record<string, string>>; readonly source: Source};

/**
Sends a request once and returns its answer. `onBytes` is called for all received bytes. `openGuarded` decodes the
answer and limits its size. Only the stall timeout limits the time. Rejects with an `HttpError` if the server did not
accept the request or sent no body.
*/
export async function sendToModel(
	{url, headers, body, signal}: OutgoingRequest,
	{onConnect, onBytes, onFinish}: TransportListener,
	{base, network, ending}: TransportOptions = {},
): Promise<IncomingAnswer> {
	signal.throwIfAborted();
	const opened = await openGuarded(url, {method: 'POST', headers, body, signal, onConnect}, {base, network});
	onBytes();
	const {status, statusText, source} = opened;
	// If the status is a success, the status text does not say what is wrong.
	if (source === undefined) throw new HttpError({status, statusText: '', headers: opened.headers, body: ''});
	const heard = reportingBytes(source, onBytes);
	if (status >= 300) throw new HttpError({status, statusText, headers: opened.headers, body: await textOf(heard)});
	const answer = ending === undefined ? heard : endedByAnswer(heard, ending, onFinish);
	return {headers: opened.headers, source: inBatches(answer)};
}

/**
Returns the same bytes, and calls `onBytes` for each piece. Keep-alive comments count as received data, although no
reader reports them.
*/
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
