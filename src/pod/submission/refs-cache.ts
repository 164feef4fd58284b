import {stat} from 'node:fs/promises';
import {rangeSuffix, type FileRef, type Segment} from '../protocol.ts';
import {locate} from '../scope/locate.ts';
import type {Scope} from '../scope/scope.ts';
import {diskPath} from './disk-path.ts';
import {resolveRefs, type RefsOptions, type ResolvedRef} from './refs.ts';

/** Resolves the refs of a draft as a submit does, and again only when the refs or what they name have changed. */
export type RefsCache = {
	resolve(segments: readonly Segment[], options: RefsOptions): Promise<readonly ResolvedRef[]>;
};

/**
A memory of the last few lists of refs. What was found holds as long as every ref leads to the same real path with the
same size and times. A change within the clock's grain could go unseen: what was changed a moment ago is not remembered.
*/
export function createRefsCache(): RefsCache {
	/** By list of refs, the one that was asked for last at the end. */
	const known = new Map<string, {readonly state: string; readonly refs: readonly ResolvedRef[]}>();
	return {
		async resolve(segments, options) {
			const files = segments.filter(segment => segment.type === 'file_ref');
			if (files.length === 0) return [];
			const list = JSON.stringify([
				files.map(written),
				options.limits,
				options.scope.pwd,
				options.scope.readRoots,
			]);
			const {state, settled} = await stateOf(files.slice(0, mostFiles), options);
			const earlier = known.get(list);
			known.delete(list);
			if (earlier?.state === state) {
				known.set(list, earlier);
				return earlier.refs;
			}
			const refs = await resolveRefs(files, options);
			if (settled && !options.signal.aborted && files.length <= mostFiles && refs.every(isLasting))
				known.set(list, {state, refs});
			if (known.size > mostLists) known.delete(known.keys().next().value!);
			return refs;
		},
	};
}

const mostLists = 4;
const mostFiles = 32;
/** In milliseconds: file systems note times in steps of up to two seconds, most of them of a few milliseconds. */
const grain = 50;

/** What failed in the system may succeed the next time. */
function isLasting(ref: ResolvedRef): boolean {
	return ref.ok || ref.reason !== 'io';
}

function written({path, range, confirmed}: FileRef): string[] {
	return [path, rangeSuffix(range), String(confirmed ?? '')];
}

/** What can be known of files without reading them. */
async function stateOf(
	refs: readonly FileRef[],
	{scope, signal}: RefsOptions,
): Promise<{readonly state: string; readonly settled: boolean}> {
	const now = Date.now();
	const states = await Promise.all(refs.map(async ({path}) => placeState(scope, diskPath(path), signal)));
	return {state: JSON.stringify(states), settled: states.every(({changed = 0}) => changed < now - grain)};
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
