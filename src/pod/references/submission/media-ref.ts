import type {Draft} from '../../../worker/index.ts';
import type {FileRef, Origin} from '../../protocol.ts';
import {diskPath} from '../../scope/disk-path.ts';
import {readMediaFile, type ReadMediaFile} from '../../scope/read-media.ts';
import type {Scope} from '../../scope/scope.ts';
import type {HashedFolder} from '../../disk/bodies/hashed-files.ts';
import {readPasted} from '../../disk/bodies/pasted.ts';
import type {Attachment, AttachmentFailed} from './attachment.ts';
import {mediaHeader} from './texts.ts';

/** Reads the image or document of a ref. Another file is `binary`. A range of lines has no meaning in it. */
export async function readMediaRef(
	scope: Scope,
	ref: FileRef,
	signal: AbortSignal,
): Promise<Attachment | AttachmentFailed> {
	const confirmed = typeof ref.confirmed === 'string' ? ref.confirmed : undefined;
	const read = await readMediaFile(scope, diskPath(ref.path, scope), {confirmed, signal});
	if (!read.ok) return {...read, reason: read.reason === 'is_directory' ? 'not_found' : read.reason, isMedia: true};
	if (ref.range !== undefined) return {ok: false, reason: 'bad_range', isMedia: true};
	return mediaAttachment(ref.path, read);
}

/** Reads a pasted image, which is in no folder of the scope. */
export async function readPastedRef(
	ref: FileRef,
	sha256: string,
	folder: HashedFolder | undefined,
): Promise<Attachment | AttachmentFailed> {
	const read = folder === undefined ? undefined : await readPasted(folder, sha256);
	if (read === undefined) return {ok: false, reason: 'not_found', isMedia: true};
	if (ref.range !== undefined) return {ok: false, reason: 'bad_range', isMedia: true};
	return mediaAttachment(ref.path, read);
}

/** Returns the attachment of bytes that were read. It takes no part of the message's limit of text. */
function mediaAttachment(path: string, {type, bytes, sha256}: Omit<ReadMediaFile, 'ok'>): Attachment {
	const name = path.toWellFormed();
	const origin: Origin = {...type, path: name, bytes: bytes.length, sha256};
	const draft: Draft<'message'> = {type: 'message', role: 'system', text: mediaHeader(name, origin), origin};
	return {ok: true, bytes: 0, media: bytes, within: () => draft};
}
