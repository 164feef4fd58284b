import {createHash} from 'node:crypto';
import {openGuarded, withBody} from '../http/guarded-fetch.ts';
import type {Source} from '../http/source.ts';
import {endedByAnswer, type EndRule} from './answer-end.ts';

/** What a request tells of itself while it is on its way. */
export type TransportWatch = {
	/** Just before the body is sent: its sha256 in hex. */
	readonly onSent: (hash: string) => void;
	/** Headers or bytes came in: also keep-alive comments that never become a part. */
	readonly onBytes: () => void;
};

export type TransportOptions = {
	/** Instead of the network. */
	readonly base?: typeof globalThis.fetch | undefined;
	/** The base URL's own query, which goes with every request. */
	readonly query?: URLSearchParams | undefined;
	/** Ends the body where the answer ends. */
	readonly ending?: EndRule | undefined;
};

/**
A fetch for one model request. It hashes the exact body and reports every sign of life. The answer is decoded and
bounded before a provider package reads it (`openGuarded`). It has no time limits of its own: Node's would end a slow
local model after 300 s, and the stall timeout governs.
*/
export function createTransport(
	watch: TransportWatch,
	{base, query, ending}: TransportOptions = {},
): typeof globalThis.fetch {
	return async (input, init) => {
		if (typeof init?.body !== 'string') throw new TypeError('A model request has a text body.');
		watch.onSent(createHash('sha256').update(init.body).digest('hex'));
		const {response, source} = await openGuarded(withQuery(input, query), init, {base});
		watch.onBytes();
		if (source === undefined) return response;
		const answer = ending === undefined || !response.ok ? source : endedByAnswer(source, ending);
		return withBody(response, inBatches(answer, watch.onBytes));
	};
}

function withQuery(
	input: Parameters<typeof fetch>[0],
	query: URLSearchParams | undefined,
): Parameters<typeof fetch>[0] {
	if (query === undefined || query.size === 0) return input;
	const url = new URL(input instanceof Request ? input.url : input);
	for (const [name, value] of query) if (!url.searchParams.has(name)) url.searchParams.append(name, value);
	return url;
}

/**
The same bytes, in at most some twenty pieces a second: every piece goes through a chain of streams behind here, and a
model sends one for every word.
What comes after a pause goes through at once. What breaks the stream comes behind all that was read before.
*/
function inBatches(source: Source, onBytes: () => void): ReadableStream<Uint8Array> {
	let pieces: Uint8Array[] = [];
	let bytes = 0;
	let givenAt = Number.NEGATIVE_INFINITY;
	let due: NodeJS.Timeout | undefined;
	let asked: Asked | undefined;
	let room: PromiseWithResolvers<void> | undefined;
	let end: {readonly error?: unknown} | undefined;

	async function readOn(): Promise<void> {
		try {
			for (let found = await source.read(); !found.done; found = await source.read()) {
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

	return new ReadableStream<Uint8Array>(
		{
			start: () => void readOn(),
			pull: async controller =>
				new Promise(done => {
					asked = {controller, done};
					offer();
				}),
			async cancel(reason) {
				clearTimeout(due);
				asked = undefined;
				room?.resolve();
				await source.cancel(reason);
			},
		},
		{highWaterMark: 0},
	);
}

type Asked = {readonly controller: ReadableStreamDefaultController<Uint8Array>; readonly done: () => void};

/** About as long as a screen shows one frame of an answer. */
const batchMs = 48;
/** So much is no word, and need not wait. */
const batchBytes = 16 * 1024;
