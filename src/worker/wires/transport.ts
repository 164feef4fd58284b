import {createHash} from 'node:crypto';
import {openGuarded, responseOf} from './http/guarded-fetch.ts';
import type {Network} from './http/network.ts';
import type {Source} from './http/source.ts';
import {endedByAnswer, type EndRule} from './answer-end.ts';
import {readAnswer} from './reading/answer-body.ts';
import type {EventReader} from './reading/event-reader.ts';

/** Callbacks for the progress of a request. */
type TransportListener = {
	/** Called with the sha256 of the body in hex, and the headers. The body is sent when the promise resolves. */
	readonly onReady: (hash: string, headers: Headers) => Promise<void>;
	/** Called when headers or bytes arrived, including keep-alive comments, which never become a part. */
	readonly onBytes: () => void;
	/** Called when the model has stopped. The answer may then be silent for this many milliseconds until it ends. */
	readonly onFinish?: (ms: number) => void;
};

type TransportOptions = {
	/** A fetch that replaces the network. */
	readonly base?: typeof globalThis.fetch | undefined;
	readonly network?: Network | undefined;
	/** The query of the base URL, which is added to every request. */
	readonly query?: URLSearchParams | undefined;
	/** The rule by which the end of the answer is recognised. The body that is passed on ends there too. */
	readonly ending?: EndRule | undefined;
	/** Cleans the events before the provider package reads them. */
	readonly reader?: EventReader | undefined;
	/** Cleans an answer that is not a stream of events. */
	readonly cleaner?: ((source: Source) => Source) | undefined;
};

/**
Returns a fetch for one model request. It hashes the exact body and reports all received bytes. The answer is decoded
and its size is limited before a provider package reads it (`openGuarded`). The fetch has no time limits, because Node's
limits would end a slow local model after 300 s. Only the stall timeout applies.
*/
export function createTransport(
	listener: TransportListener,
	{base, network, query, ending, reader, cleaner}: TransportOptions = {},
): typeof globalThis.fetch {
	return async (input, init) => {
		if (typeof init?.body !== 'string') throw new TypeError('A model request has a text body.');
		const {body, method = 'POST', signal} = init;
		const headers = new Headers(init.headers);
		await listener.onReady(createHash('sha256').update(body).digest('hex'), headers);
		signal?.throwIfAborted();
		const outgoing = {method, headers: Object.fromEntries(headers), body, ...(signal && {signal})};
		const opened = await openGuarded(withQuery(input, query), outgoing, {base, network});
		listener.onBytes();
		if (opened.source === undefined) return responseOf(opened, null);
		const heard = reportingBytes(opened.source, listener.onBytes);
		if (opened.status >= 300) return responseOf(opened, inBatches(heard));
		const answer = ending === undefined ? heard : endedByAnswer(heard, ending, listener.onFinish);
		if (cleaner !== undefined) return responseOf(opened, inBatches(cleaner(answer)));
		const contentType = opened.headers['content-type'] ?? null;
		return responseOf(opened, inBatches(reader === undefined ? answer : readAnswer(answer, reader, contentType)));
	};
}

function withQuery(input: Parameters<typeof fetch>[0], query: URLSearchParams | undefined): URL {
	const url = new URL(input instanceof Request ? input.url : input);
	for (const [name, value] of query ?? []) if (!url.searchParams.has(name)) url.searchParams.append(name, value);
	return url;
}

/**
Returns the same bytes in at most about twenty pieces a second. A model sends a piece for every word, and each piece
passes through a chain of streams. The first piece after a pause is passed on at once. An error is passed on after
everything that was read before it.
*/
function inBatches(source: Source): ReadableStream<Uint8Array> {
	const batches = new Batches(source);
	return new ReadableStream<Uint8Array>(
		{
			start: () => void batches.readAll(),
			pull: async controller => new Promise(done => batches.request({controller, done})),
			cancel: async reason => batches.cancel(reason),
		},
		{highWaterMark: 0},
	);
}

/** Returns the same bytes. Keep-alive comments count as received data, although no package sees them. */
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

/** A pending read of the stream, which waits for its batch. */
type PendingRead = {readonly controller: ReadableStreamDefaultController<Uint8Array>; readonly done: () => void};

class Batches {
	readonly #source: Source;
	#pieces: Uint8Array[] = [];
	#bytes = 0;
	#sentAt = Number.NEGATIVE_INFINITY;
	#timer: NodeJS.Timeout | undefined;
	#pending: PendingRead | undefined;
	#room: PromiseWithResolvers<void> | undefined;
	#end: {readonly error?: unknown} | undefined;

	constructor(source: Source) {
		this.#source = source;
	}

	async readAll(): Promise<void> {
		try {
			for (let piece = await this.#source.read(); !piece.done; piece = await this.#source.read())
				await this.#add(piece.value);
			this.#end = {};
		} catch (error) {
			this.#end = {error};
		}
		this.#flush();
	}

	request(read: PendingRead): void {
		this.#pending = read;
		this.#flush();
	}

	async cancel(reason: unknown): Promise<void> {
		clearTimeout(this.#timer);
		this.#pending = undefined;
		this.#room?.resolve();
		await this.#source.cancel(reason);
	}

	/** Waits for a read while the batch is full. */
	async #add(piece: Uint8Array): Promise<void> {
		this.#pieces.push(piece);
		this.#bytes += piece.length;
		this.#flush();
		if (this.#bytes < batchBytes) return;
		this.#room = Promise.withResolvers();
		await this.#room.promise;
	}

	/** Serves the pending read, as soon as the next batch is due. */
	#flush(): void {
		if (this.#pending === undefined) return;
		if (this.#bytes === 0) this.#finish(this.#pending);
		else {
			const isDue = this.#bytes >= batchBytes || this.#end !== undefined;
			const left = isDue ? 0 : this.#sentAt + batchMs - performance.now();
			if (left > 0) this.#timer ??= setTimeout(() => this.#send(), left);
			else this.#send();
		}
	}

	#finish({controller, done}: PendingRead): void {
		if (this.#end === undefined) return;
		if ('error' in this.#end) controller.error(this.#end.error);
		else {
			controller.close();
			done();
		}
	}

	#send(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const read = this.#pending;
		if (read === undefined) return;
		const [first, ...rest] = this.#pieces;
		if (first !== undefined) read.controller.enqueue(rest.length === 0 ? first : Buffer.concat(this.#pieces));
		this.#pending = undefined;
		this.#pieces = [];
		this.#bytes = 0;
		this.#sentAt = performance.now();
		this.#room?.resolve();
		read.done();
	}
}

/** The number of milliseconds between batches, about the time that the screen shows one frame of an answer. */
const batchMs = 48;
/** The number of bytes from which a batch need not wait. It is more than a few words. */
const batchBytes = 16 * 1024;
