import {Worker} from 'node:worker_threads';

/** The numbers of the matching lines, counted from 1 and at most `max` of them, and the count of all matching lines. */
export type LineMatches = {readonly lines: readonly number[]; readonly count: number};

/**
Matches texts line by line in a separate thread. The screen never waits for it.
The thread can be ended if a pattern backtracks without end.
*/
type LineMatcher = AsyncDisposable & {
	/**
	Matches one text at a time. Returns `undefined` if it took too long. After that, this matcher can no longer be used.
	*/
	match(text: string, max: number): Promise<LineMatches | undefined>;
};

/** Creates a matcher from the parts of a valid RegExp. The thread lives until disposal. */
export function createLineMatcher(
	pattern: {readonly source: string; readonly flags: string},
	timeoutMs: number,
): LineMatcher {
	const worker = new Worker(program, {eval: true, workerData: pattern, env: {}, execArgv: []});
	let settle: ((matches: LineMatches | undefined) => void) | undefined;
	let fail: ((error: Error) => void) | undefined;
	worker.on('message', (matches: LineMatches) => settle?.(matches));
	worker.on('exit', () => settle?.(undefined));
	worker.on('error', error => fail?.(error));
	return {
		async match(text, max) {
			const {promise, resolve, reject} = Promise.withResolvers<LineMatches | undefined>();
			settle = resolve;
			fail = reject;
			const timer = setTimeout(() => resolve(undefined), timeoutMs);
			worker.postMessage({text, max});
			try {
				return await promise;
			} finally {
				clearTimeout(timer);
			}
		},
		async [Symbol.asyncDispose]() {
			await worker.terminate();
		},
	};
}

/** The program that the thread runs. It is a text instead of a file, so that it needs no path in the bundle. */
const program = `
const {parentPort, workerData} = require('node:worker_threads');
const pattern = new RegExp(workerData.source, workerData.flags);
parentPort.on('message', ({text, max}) => {
	const lines = [];
	let count = 0;
	let number = 0;
	for (let at = 0; at < text.length; ) {
		number += 1;
		const newline = text.indexOf('\\n', at);
		const end = newline < 0 ? text.length : newline;
		const stop = newline > at && text.charCodeAt(newline - 1) === 13 ? newline - 1 : end;
		if (pattern.test(text.slice(at, stop))) {
			count += 1;
			if (lines.length < max) lines.push(number);
		}
		at = end + 1;
	}
	parentPort.postMessage({lines, count});
});
`;
