import {createInterface} from 'node:readline/promises';
import {t} from '../../language/index.ts';

type AskLineOptions = {
	readonly input: NodeJS.ReadableStream;
	readonly output: NodeJS.WritableStream;
	/** Ends the question when it is aborted, as the end of the input does. */
	readonly signal?: AbortSignal;
};

/** Asks a question on one line. Resolves with an empty text at the end of the input. */
export async function askLine(question: string, {input, output, signal}: AskLineOptions): Promise<string> {
	// Without readline's own terminal mode, Ctrl+C ends the program.
	const lines = createInterface({input, output, terminal: false, signal});
	const over = new Promise<string>(resolve => void lines.once('close', () => resolve('')));
	try {
		return (await Promise.race([lines.question(question), over])).trim();
	} finally {
		lines.close();
	}
}

export function unwritable(code: string): string {
	return t`Cannot write to stdout (${code}).`;
}

export function unexpectedError(message: string): string {
	return t`Unexpected error: ${message} Set INKPOD_DEBUG=1 for a stack trace.`;
}
