import type {ToolOutput} from '../../../worker/index.ts';

/** Returns an error result. The model and the user read the same sentence. */
export function errorOutput(sentence: string): ToolOutput {
	const [summary = ''] = sentence.split('\n', 1);
	return {summary, content: sentence, isError: true};
}

/** Returns the first lines that fit into `maxBytes`, counting a newline after each. */
export function fitting(lines: Iterable<string>, maxBytes: number): readonly string[] {
	const kept: string[] = [];
	let bytes = 0;
	for (const line of lines) {
		bytes += Buffer.byteLength(line) + 1;
		if (bytes > maxBytes) break;
		kept.push(line);
	}
	return kept;
}
