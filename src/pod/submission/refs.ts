import {resolve} from 'node:path';
import type {Draft} from '../../worker/index.ts';
import type {FileRefLimits} from '../config/limits.ts';
import {rangeSuffix, type FileRef, type RefFailure, type Segment} from '../protocol.ts';
import type {Scope} from '../scope/scope.ts';
import type {Attachment, AttachmentFailed} from './attachment.ts';
import {diskPath} from '../scope/disk-path.ts';
import {failureSentence} from './failure.ts';
import {readRef} from './file-ref.ts';

/** The result of one distinct path and range. `sentence` tells why it was not attached. */
export type ResolvedRef =
	| {readonly ok: true; readonly key: string; readonly ref: FileRef; readonly draft: Draft<'message'>}
	| {
			readonly ok: false;
			readonly key: string;
			readonly ref: FileRef;
			readonly reason: RefFailure;
			readonly sentence: string;
			readonly real?: string;
	  };

export type RefProgress = (key: string, state: 'reading' | 'read' | RefFailure) => void;

export type RefsOptions = {
	readonly scope: Scope;
	readonly limits: FileRefLimits;
	readonly signal: AbortSignal;
	/** It is called with the progress of each ref, for the ref's chip; see `refKey`. */
	readonly progress?: RefProgress;
};

/**
Returns the key of a ref. Refs to the same absolute path and range are one attachment.
A NUL byte separates the two, because a file may have the name `x:10`.
*/
export function refKey(scope: Scope, ref: FileRef): string {
	return `${resolve(scope.pwd, diskPath(ref.path, scope))}\0${rangeSuffix(ref.range)}`;
}

/**
Reads the file refs of a message in parallel, and returns each distinct ref once.
It gives each ref its share of the message's bytes, in order of occurrence.
After an abort some refs are `aborted`, so the caller checks the signal.
*/
export async function resolveRefs(segments: readonly Segment[], options: RefsOptions): Promise<ResolvedRef[]> {
	const {scope, limits, signal, progress} = options;
	const distinct = new Map<string, FileRef>();
	for (const segment of segments) {
		if (segment.type !== 'file_ref') continue;
		const key = refKey(scope, segment);
		const earlier = distinct.get(key);
		const confirmed = segment.confirmed && {confirmed: segment.confirmed};
		if (earlier === undefined || confirmed) distinct.set(key, {...segment, ...earlier, ...confirmed});
	}
	const read = await Promise.all(
		[...distinct].map(async ([key, ref], index) => {
			if (index >= limits.maxFiles) return {key, ref, found: {ok: false, reason: 'too_many'} as const};
			progress?.(key, 'reading');
			return {key, ref, found: await readRef(scope, ref, limits, signal)};
		}),
	);
	const shared = share(read, limits.maxTotalBytes);
	const resolved = await Promise.all(
		shared.map(async part => (part.ok ? part : {...part, sentence: await sentenceFor(part, options)})),
	);
	for (const part of resolved) progress?.(part.key, part.ok ? 'read' : part.reason);
	return resolved;
}

type Read = {readonly key: string; readonly ref: FileRef; readonly found: Attachment | AttachmentFailed};
type Shared = Extract<ResolvedRef, {ok: true}> | (AttachmentFailed & Omit<Read, 'found'>);

/** Distributes the bytes. It cuts the ref that exceeds the total, and all later refs fail. */
function share(read: readonly Read[], maxTotalBytes: number): Shared[] {
	let left = maxTotalBytes;
	let spent = false;
	return read.map(({key, ref, found}) => {
		if (!found.ok) return {...found, key, ref};
		const draft = spent ? undefined : found.within(left);
		spent ||= found.bytes > left;
		if (draft === undefined) return {ok: false, key, ref, reason: 'budget'};
		left -= Math.min(left, found.bytes);
		return {ok: true, key, ref, draft};
	});
}

async function sentenceFor(
	{ref, reason, ...known}: Extract<Shared, {ok: false}>,
	{scope, limits, signal}: RefsOptions,
): Promise<string> {
	const nearest =
		reason === 'not_found' && !signal.aborted ? await nearestTo(diskPath(ref.path, scope), scope, signal) : [];
	return failureSentence(ref, reason, {...known, limits, nearest});
}

/** Finds similar paths. It loads the search only for a missing file. */
async function nearestTo(path: string, scope: Scope, signal: AbortSignal): Promise<string[]> {
	const {nearestPaths} = await import('./nearest.ts');
	return nearestPaths(scope, path, signal);
}
