import {errorCode} from '../../pod/first-frame.ts';
import {stdinTooLarge, stdinUnreadable} from './texts.ts';

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
	return {ok: true, text: Buffer.concat(chunks).toString('utf8')};
}

const maxBytes = 16 * 1024 * 1024;
