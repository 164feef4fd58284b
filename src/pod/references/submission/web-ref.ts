import type {Draft} from '../../../worker/index.ts';
import type {Guard} from '../../tools/web/fetch-page.ts';
import {FetchError} from '../../tools/web/failure.ts';
import type {FetchedText, WebReader} from '../../tools/web/fetch-text.ts';
import {partOf} from '../../tools/web/text-part.ts';
import {fetchProblem, webTexts} from '../../tools/web/texts.ts';
import {webHeader} from '../../tools/web/web-header.ts';
import {checkUrl} from '../../ground/text/web-url.ts';
import type {Attachment, AttachmentFailed} from './attachment.ts';
import type {WebRefReader} from './file-ref.ts';
import {en} from '../../../language/index.ts';
import {hash} from 'node:crypto';
import {countedLines} from '../../ground/text/lines.ts';
import {truncateBody} from '../../ground/text/line-window.ts';
import {onOneLine} from '../../ground/text/one-line.ts';

/**
Creates the reader of web pages in messages. The user typed the address, which is the consent to fetch it. The guard
still decides about redirects to other sites and about private addresses.
*/
export function webRefReader(reader: () => Promise<WebReader>, guard: Guard): WebRefReader {
	return async (url, maxBytes, signal) => {
		try {
			const {isSuccess, statusText} = await import('../../tools/web/fetch-text.ts');
			const fetched = await (await reader()).read(url, guard, signal);
			const {status} = fetched.facts;
			return isSuccess(status) ? attachmentOf(fetched, maxBytes) : failed('status', statusText(status));
		} catch (error) {
			if (signal.aborted) return {ok: false, reason: 'aborted'};
			if (error instanceof FetchError) return failed(error.reason, error.detail);
			throw error;
		}
	};
}

/** Returns the forecast of a page. Nothing is fetched before the message is sent. */
export const forecastPage: WebRefReader = async url => {
	const checked = checkUrl(url);
	return checked.ok ? {ok: true, bytes: 0, within: () => unfetched(checked.url.href)} : failed(checked.reason, '');
};

/** Reads the resources that messages name as `@server:uri`. */
export type ResourceReader = {
	/** Returns the names of the servers, as messages write them. */
	servers(): Promise<ReadonlySet<string>>;
	/** Reads a resource. The text is cut to `maxBytes`. */
	read(
		resource: {readonly server: string; readonly uri: string},
		maxBytes: number,
		signal: AbortSignal,
	): Promise<Attachment | AttachmentFailed>;
};

/** Returns the forecast of a resource. Nothing is read before the message is sent. */
export function forecastResource({server, uri}: {readonly server: string; readonly uri: string}): Attachment {
	return resourceAttachment({server, uri, mime: undefined, text: ''}, 0);
}

/** Returns the attachment of a resource, cut to a number of bytes. */
export function resourceAttachment(read: ReadResource, maxBytes: number): Attachment {
	const bytes = Math.min(Buffer.byteLength(read.text), maxBytes);
	return {
		ok: true,
		bytes,
		within: left => (bytes > 0 && left === 0 ? undefined : draftOf(read, Math.min(maxBytes, left))),
	};
}

function unfetched(url: string): Draft<'message'> {
	const facts = {url, finalUrl: url, status: 0, mediaType: '', bytes: 0, textBytes: 0, sha256: '', fetchedAt: ''};
	const origin = {kind: 'web', ...facts, sentBytes: 0, truncated: false};
	return {type: 'message', role: 'system', text: '', origin};
}

function failed(reason: FetchError['reason'], detail: string): AttachmentFailed {
	return {ok: false, reason: 'fetch', detail: fetchProblem(reason, detail)};
}

function attachmentOf(fetched: FetchedText, maxBytes: number): Attachment {
	const bytes = Math.min(fetched.text.length, maxBytes);
	return {
		ok: true,
		bytes,
		within: left => (bytes > 0 && left === 0 ? undefined : pageDraft(fetched, Math.min(maxBytes, left))),
	};
}

function pageDraft({text, facts}: FetchedText, maxBytes: number): Draft<'message'> {
	const {body = '', next = 0, isCut = false} = partOf(text, {first: 0}, maxBytes) ?? {};
	const note = isCut ? webTexts.cutAttachment(text.length, facts.url, next) : '';
	return {
		type: 'message',
		role: 'system',
		text: `${webHeader(facts)}\n${text.length === 0 ? webTexts.empty : body}${note}`,
		origin: {kind: 'web', ...facts, sentBytes: Buffer.byteLength(body), truncated: isCut},
	};
}

/** A resource that was read. */
type ReadResource = {
	readonly server: string;
	readonly uri: string;
	readonly mime: string | undefined;
	readonly text: string;
};

function draftOf({server, uri, mime, text}: ReadResource, maxBytes: number): Draft<'message'> {
	const all = Buffer.from(text);
	const isCut = all.length > maxBytes;
	const body = isCut ? truncateBody(all, maxBytes).body : text;
	const note = isCut ? `\n${en`[...truncated, ${all.length} bytes total]`}` : '';
	const sent = Buffer.byteLength(body);
	return {
		type: 'message',
		role: 'system',
		// According to the system prompt, the contents of a [File: …] are data, whoever sent them.
		text: `[File: ${onOneLine(`${server}:${uri}`)}]\n${body}${note}`,
		origin: {
			kind: 'resource',
			server,
			uri: uri.toWellFormed(),
			...(mime !== undefined && {mime: mime.slice(0, 200).toWellFormed()}),
			bytes: sent,
			totalBytes: all.length,
			lines: countedLines(body),
			truncated: isCut,
			sha256: hash('sha256', text),
		},
	};
}
