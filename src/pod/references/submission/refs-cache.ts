import {stat} from 'node:fs/promises';
import {rangeSuffix, type FileRef, type Segment} from '../../protocol.ts';
import {locate} from '../../scope/locate.ts';
import type {Scope} from '../../scope/scope.ts';
import {diskPath} from '../../scope/disk-path.ts';
import {resolveRefs, type RefsOptions, type ResolvedRef} from './refs.ts';

/** Resolves the refs of a draft as a submit does, but only if the refs or their files have changed. */
export type RefsCache = {
	resolve(segments: readonly Segment[], options: RefsOptions): Promise<readonly ResolvedRef[]>;
};

/**
Creates a cache of the last few lists of refs.
A result is valid while every ref leads to the same real path with the same size and times.
It does not cache a file that has just changed, because a second change could have the same time.
*/
export function createRefsCache(): RefsCache {
	/** The results by list of refs, with the most recently used last. */
	const cached = new Map<string, {readonly state: string; readonly refs: readonly ResolvedRef[]}>();
	return {
		async resolve(segments, options) {
			const files = segments.filter(segment => segment.type === 'file_ref');
			if (files.length === 0) return [];
			const list = JSON.stringify([
				files.map(written),
				options.limits,
				options.scope.pwd,
				options.scope.readRoots,
				[...(options.resources?.servers ?? [])],
			]);
			const {state, settled} = await stateOf(files.slice(0, maxFiles), options);
			const earlier = cached.get(list);
			cached.delete(list);
			if (earlier?.state === state) {
				cached.set(list, earlier);
				return earlier.refs;
			}
			const refs = (await resolveRefs(files, options)).map(withoutBytes);
			if (settled && !options.signal.aborted && files.length <= maxFiles && refs.every(isCacheable))
				cached.set(list, {state, refs});
			for (const oldest of [...cached.keys()].slice(0, Math.max(0, cached.size - maxLists)))
				cached.delete(oldest);
			return refs;
		},
	};
}

const maxLists = 4;
const maxFiles = 32;
/** The precision of most file times, in milliseconds. On some file systems the precision is two seconds. */
const timePrecisionMs = 50;

/** The bytes of an image are needed only when it is sent. */
function withoutBytes(resolved: ResolvedRef): ResolvedRef {
	if (!resolved.ok || resolved.media === undefined) return resolved;
	const {media: _, ...rest} = resolved;
	return rest;
}

/** Tells whether a result may be cached. A system error may not occur the next time, so it is not cached. */
function isCacheable(ref: ResolvedRef): boolean {
	return ref.ok || ref.reason !== 'io';
}

function written({path, range, confirmed, pasted}: FileRef): string[] {
	return [path, rangeSuffix(range), String(confirmed ?? ''), pasted ?? ''];
}

/** Returns the state of files without reading their contents. */
async function stateOf(
	refs: readonly FileRef[],
	{scope, signal}: RefsOptions,
): Promise<{readonly state: string; readonly settled: boolean}> {
	const now = Date.now();
	const states = await Promise.all(refs.map(async ({path}) => placeState(scope, diskPath(path, scope), signal)));
	return {state: JSON.stringify(states), settled: states.every(({changed = 0}) => changed < now - timePrecisionMs)};
}

type PlaceState = {readonly real?: string; readonly is: string; readonly changed?: number};

async function placeState(scope: Scope, path: string, signal: AbortSignal): Promise<PlaceState> {
	signal.throwIfAborted();
	const place = await locate(scope, path);
	if (!place.ok) return {is: place.reason};
	if (!place.exists) return {real: place.real, is: 'missing'};
	try {
		const {dev, ino, mode, size, mtimeMs, ctimeMs} = await stat(place.real);
		return {real: place.real, is: [dev, ino, mode, size, mtimeMs].join(' '), changed: ctimeMs};
	} catch {
		return {real: place.real, is: 'gone'};
	}
}
