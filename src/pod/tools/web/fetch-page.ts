import {hash} from 'node:crypto';
import type {IncomingMessage} from 'node:http';
import {isIP} from 'node:net';
import {loadWebParts, type Network, type Proxy, type ToolOutput, type Source} from '../../../worker/index.ts';
import {canonical, isPublicAddress} from './addresses.ts';
import {FetchError} from './failure.ts';
import {requestHop} from './request.ts';
import {addressesOf, type Resolve} from './request.ts';
import {checkUrl, hostOf, isSameSite} from '../../ground/text/web-url.ts';
import {en} from '../../../language/index.ts';

/** A fetched page, before its text is read. */
export type Page = {
	readonly url: string;
	/** The page's address after all redirects. */
	readonly finalUrl: string;
	readonly status: number;
	/** The page's content type as the server wrote it. It is untrusted. */
	readonly contentType: string;
	readonly body: Buffer;
	readonly sha256: string;
};

/** Decides about addresses for which there is no decision yet. Each decision is final for its address. */
export type Guard = {
	/** Decides about a redirect. On the same site, only a rule can refuse it. Otherwise inkpod may ask the user. */
	readonly redirect: (from: URL, to: URL, isSameSite: boolean, signal: AbortSignal) => Promise<Verdict>;
	/** Asks about a host whose address cannot be checked, because only the proxy can resolve its name. */
	readonly unchecked: (url: URL, signal: AbortSignal) => Promise<Verdict>;
	/** Tells whether a rule allows a URL's private address. `address` is the URL with the address as its host. */
	readonly allowsPrivate: (url: URL, address: URL) => boolean;
};

/** `sentence` explains a refusal to the user, and `output` to the model. */
export type Verdict =
	| {readonly ok: true}
	| {readonly ok: false; readonly sentence: string; readonly output?: ToolOutput};

export type PageOptions = {
	readonly guard: Guard;
	readonly resolve: Resolve;
	readonly network?: Network | undefined;
	readonly limits?: PageLimits | undefined;
	readonly signal: AbortSignal;
};

/** Limits in milliseconds. `totalMs` covers everything except the time in which inkpod waits for the user's answer. */
export type PageLimits = {readonly totalMs: number; readonly stallMs: number};

const pageLimits: PageLimits = {totalMs: 60_000, stallMs: 15_000};

/** The maximum number of redirects of one fetch. */
const maxRedirects = 10;

/**
Fetches a page after the call was allowed. Checks the addresses of each host, also after each redirect, and connects
only to checked addresses. Rejects with a `FetchError`, or with the signal's reason.
*/
export async function fetchPage(start: URL, options: PageOptions): Promise<Page> {
	const deadline = createDeadline(options.limits ?? pageLimits, options.signal);
	try {
		let url = start;
		for (let redirects = 0; ; redirects++) {
			const answer = await requestHop(await hopTo(url, options, deadline));
			const to = redirectOf(answer);
			if (to === undefined) return await pageOf(start, url, answer, deadline.signal);
			answer.destroy();
			if (redirects === maxRedirects) throw new FetchError('redirects', String(maxRedirects));
			url = await followed(url, to, options, deadline);
		}
	} catch (error) {
		throw deadline.isOver() ? new FetchError('timeout', deadline.text) : error;
	} finally {
		deadline.end();
	}
}

async function hopTo(
	url: URL,
	{resolve, network, guard, limits = pageLimits}: PageOptions,
	deadline: Deadline,
): Promise<Parameters<typeof requestHop>[0]> {
	const {signal} = deadline;
	const proxy = await proxyTo(url, network);
	const addresses = await addressesOf(url, resolve, signal);
	if (addresses.length === 0) {
		if (proxy === undefined) throw new FetchError('no_address', hostOf(url));
		const verdict = await deadline.pausedFor(async () => guard.unchecked(url, signal));
		if (!verdict.ok) throw new FetchError('denied', verdict.sentence, verdict.output);
	}
	for (const address of addresses) {
		if (isPublicAddress(address) || isAllowed(url, address, guard)) continue;
		throw new FetchError('private', hostOf(url) === address ? address : `${hostOf(url)} → ${address}`);
	}
	return {url, addresses, proxy, stallMs: limits.stallMs, signal};
}

async function proxyTo(url: URL, {proxies, certificates}: Network = {}): Promise<Proxy | undefined> {
	if (proxies === undefined && certificates === undefined) return undefined;
	const {proxyFor, ProxyError, trustCertificates} = await loadWebParts();
	if (certificates !== undefined) await trustCertificates(certificates);
	try {
		return proxies === undefined ? undefined : proxyFor(url, proxies);
	} catch (error) {
		throw error instanceof ProxyError ? new FetchError('proxy', error.message) : error;
	}
}

/**
A rule allows a private address only if it contains the address itself, not the name that resolves to the address.
*/
function isAllowed(url: URL, address: string, guard: Guard): boolean {
	const plain = canonical(address);
	const named = URL.parse(url.href);
	if (named === null || isIP(plain) === 0) return false;
	named.hostname = plain.includes(':') ? `[${plain}]` : plain;
	return guard.allowsPrivate(url, named);
}

const redirects: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308]);

function redirectOf({statusCode, headers: {location}}: IncomingMessage): string | undefined {
	return redirects.has(statusCode) && location !== undefined ? location : undefined;
}

async function followed(from: URL, location: string, {guard}: PageOptions, deadline: Deadline): Promise<URL> {
	// Header values arrive as Latin-1, and most servers write UTF-8.
	const checked = checkUrl(Buffer.from(location, 'latin1').toString('utf8'), from);
	if (!checked.ok) throw new FetchError(checked.reason, location);
	const {url} = checked;
	const verdict = await deadline.pausedFor(async () =>
		guard.redirect(from, url, isSameSite(from, url), deadline.signal),
	);
	if (!verdict.ok) throw new FetchError('denied', verdict.sentence, verdict.output);
	return url;
}

async function pageOf(start: URL, url: URL, answer: IncomingMessage, signal: AbortSignal): Promise<Page> {
	const body = await readBody(answer, signal);
	return {
		url: start.href,
		finalUrl: url.href,
		status: answer.statusCode ?? 0,
		contentType: answer.headers['content-type'] ?? '',
		body,
		sha256: hash('sha256', body, 'hex'),
	};
}

/** The time limit of a fetch. The time in which inkpod waits for the user's answer does not count. */
type Deadline = {
	readonly signal: AbortSignal;
	readonly text: string;
	isOver(): boolean;
	pausedFor<Value>(work: () => Promise<Value>): Promise<Value>;
	end(): void;
};

function createDeadline({totalMs}: PageLimits, outer: AbortSignal): Deadline {
	const over = new AbortController();
	let left = totalMs;
	let since = performance.now();
	const start = () => {
		since = performance.now();
		return setTimeout(() => over.abort(), left);
	};
	let timer = start();
	return {
		signal: AbortSignal.any([outer, over.signal]),
		text: `${totalMs / 1000} s`,
		isOver: () => over.signal.aborted && !outer.aborted,
		async pausedFor(work) {
			clearTimeout(timer);
			left = Math.max(1, left - (performance.now() - since));
			try {
				return await work();
			} finally {
				timer = start();
			}
		},
		end: () => clearTimeout(timer),
	};
}

/** The maximum size of a body, in bytes. It applies to the bytes on the wire and to the decoded bytes. */
const maxBodyBytes = 5 * 1024 * 1024;

/**
Reads and decodes the whole body of an answer. Closes the connection as soon as a limit is exceeded. Rejects with a
`FetchError`, or with the signal's reason.
*/
async function readBody(answer: IncomingMessage, signal: AbortSignal): Promise<Buffer> {
	const {decoded, AnswerRefused} = await loadWebParts();
	try {
		if (Number(answer.headers['content-length']) > maxBodyBytes) throw tooLarge();
		const encodings = answer.headers['content-encoding'] ?? '';
		const body = await collect(decoded(boundedSource(sourceOf(answer)), encodings));
		// If the server announced no length, Node reports a cut connection as the end of the body.
		signal.throwIfAborted();
		if (!answer.complete) throw new FetchError('connection', en`it was closed`);
		return body;
	} catch (error) {
		if (signal.aborted) throw signal.reason;
		if (error instanceof FetchError) throw error;
		if (error instanceof AnswerRefused) throw new FetchError('encoding', error.predicate);
		const code = error instanceof Error && 'code' in error ? String(error.code) : '';
		throw new FetchError('connection', code === '' ? en`the connection broke` : code);
	} finally {
		answer.destroy();
	}
}

function tooLarge(): FetchError {
	return new FetchError('too_large', `${maxBodyBytes / 1024 / 1024} MB`);
}

async function collect(source: Source): Promise<Buffer> {
	const pieces: Uint8Array[] = [];
	let size = 0;
	for (let piece = await source.read(); !piece.done; piece = await source.read()) {
		size += piece.value.length;
		if (size > maxBodyBytes) {
			void source.cancel().catch(() => {});
			throw tooLarge();
		}
		pieces.push(piece.value);
	}
	return Buffer.concat(pieces, size);
}

/** Limits the bytes on the wire, because some encodings can decode many bytes to none. */
function boundedSource(source: Source): Source {
	let size = 0;
	return {
		async read() {
			const piece = await source.read();
			size += piece.value?.length ?? 0;
			if (size > maxBodyBytes) throw tooLarge();
			return piece;
		},
		cancel: async reason => source.cancel(reason),
	};
}

function sourceOf(answer: IncomingMessage): Source {
	const pieces: AsyncIterator<Uint8Array> = answer[Symbol.asyncIterator]();
	return {
		async read() {
			const {done, value} = await pieces.next();
			return done === true ? {done: true} : {done: false, value};
		},
		async cancel() {
			answer.destroy();
		},
	};
}
