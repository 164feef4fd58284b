import {isUtf8} from 'node:buffer';
import {errorCode} from '../../pod/first-frame.ts';
import {stdinNotUtf8, stdinTooLarge, stdinUnreadable} from './texts.ts';

export type StdinResult = {readonly ok: true; readonly text: string} | {readonly ok: false; readonly sentence: string};

/** Reads stdin to its end as UTF-8. If that fails, it returns a sentence. */
export async function readStdin(stream: AsyncIterable<Buffer | string>): Promise<StdinResult> {
	const chunks: Buffer[] = [];
	let size = 0;
	try {
		for await (const chunk of stream) {
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
	// Another file may have the name that such bytes become.
	if (/@(?:\S*|"[^"\n]*)\ufffd/.test(text) && !isUtf8(bytes)) return {ok: false, sentence: stdinNotUtf8};
	return {ok: true, text};
}

const maxBytes = 16 * 1024 * 1024;
