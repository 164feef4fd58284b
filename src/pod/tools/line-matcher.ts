import {Worker} from 'node:worker_threads';

/** The numbers, from 1, of the lines that match, at most `max` of them, and how many there are. */
export type LineMatches = {readonly lines: readonly number[]; readonly count: number};

/**
Matches texts line by line in a thread of its own: a pattern that backtracks without end can be ended, and the screen
never waits for it.
*/
export type LineMatcher = AsyncDisposable & {
	/** One text at a time. `undefined`: it took longer than the time allowed, and this matcher is of no more use. */
	match(text: string, max: number): Promise<LineMatches | undefined>;
};

/** `source` and `flags` make a valid RegExp. The thread lives until disposal. */
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

/** A text of its own rather than a file, so that it needs no path in the bundle. */
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
