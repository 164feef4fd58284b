import {decodeText} from './charset.ts';
import {FetchError} from './failure.ts';
import {Worker} from 'node:worker_threads';
import type {HtmlQuestion} from './html-worker.ts';

/** The text of a page, and its type without parameters. */
type PageText = {readonly text: string; readonly type: string};

/**
Returns the readable text of a body. HTML becomes text with links. Rejects with a `FetchError` for anything but text.
*/
export async function pageText(
	{body, contentType, finalUrl}: {readonly body: Buffer; readonly contentType: string; readonly finalUrl: string},
	signal: AbortSignal,
): Promise<PageText> {
	const type = typeOf(contentType, body);
	const kind = kindOf(type);
	const text = kind === 'other' ? undefined : decodeText(body, contentType);
	if (text === undefined)
		throw new FetchError('type', `${type}, ${body.length} ${body.length === 1 ? 'byte' : 'bytes'}`);
	if (kind === 'text') return {text, type};
	const readable = await htmlText({html: text, url: finalUrl}, signal);
	if (readable === undefined) throw new FetchError('too_complex');
	return {text: readable, type};
}

/** The type that the server names. Without a valid one, the bytes decide. */
function typeOf(contentType: string, body: Buffer): string {
	const named = /^\s*([\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100})\s*(?:;|$)/.exec(contentType)?.[1]?.toLowerCase();
	if (named !== undefined) return named;
	const start = body.toString('latin1', 0, 512);
	if (/^(?:\xEF\xBB\xBF)?\s*<(?:!doctype html|html|head|body)\b/i.test(start)) return 'text/html';
	return body.includes(0) && !/^(?:\xFF\xFE|\xFE\xFF)/.test(start) ? 'application/octet-stream' : 'text/plain';
}

function kindOf(type: string): 'html' | 'text' | 'other' {
	if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
	return type.startsWith('text/') || textTypes.test(type) ? 'text' : 'other';
}

/** Text under other names than `text/…`. */
const textTypes = new RegExp(
	String.raw`^(?:application/(?:json|xml|yaml|toml|javascript|ecmascript|graphql|sql|rtf|` +
		String.raw`x-ndjson|x-sh|x-yaml|x-javascript|x-httpd-php|x-tex)|[^/]+/[^/]+\+(?:json|xml|yaml))$`,
);

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
