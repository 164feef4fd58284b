import {Worker} from 'node:worker_threads';
import type {HtmlQuestion} from './html-worker.ts';

type HtmlLimits = {readonly timeoutMs: number; readonly maxHeapMb: number};

const limits: HtmlLimits = {timeoutMs: 10_000, maxHeapMb: 768};
const worker = new URL('./html-worker.ts', import.meta.url);

/**
Converts HTML to readable text with links, in a thread of its own: a hostile page can use all the time and memory that
the thread may have, but the chat goes on. Returns `undefined` if the page exceeds a limit or breaks the converter.
*/
export async function htmlText(
	question: HtmlQuestion,
	signal: AbortSignal,
	{timeoutMs, maxHeapMb}: HtmlLimits = limits,
): Promise<string | undefined> {
	signal.throwIfAborted();
	const thread = new Worker(worker, {
		execArgv: [],
		env: {},
		stdout: true,
		stderr: true,
		resourceLimits: {maxOldGenerationSizeMb: maxHeapMb},
	});
	const {promise, resolve} = Promise.withResolvers<string | undefined>();
	const stop = () => resolve(undefined);
	const timer = setTimeout(stop, timeoutMs);
	signal.addEventListener('abort', stop, {once: true});
	thread.on('message', (text: unknown) => resolve(typeof text === 'string' ? text : undefined));
	thread.on('error', stop);
	thread.on('exit', stop);
	thread.postMessage(question);
	try {
		const text = await promise;
		signal.throwIfAborted();
		return text;
	} finally {
		clearTimeout(timer);
		signal.removeEventListener('abort', stop);
		void thread.terminate();
	}
}
