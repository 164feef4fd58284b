import {createInterface} from 'node:readline/promises';

type AskLineOptions = {
	readonly input: NodeJS.ReadableStream;
	readonly output: NodeJS.WritableStream;
	/** Aborting this signal ends the question, as the end of the input does. */
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
