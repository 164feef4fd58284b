import {STATUS_CODES} from 'node:http';
import {isoTime, type Clock, type Network} from '../../../worker/index.ts';
import {FetchError} from './failure.ts';
import {fetchPage, type Guard, type Page, type PageLimits} from './fetch-page.ts';
import {systemResolve, type Resolve} from './request.ts';
import {checkUrl} from '../../ground/text/web-url.ts';
import type {WebFacts} from '../../protocol.ts';
import {Worker} from 'node:worker_threads';
import type {HtmlQuestion} from './html-worker.ts';

export type {FetchedText};

/** Fetches pages for one session. Both functions reject with a `FetchError`, or with the signal's reason. */
export type WebReader = {
	/** Fetches a page if the guard allows it, and returns its text. */
	read(url: string, guard: Guard, signal: AbortSignal): Promise<FetchedText>;
	/**
	Returns the text of a page that was fetched a short time ago. So all parts that the model reads come from the same
	version of the page.
	*/
	kept(url: string): FetchedText | undefined;
};

export type WebReaderOptions = {
	readonly clock: Pick<Clock, 'now'>;
	readonly network: Network | undefined;
	/** Tests replace `resolve` and `limits`. */
	readonly resolve?: Resolve | undefined;
	readonly limits?: PageLimits | undefined;
};

export function createWebReader({clock, network, resolve = systemResolve, limits}: WebReaderOptions): WebReader {
	const pages = createKeptPages(() => clock.now());
	return {
		async read(address, guard, signal) {
			const checked = checkUrl(address);
			if (!checked.ok) throw new FetchError(checked.reason);
			const page = await fetchPage(checked.url, {guard, resolve, network, limits, signal});
			const {text, type} = await textOf(page, signal);
			const fetched = textWithFacts(page, text, type, isoTime(clock.now()));
			if (isSuccess(page.status)) pages.keep(page.url, fetched);
			return fetched;
		},
		kept(address) {
			const checked = checkUrl(address);
			return checked.ok ? pages.find(checked.url.href) : undefined;
		},
	};
}

export function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

/** Returns a status with its name in the HTTP standard, such as `404 Not Found`. The server's own name is not used. */
export function statusText(status: number): string {
	return `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
}

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

/**
Converts HTML to readable text with links, in its own thread. A hostile page can use up the time and memory of this
thread, but the chat continues. Returns `undefined` if the page exceeds a limit or breaks the converter.
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

/** Returns the text of a page. If the text of an error page cannot be read, it reports the HTTP error. */
async function textOf(page: Page, signal: AbortSignal): ReturnType<typeof pageText> {
	try {
		return await pageText(page, signal);
	} catch (error) {
		if (error instanceof FetchError && !isSuccess(page.status))
			throw new FetchError('status', statusText(page.status));
		throw error;
	}
}

function textWithFacts(
	{url, finalUrl, status, body, sha256}: Page,
	text: string,
	mediaType: string,
	fetchedAt: string,
): FetchedText {
	const bytes = Buffer.from(text);
	const facts = {url, finalUrl, status, mediaType, bytes: body.length, textBytes: bytes.length, sha256, fetchedAt};
	return {text: bytes, facts};
}

/** The whole text of a page, as UTF-8. */
type FetchedText = {readonly text: Buffer; readonly facts: WebFacts};

/** The texts of the latest pages, in memory. So the model can read a page part by part without another request. */
type KeptPages = {
	keep(url: string, page: FetchedText): void;
	find(url: string): FetchedText | undefined;
};

function createKeptPages(now: () => number): KeptPages {
	const pages = new Map<string, {readonly page: FetchedText; readonly since: number}>();
	const size = () => [...pages.values()].reduce((sum, {page}) => sum + page.text.length, 0);
	return {
		keep(url, page) {
			pages.delete(url);
			pages.set(url, {page, since: now()});
			while (pages.size > 1 && (pages.size > maxPages || size() > maxBytes)) {
				const [oldest = ''] = pages.keys();
				pages.delete(oldest);
			}
		},
		find(url) {
			const kept = pages.get(url);
			if (kept !== undefined && now() - kept.since <= maxAgeMs) return kept.page;
			pages.delete(url);
			return undefined;
		},
	};
}

const maxPages = 8;

const maxBytes = 8 * 1024 * 1024;

const maxAgeMs = 15 * 60 * 1000;

/** The text of a page, and its type without parameters. */
type PageText = {readonly text: string; readonly type: string};

/** Returns the media type that the server names. If the server names no valid type, the first bytes determine it. */
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

/** The media types of text whose names do not begin with `text/`. */
const textTypes = new RegExp(
	String.raw`^(?:application/(?:json|xml|yaml|toml|javascript|ecmascript|graphql|sql|rtf|` +
		String.raw`x-ndjson|x-sh|x-yaml|x-javascript|x-httpd-php|x-tex)|[^/]+/[^/]+\+(?:json|xml|yaml))$`,
);

type HtmlLimits = {readonly timeoutMs: number; readonly maxHeapMb: number};

const limits: HtmlLimits = {timeoutMs: 10_000, maxHeapMb: 768};

const worker = new URL('./html-worker.ts', import.meta.url);

/**
Decodes a text. Its encoding is named by a byte order mark, the content type, or its own first bytes. If there is none
of these, the encoding is UTF-8 if the bytes are valid UTF-8, and Windows-1252 otherwise. Returns `undefined` for bytes
that are not text.
*/
function decodeText(bytes: Buffer, contentType: string): string | undefined {
	const named = markOf(bytes) ?? decoderOf(labelIn(contentType)) ?? decoderOf(declaredIn(bytes));
	const text = (named ?? guessed(bytes)).decode(bytes);
	return text.includes('\0') ? undefined : text.replaceAll(/\r\n?/g, '\n').toWellFormed();
}

function markOf(bytes: Buffer): TextDecoder | undefined {
	const [first, second, third] = bytes;
	if (first === 0xef && second === 0xbb && third === 0xbf) return new TextDecoder('utf-8');
	if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
	return first === 0xfe && second === 0xff ? new TextDecoder('utf-16be') : undefined;
}

function labelIn(contentType: string): string | undefined {
	return /;\s*charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(contentType.slice(0, 1000))?.[1];
}

/** Looks for the encoding that HTML or XML declares in the first bytes. Such a declaration can be read as ASCII. */
function declaredIn(bytes: Buffer): string | undefined {
	const start = bytes.toString('latin1', 0, 2048);
	const found =
		/^\s*<\?xml[^>]{0,200}\bencoding\s*=\s*["']([\w:.-]{1,40})/i.exec(start) ??
		/<meta\b[^>]{0,400}?\bcharset\s*=\s*["']?([\w:.-]{1,40})/i.exec(start);
	// A text whose declaration can be read as ASCII is not UTF-16, even if the declaration says so.
	return found?.[1]?.replace(/^utf-?16.*$/i, 'utf-8');
}

function decoderOf(label: string | undefined): TextDecoder | undefined {
	if (label === undefined) return undefined;
	try {
		return new TextDecoder(label);
	} catch {
		return undefined;
	}
}

function guessed(bytes: Buffer): TextDecoder {
	try {
		new TextDecoder('utf-8', {fatal: true}).decode(bytes);
		return new TextDecoder('utf-8');
	} catch {
		return new TextDecoder('windows-1252');
	}
}
