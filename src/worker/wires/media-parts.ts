import type {Media} from '../history/media.ts';
import type {ModelMessage, ModelRequest} from '../history/model.ts';
import type {RewriteRule} from '../history/rewrites.ts';
import {mediaProblems, type MediaLimits} from './media-limits.ts';

/**
What is sent for the image or document of a message: its bytes as base64, or a line that says why the bytes are not
sent.
*/
type SentMedia =
	| {readonly mime: string; readonly data: string}
	| {readonly line: string; readonly rule: Extract<RewriteRule, 'missing_media' | 'unsent_media'>};

/** What is sent for the image or document of each message that has one. */
export type MediaByMessage = ReadonlyMap<ModelMessage, SentMedia>;

/**
The lines that replace images and documents that are not sent. The model reads these lines, so they must never change.
*/
export const mediaLines = {
	missing_media: '[It is not sent: its file is missing or was changed.]',
	unsent_media: '[It is not sent: this model does not take it.]',
} as const;

/**
Reads the images and documents of a request that the server accepts. Their bytes are in memory only while they are sent.
*/
export async function loadMedia({messages, readMedia}: ModelRequest, limits: MediaLimits): Promise<MediaByMessage> {
	const withMedia = messages.flatMap(message =>
		message.role === 'user' && message.media !== undefined ? [{message, media: message.media}] : [],
	);
	if (withMedia.length === 0) return new Map();
	if (readMedia === undefined) throw new Error('a request with images needs readMedia');
	const problems = mediaProblems(
		withMedia.map(({media}) => media),
		limits,
	);
	const sent = new Map<ModelMessage, SentMedia>();
	for (const [index, {message, media}] of withMedia.entries())
		sent.set(message, problems[index] === undefined ? await partOf(media, readMedia) : replacedBy('unsent_media'));
	return sent;
}

async function partOf(media: Media, readMedia: NonNullable<ModelRequest['readMedia']>): Promise<SentMedia> {
	const data = await readMedia(media);
	if (data === undefined) return replacedBy('missing_media');
	return {mime: media.mime, data};
}

function replacedBy(rule: keyof typeof mediaLines): SentMedia {
	return {line: mediaLines[rule], rule};
}
