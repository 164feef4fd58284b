import {answerBounds, bounded, boundedError, type Bounds} from './bounds.ts';
import {AnswerRefused, refusalIn} from './refusal.ts';
import {streamOf, type Source} from './source.ts';
import {undecodedFetch, type Undecoded} from './undecoded-fetch.ts';

/** An answer whose body is read through `source`, and never through the response. */
export type GuardedAnswer = {readonly response: Response; readonly source: Source | undefined};

/**
Asks a server that may be hostile. The body comes decoded and bounded: a read of what is too large, or cannot be
decoded, rejects with `AnswerRefused`, and the connection is closed. Follows no redirect: a key must not travel to a
host that the user did not name.
*/
export async function openGuarded(
	input: Parameters<typeof fetch>[0],
	init?: RequestInit,
	{bounds = answerBounds, base}: {readonly bounds?: Bounds; readonly base?: typeof fetch | undefined} = {},
): Promise<GuardedAnswer> {
	const {response, encodings, taken} =
		base === undefined
			? await undecodedFetch(input, init)
			: await plain(base(input, {...init, redirect: 'manual'}));
	if (response.body === null) return {response, source: undefined};
	const source = counted(response.body.getReader(), taken);
	try {
		if (response.status > 599) throw new AnswerRefused('bad_status', String(response.status));
		const whole = encodings === '' ? source : (await import('./decode.ts')).decoded(source, encodings);
		return {response, source: response.status >= 300 ? boundedError(whole) : bounded(whole, bounds)};
	} catch (error) {
		await source.cancel(error).catch(() => {});
		throw error;
	}
}

/** A fetch that does the same. */
export function createGuardedFetch(bounds: Bounds): typeof fetch {
	return async (input, init) => {
		const {response, source} = await openGuarded(input, init, {bounds});
		return source === undefined ? response : withBody(response, streamOf(source));
	};
}

/** The same answer with another body, which is not encoded any more. */
export function withBody({status, statusText, headers}: Response, body: ReadableStream<Uint8Array>): Response {
	return new Response(body, {status, statusText, headers});
}

async function plain(answer: Promise<Response>): Promise<Undecoded> {
	return {response: await answer, encodings: '', taken: () => {}};
}

/**
The same bytes. `taken` hears of each piece that is read. fetch wraps what ended it: a refusal comes out as it is.
*/
function counted(source: Source, taken: Undecoded['taken']): Source {
	return {
		async read() {
			const piece = await source.read().catch((error: unknown) => {
				throw refusalIn(error) ?? error;
			});
			if (!piece.done) taken(piece.value.length);
			return piece;
		},
		cancel: async reason => source.cancel(reason),
	};
}
