import {hash} from 'node:crypto';
import {resolve} from 'node:path';
import type {Draft} from '../../../worker/index.ts';
import {maxMedia, type FileRefLimits} from '../../config/limits.ts';
import {
	isWebRef,
	rangeSuffix,
	resourceOf,
	type FileRef,
	type RefFailure,
	type Segment,
	type Origin,
} from '../../protocol.ts';
import type {Scope} from '../../scope/scope.ts';
import type {Attachment, AttachmentFailed} from './attachment.ts';
import {diskPath} from '../../scope/disk-path.ts';
import type {HashedFolder} from '../../disk/bodies/hashed-files.ts';
import {failureSentence} from './failure.ts';
import {readRef, type RefResources, type WebRefReader} from './file-ref.ts';
import {readMediaRef} from './file-ref.ts';
import {countedLines} from '../../ground/text/lines.ts';
import {onOneLine} from '../../ground/text/one-line.ts';

/** The result for one distinct path and range. `sentence` explains why the file was not attached. */
export type ResolvedRef =
	| {
			readonly ok: true;
			readonly key: string;
			readonly ref: FileRef;
			readonly draft: Draft<'message'>;
			readonly media?: Buffer;
	  }
	| {
			readonly ok: false;
			readonly key: string;
			readonly ref: FileRef;
			readonly reason: RefFailure;
			readonly sentence: string;
			readonly real?: string;
	  };

type RefProgress = (key: string, state: 'reading' | 'read' | RefFailure) => void;

export type RefsOptions = {
	readonly scope: Scope;
	readonly limits: FileRefLimits;
	readonly signal: AbortSignal;
	/** The folder of the pasted images. */
	readonly pasted?: HashedFolder | undefined;
	/** Fetches web pages. If absent, no page is fetched. */
	readonly web?: WebRefReader | undefined;
	/** Reads the resources of MCP servers. If absent, there are no resources. */
	readonly resources?: RefResources | undefined;
	/** The function that is called with the progress of each ref, for the ref's chip (see `refKey`). */
	readonly progress?: RefProgress;
};

/**
Returns the key of a ref. Refs to the same absolute path and range are one attachment. A NUL byte separates path and
range, because a file may have the name `x:10`.
*/
export function refKey(scope: Scope, ref: FileRef): string {
	const name =
		ref.pasted ??
		(isWebRef(ref) || resourceOf(ref) !== undefined ? ref.path : undefined) ??
		resolve(scope.pwd, diskPath(ref.path, scope));
	const sent = ref.sent === undefined ? '' : `\0${hash('sha256', ref.sent.text)}`;
	return `${name}\0${rangeSuffix(ref.range)}${sent}`;
}

/**
Reads the file refs of a message in parallel, and returns each distinct ref once. Gives each ref its share of the
message's bytes, in order of occurrence. After an abort some refs are `aborted`, so the caller must check the signal.
*/
export async function resolveRefs(segments: readonly Segment[], options: RefsOptions): Promise<ResolvedRef[]> {
	const {scope, limits, progress} = options;
	const distinct = new Map<string, FileRef>();
	for (const segment of segments) {
		if (segment.type !== 'file_ref') continue;
		const key = refKey(scope, segment);
		const earlier = distinct.get(key);
		const confirmed = segment.confirmed && {confirmed: segment.confirmed};
		if (earlier === undefined || confirmed) distinct.set(key, {...segment, ...earlier, ...confirmed});
	}
	const sent = [...distinct].filter(([, ref]) => ref.sent !== undefined);
	const others = [...distinct].filter(([, ref]) => ref.sent === undefined);
	const read = share(await readInBatches(others, options), limits.maxTotalBytes);
	const byKey = new Map([...read, ...sent.map(sentRef)].map(part => [part.key, part]));
	const shared = [...distinct.keys()].flatMap(key => byKey.get(key) ?? []);
	const resolved = await Promise.all(
		shared.map(async part => (part.ok ? part : {...part, sentence: await sentenceFor(part, options)})),
	);
	for (const part of resolved) progress?.(part.key, part.ok ? 'read' : part.reason);
	return resolved;
}

type Read = {readonly key: string; readonly ref: FileRef; readonly found: Attachment | AttachmentFailed};
type Shared = Extract<ResolvedRef, {ok: true}> | (AttachmentFailed & Omit<Read, 'found'>);

/**
Reads refs in order until `maxFiles` files are read. Reads as many refs in parallel as the limit still allows. Failed
refs do not count towards this limit, so another limit applies to the number of attempts. Images and documents have
their own limit: after the last file, only they are read.
*/
async function readInBatches(
	refs: ReadonlyArray<readonly [key: string, ref: FileRef]>,
	options: RefsOptions,
): Promise<Read[]> {
	const {limits, progress} = options;
	const tried = refs.slice(0, Math.max(limits.maxFiles, maxTried));
	const read: Read[] = [];
	let left = limits.maxFiles;
	let media = 0;
	while (read.length < tried.length && (left > 0 || media < maxMedia)) {
		const size = left > 0 ? left : maxMedia - media;
		const batch = await Promise.all(
			tried.slice(read.length, read.length + size).map(async ([key, ref]) => {
				progress?.(key, 'reading');
				return {key, ref, found: left > 0 ? await readRef(ref, options) : await readIfMedia(ref, options)};
			}),
		);
		for (const each of batch) {
			const isMedia = each.found.ok && each.found.media !== undefined;
			if (isMedia) media += 1;
			else if (each.found.ok) left -= 1;
			read.push(isMedia && media > maxMedia ? {...each, found: {...tooMany, isMedia}} : each);
		}
	}
	const beyond = refs.slice(read.length).map(([key, ref]) => ({key, ref, found: tooMany}));
	return [...read, ...beyond];
}

/** Reads a ref after the last file. Anything except an image or document exceeds the limit. */
async function readIfMedia(ref: FileRef, options: RefsOptions): Promise<Read['found']> {
	if (ref.pasted !== undefined) return readRef(ref, options);
	if (isWebRef(ref)) return tooMany;
	const found = await readMediaRef(options.scope, ref, options.signal);
	return found.ok ? found : tooMany;
}

const tooMany = {ok: false, reason: 'too_many'} as const;
const maxTried = 64;

/** Distributes the bytes among the refs. The ref that exceeds the total is cut, and all later refs fail. */
function share(read: readonly Read[], maxTotalBytes: number): Shared[] {
	let left = maxTotalBytes;
	let spent = false;
	return read.map(({key, ref, found}) => {
		if (!found.ok) return {...found, key, ref};
		const draft = spent && found.media === undefined ? undefined : found.within(left);
		spent ||= found.bytes > left;
		if (draft === undefined) return {ok: false, key, ref, reason: 'budget'};
		left -= Math.min(left, found.bytes);
		return {ok: true, key, ref, draft, media: found.media};
	});
}

/**
Returns the result for text that an editor sent. The text is attached unchanged, and does not count towards the limit of
files.
*/
function sentRef([key, ref]: readonly [key: string, ref: FileRef]): Shared {
	return {ok: true, key, ref, draft: sentDraft(ref)};
}

async function sentenceFor(
	{ref, reason, ...known}: Extract<Shared, {ok: false}>,
	{scope, limits, signal}: RefsOptions,
): Promise<string> {
	const nearest =
		reason === 'not_found' && ref.pasted === undefined && !isWebRef(ref) && !signal.aborted
			? await nearestTo(diskPath(ref.path, scope), scope, signal)
			: [];
	return failureSentence(ref, reason, {...known, limits, nearest});
}

/** Finds similar paths. The code of the search is loaded only for a missing file. */
async function nearestTo(path: string, scope: Scope, signal: AbortSignal): Promise<string[]> {
	const {nearestPaths} = await import('./nearest.ts');
	return nearestPaths(scope, path, signal);
}

/** Returns the draft of the system item for text that an editor sent. The text is not changed. */
function sentDraft({path, range, sent = {uri: '', text: ''}}: FileRef): Draft<'message'> {
	const {uri, mime, text} = sent;
	const origin: Origin = {
		kind: 'editor',
		path: path.toWellFormed(),
		uri,
		mime,
		bytes: Buffer.byteLength(text),
		lines: countedLines(text),
		sha256: hash('sha256', text),
	};
	// According to the system prompt, the contents of a [File: …] are data, whoever sent them.
	const header = `[File: ${onOneLine(path)}${rangeSuffix(range)}]`;
	return {type: 'message', role: 'system', text: `${header}\n${text}`, origin};
}
