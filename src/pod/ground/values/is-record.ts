import type {ToolOutput} from '../../../worker/index.ts';

/** Tells whether a value is an object with named fields. Arrays and null do not count. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the element at an index that the caller knows to be in range. Any other index is a bug and throws. */
export function elementAt<Value>(values: ArrayLike<Value>, index: number): Value {
	const value = values[index];
	if (value === undefined) throw new RangeError(`index ${index} is out of range: 0 to ${values.length - 1}`);
	return value;
}

/** Returns the message of a thrown value, which may be anything. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** Returns a value that the caller knows to exist. A missing value is a bug and throws. */
export function required<Value>(value: Value | undefined, what: string): Value {
	if (value === undefined) throw new Error(`${what} is missing`);
	return value;
}

/** Runs an action after some milliseconds. Returns a function that cancels it. */
export type Timer = (ms: number, action: () => void) => () => void;

/** A timer of the system. It does not keep the process alive. */
export const systemTimer: Timer = (ms, action) => {
	const timer = setTimeout(action, ms);
	timer.unref();
	return () => clearTimeout(timer);
};

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
