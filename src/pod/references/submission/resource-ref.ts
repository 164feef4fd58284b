import {en} from '../../../language/index.ts';
import {hash} from 'node:crypto';
import type {Draft} from '../../../worker/index.ts';
import {countedLines} from '../../ground/text/counted-lines.ts';
import {truncateBody} from '../../ground/text/line-window.ts';
import {onOneLine} from '../../ground/text/one-line.ts';
import type {Attachment, AttachmentFailed} from './attachment.ts';

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

/** A resource that was read. */
type ReadResource = {
	readonly server: string;
	readonly uri: string;
	readonly mime: string | undefined;
	readonly text: string;
};

/** Returns the attachment of a resource, cut to a number of bytes. */
export function resourceAttachment(read: ReadResource, maxBytes: number): Attachment {
	const bytes = Math.min(Buffer.byteLength(read.text), maxBytes);
	return {
		ok: true,
		bytes,
		within: left => (bytes > 0 && left === 0 ? undefined : draftOf(read, Math.min(maxBytes, left))),
	};
}

function draftOf({server, uri, mime, text}: ReadResource, maxBytes: number): Draft<'message'> {
	const all = Buffer.from(text);
	const isCut = all.length > maxBytes;
	const body = isCut ? truncateBody(all, maxBytes).body : text;
	const note = isCut ? `\n${en`[...truncated, ${all.length} bytes total]`}` : '';
	const sent = Buffer.byteLength(body);
	return {
		type: 'message',
		role: 'system',
		// The system prompt calls the contents of a [File: …] data, whoever sent them.
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
