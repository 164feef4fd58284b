import {en} from '../../../language/index.ts';
import {onOneLine} from '../../ground/text/one-line.ts';
import type {Draft} from '../../../worker/index.ts';
import type {FileRefLimits} from '../../config/limits.ts';
import {isWebRef, rangeSuffix, resourceOf, type FileRef, type Origin} from '../../protocol.ts';
import {truncateBody} from '../../ground/text/line-window.ts';
import {locate} from '../../scope/locate.ts';
import {factsOf, readText, type NotRead, type ReadText} from '../../scope/read.ts';
import type {Scope} from '../../scope/scope.ts';
import type {Attachment, AttachmentFailed} from './attachment.ts';
import {diskPath} from '../../scope/disk-path.ts';
import type {HashedFolder} from '../../disk/bodies/hashed-files.ts';
import {splitRange} from './token.ts';
import {openDir, type Entry, type OpenedDir} from '../../scope/disk-path.ts';
import {readMediaFile, type ReadMediaFile} from '../../scope/read-media.ts';
import {readPasted} from '../../disk/bodies/pasted.ts';
import {mediaHeader} from './texts.ts';

type ReadRefOptions = {
	readonly scope: Scope;
	readonly limits: FileRefLimits;
	readonly signal: AbortSignal;
	readonly pasted?: HashedFolder | undefined;
	readonly web?: WebRefReader | undefined;
	/** Reads the resources of MCP servers. */
	readonly resources?: RefResources | undefined;
};

/** Reads the resources that refs name. `servers` are the names of the servers that exist. */
export type RefResources = {
	readonly servers: ReadonlySet<string>;
	readonly read: (
		resource: {readonly server: string; readonly uri: string},
		maxBytes: number,
		signal: AbortSignal,
	) => Promise<Attachment | AttachmentFailed>;
};

/** Fetches the page of a ref. The text is cut to `maxBytes`. */
export type WebRefReader = (
	url: string,
	maxBytes: number,
	signal: AbortSignal,
) => Promise<Attachment | AttachmentFailed>;

/** Reads the file, directory or web page of a ref. In a user's path `~/` is the home folder. */
export async function readRef(
	ref: FileRef,
	{scope, limits, signal, pasted, web, resources}: ReadRefOptions,
): Promise<Attachment | AttachmentFailed> {
	if (ref.pasted !== undefined) return readPastedRef(ref, ref.pasted, pasted);
	const {maxBytes, maxScanBytes} = limits;
	if (isWebRef(ref)) {
		if (ref.range !== undefined) return {ok: false, reason: 'bad_range'};
		return (await web?.(ref.path, maxBytes, signal)) ?? {ok: false, reason: 'io'};
	}
	const resource = resourceOf(ref);
	if (resource !== undefined && resources?.servers.has(resource.server) === true) {
		if (ref.range !== undefined) return {ok: false, reason: 'bad_range'};
		return resources.read(resource, maxBytes, signal);
	}
	const confirmed = typeof ref.confirmed === 'string' ? ref.confirmed : undefined;
	const read = await readText(scope, diskPath(ref.path, scope), {
		range: ref.range,
		maxBytes,
		maxScanBytes,
		confirmed,
		signal,
	});
	if (isMediaFile(read)) return readMediaRef(scope, ref, signal);
	if (read.ok)
		return {
			ok: true,
			bytes: read.bytes,
			within: left => (read.bytes > 0 && left === 0 ? undefined : fileDraft(ref, cutTo(read, left))),
		};
	if (read.reason === 'not_found' && (await namesLineZero(scope, ref))) return {ok: false, reason: 'bad_range'};
	if (read.reason !== 'is_directory') return {...read, reason: read.reason};
	const dir = await readDir(scope, ref, signal);
	return dir.ok ? {ok: true, bytes: dir.bytes, within: left => (dir.bytes <= left ? dir.draft : undefined)} : dir;
}

/**
Reads the image or document of a ref. For any other file, the failure is `binary`. A ref with a range of lines fails
with `bad_range`.
*/
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

/** Tells whether a file is an image or document. Images are not text. A PDF document may be valid text. */
function isMediaFile(read: ReadText | NotRead): boolean {
	return read.ok ? read.body.startsWith('%PDF-') : read.reason === 'binary';
}

/** Tells whether the path names an existing file and line 0. No file has a line 0. */
async function namesLineZero(scope: Scope, ref: FileRef): Promise<boolean> {
	const split = ref.range === undefined ? splitRange(ref.path) : undefined;
	if (split === undefined || split.range !== undefined) return false;
	const place = await locate(scope, diskPath(split.path, scope));
	return place.ok && place.exists;
}

function cutTo(read: ReadText, maxBytes: number): ReadText {
	return read.bytes <= maxBytes
		? read
		: {...read, ...truncateBody(Buffer.from(read.body), maxBytes), truncated: true};
}

function fileDraft({path, range}: FileRef, read: ReadText): Draft<'message'> {
	const {body, totalBytes, truncated} = read;
	const note = truncated ? `\n${en`[...truncated, ${totalBytes} bytes total — use read_file for the rest]`}` : '';
	return {
		type: 'message',
		role: 'system',
		text: `[File: ${onOneLine(path)}${rangeSuffix(range)}]\n${body}${note}`,
		origin: {kind: 'file', path, range, ...factsOf(read)},
	};
}

const maxEntries = 100;

/** Reads a directory as an attachment that lists its direct entries by name. */
async function readDir(
	scope: Scope,
	ref: FileRef,
	signal: AbortSignal,
): Promise<{readonly ok: true; readonly draft: Draft<'message'>; readonly bytes: number} | AttachmentFailed> {
	if (ref.range !== undefined) return {ok: false, reason: 'bad_range', lineless: true};
	const dir = await openDir(scope, diskPath(ref.path, scope), {limit: maxEntries, signal});
	if (!dir.ok)
		return {ok: false, reason: dir.reason === 'not_a_directory' ? 'not_found' : dir.reason, cause: dir.cause};
	const body = listing(dir);
	const origin = {kind: 'dir', path: ref.path, entries: dir.total, truncated: dir.total > dir.entries.length};
	return {
		ok: true,
		draft: {type: 'message', role: 'system', text: `[Dir: ${onOneLine(ref.path)}]\n${body}`, origin},
		bytes: Buffer.byteLength(body),
	};
}

function listing({entries, total}: OpenedDir): string {
	if (total === 0) return en`(empty directory)`;
	const lines = entries.map(entry => inOneLine(entry.name) + marks[entry.kind]);
	return [
		...lines,
		...(total > entries.length ? [en`[...truncated, ${total} entries total — use glob for the rest]`] : []),
	].join('\n');
}

const marks: Readonly<Record<Entry['kind'], string>> = {directory: '/', symlink: '@', file: '', other: ''};

/**
Returns a name on one line. A name with a control character becomes a JSON string, so that the name cannot imitate more
entries.
*/
function inOneLine(name: string): string {
	return /[\u0000-\u001F\u007F-\u009F\u2028\u2029]/.test(name) ? JSON.stringify(name) : name;
}

/** Reads a pasted image, which is in no folder of the scope. */
async function readPastedRef(
	ref: FileRef,
	sha256: string,
	folder: HashedFolder | undefined,
): Promise<Attachment | AttachmentFailed> {
	const read = folder === undefined ? undefined : await readPasted(folder, sha256);
	if (read === undefined) return {ok: false, reason: 'not_found', isMedia: true};
	if (ref.range !== undefined) return {ok: false, reason: 'bad_range', isMedia: true};
	return mediaAttachment(ref.path, read);
}

/**
Returns the attachment for an image or document. The attachment does not count towards the message's limit of text.
*/
function mediaAttachment(path: string, {type, bytes, sha256}: Omit<ReadMediaFile, 'ok'>): Attachment {
	const name = path.toWellFormed();
	const origin: Origin = {...type, path: name, bytes: bytes.length, sha256};
	const draft: Draft<'message'> = {type: 'message', role: 'system', text: mediaHeader(name, origin), origin};
	return {ok: true, bytes: 0, media: bytes, within: () => draft};
}
