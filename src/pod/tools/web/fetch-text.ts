import {STATUS_CODES} from 'node:http';
import {isoTime, type Clock, type Network} from '../../../worker/index.ts';
import {FetchError} from './failure.ts';
import {fetchPage, type Guard, type Page, type PageLimits} from './fetch-page.ts';
import {pageText} from './page-text.ts';
import {systemResolve, type Resolve} from './resolve-host.ts';
import {checkUrl} from '../../ground/text/web-url.ts';
import type {WebFacts} from '../../protocol.ts';

export type {FetchedText};

/** Fetches pages for one session. Both functions reject with a `FetchError`, or with the signal's reason. */
export type WebReader = {
	/** Fetches a page that may be fetched, and returns its text. */
	read(url: string, guard: Guard, signal: AbortSignal): Promise<FetchedText>;
	/** Returns the text of a page that was fetched a short time ago. Its parts then belong together. */
	kept(url: string): FetchedText | undefined;
};

export type WebReaderOptions = {
	readonly clock: Pick<Clock, 'now'>;
	readonly network: Network | undefined;
	/** Tests replace them. */
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

/** Returns `404 Not Found`. The words are those of the standard, not the server's. */
export function statusText(status: number): string {
	return `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
}

/** The page of an error may be anything. The error itself is more important. */
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

/** The texts of the latest pages, in memory. A page can so be read part by part, without another request. */
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
