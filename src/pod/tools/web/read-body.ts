import {en} from '../../../language/index.ts';
import type {IncomingMessage} from 'node:http';
import {loadWebParts, type Source} from '../../../worker/index.ts';
import {FetchError} from './failure.ts';

/** The maximum size of a body, in bytes. It applies to the bytes on the wire and to the decoded bytes. */
const maxBodyBytes = 5 * 1024 * 1024;

/**
Reads and decodes the whole body of an answer. Closes the connection as soon as a limit is exceeded. Rejects with a
`FetchError`, or with the signal's reason.
*/
export async function readBody(answer: IncomingMessage, signal: AbortSignal): Promise<Buffer> {
	const {decoded, AnswerRefused} = await loadWebParts();
	try {
		if (Number(answer.headers['content-length']) > maxBodyBytes) throw tooLarge();
		const encodings = answer.headers['content-encoding'] ?? '';
		const body = await collect(decoded(boundedSource(sourceOf(answer)), encodings));
		// Without an announced length, Node reports a connection that was cut here as the end of the body.
		signal.throwIfAborted();
		if (!answer.complete) throw new FetchError('connection', en`it was closed`);
		return body;
	} catch (error) {
		if (signal.aborted) throw signal.reason;
		if (error instanceof FetchError) throw error;
		if (error instanceof AnswerRefused) throw new FetchError('encoding', error.predicate);
		const code = error instanceof Error && 'code' in error ? String(error.code) : '';
		throw new FetchError('connection', code === '' ? en`the connection broke` : code);
	} finally {
		answer.destroy();
	}
}

function tooLarge(): FetchError {
	return new FetchError('too_large', `${maxBodyBytes / 1024 / 1024} MB`);
}

async function collect(source: Source): Promise<Buffer> {
	const pieces: Uint8Array[] = [];
	let size = 0;
	for (let piece = await source.read(); !piece.done; piece = await source.read()) {
		size += piece.value.length;
		if (size > maxBodyBytes) {
			void source.cancel().catch(() => {});
			throw tooLarge();
		}
		pieces.push(piece.value);
	}
	return Buffer.concat(pieces, size);
}

/** Limits the bytes on the wire, because some encodings can decode many bytes to none. */
function boundedSource(source: Source): Source {
	let size = 0;
	return {
		async read() {
			const piece = await source.read();
			size += piece.value?.length ?? 0;
			if (size > maxBodyBytes) throw tooLarge();
			return piece;
		},
		cancel: async reason => source.cancel(reason),
	};
}

function sourceOf(answer: IncomingMessage): Source {
	const pieces: AsyncIterator<Uint8Array> = answer[Symbol.asyncIterator]();
	return {
		async read() {
			const {done, value} = await pieces.next();
			return done === true ? {done: true} : {done: false, value};
		},
		async cancel() {
			answer.destroy();
		},
	};
}
