import {isUtf8} from 'node:buffer';
import {errorCode} from '../../pod/first-frame.ts';
import {stdinNotUtf8, stdinSilent, stdinTooLarge, stdinUnreadable} from './texts.ts';

type StdinResult =
	| {readonly ok: true; readonly text: string; readonly warning?: string}
	| {readonly ok: false; readonly sentence: string};

type Stdin = AsyncIterable<Buffer | string> & {destroy?(): unknown};

/**
Reads stdin to its end as UTF-8. If stdin cannot be read, returns a sentence. If no data has arrived when `patience`
aborts, the text is empty and `warning` says so, because a scheduler or ssh may leave stdin open. If data has begun to
arrive, stdin is read to its end.
*/
export async function readStdin(stream: Stdin, patience?: AbortSignal): Promise<StdinResult> {
	const chunks: Buffer[] = [];
	let size = 0;
	const parts = stream[Symbol.asyncIterator]();
	try {
		const first = parts.next();
		if (patience !== undefined && (await isSilent(first, patience))) {
			stream.destroy?.();
			return {ok: true, text: '', warning: stdinSilent};
		}
		for (let next = await first; next.done !== true; next = await parts.next()) {
			const {value: chunk} = next;
			const bytes = Buffer.from(chunk);
			size += bytes.length;
			if (size > maxBytes) return {ok: false, sentence: stdinTooLarge};
			chunks.push(bytes);
		}
	} catch (error) {
		const code = errorCode(error);
		if (code === '') throw error;
		return {ok: false, sentence: stdinUnreadable(code)};
	}
	const bytes = Buffer.concat(chunks);
	const text = bytes.toString('utf8');
	// Replacement characters took the place of invalid bytes, so a reference in the text could name another file.
	if (/@(?:\S*|"[^"\n]*)\ufffd/.test(text) && !isUtf8(bytes)) return {ok: false, sentence: stdinNotUtf8};
	return {ok: true, text};
}

/** Waits for the first data, the end or a failure of stdin. */
async function isSilent(first: Promise<unknown>, patience: AbortSignal): Promise<boolean> {
	const {promise: silence, resolve} = Promise.withResolvers<boolean>();
	const end = () => resolve(true);
	const heard = () => false;
	patience.addEventListener('abort', end, {once: true});
	if (patience.aborted) end();
	const isOver = await Promise.race([first.then(heard, heard), silence]);
	patience.removeEventListener('abort', end);
	return isOver;
}

const maxBytes = 16 * 1024 * 1024;
