import {setImmediate as nextTurn} from 'node:timers/promises';
import {estimateMedia, type Draft} from '../../../worker/index.ts';
import {mediaOf} from '../../ground/history/media-of.ts';
import {estimateTokens} from '../../ground/text/tokens.ts';
import {
	flatten,
	narrowOrigin,
	type PasteForecast,
	type Preflight,
	type RefForecast,
	type Segment,
	type SegmentOf,
	rangeSuffix,
	type FileRef,
} from '../../protocol.ts';
import {existsIn, type Exists, diskPath} from '../../scope/disk-path.ts';
import type {MediaCheck} from './media-check.ts';
import {parseDraft} from './parse.ts';
import {forecastResource} from './web-ref.ts';
import {forecastPage} from './web-ref.ts';
import {type RefsOptions, type ResolvedRef, resolveRefs} from './refs.ts';
import {invokeWorkflows, noWorkflows, type WorkflowSource} from './workflow.ts';
import {stat} from 'node:fs/promises';
import {locate} from '../../scope/locate.ts';
import type {Scope} from '../../scope/scope.ts';

export type PreflightOptions = Omit<RefsOptions, 'progress' | 'web' | 'resources'> & {
	/** The names of the MCP servers. */
	readonly servers?: () => Promise<ReadonlySet<string>>;
	readonly workflows?: WorkflowSource;
	readonly media?: MediaCheck;
	/** The results of earlier preflights. With them, a preflight does not read an unchanged file at every edit. */
	readonly cache?: RefsCache;
};

/**
Returns the effect that a draft would have if it were sent now. Uses the same resolver as a submit. Commits nothing and
runs no hook. If the signal is aborted, it rejects with the signal's reason.
*/
export async function preflight(draft: readonly Segment[], options: PreflightOptions): Promise<Preflight> {
	const {scope, signal, workflows = noWorkflows, cache = processCache} = options;
	signal.throwIfAborted();
	const slugs = await workflows.slugs();
	const servers = (await options.servers?.()) ?? new Set<string>();
	const {segments} = await parseDraft(draft.map(withoutOutcome), abortable(existsIn(scope), signal), {
		knows: slug => slugs.get(slug) === 'anywhere',
		servers,
	});
	const invoked = await invokeWorkflows(segments, workflows, slugs, signal);
	signal.throwIfAborted();
	const refs = await cache.resolve(segments, {
		...options,
		web: forecastPage,
		resources: {servers, read: async resource => forecastResource(resource)},
	});
	signal.throwIfAborted();
	const attached = [...refs.flatMap(ref => (ref.ok ? [ref.draft] : [])), ...(invoked.ok ? invoked.drafts : [])];
	let tokens = attached.reduce((total, draft) => total + tokensOf(draft), 0);
	const pastes: PasteForecast[] = [];
	for (const segment of segments) {
		const own = await tokensOfSegment(segment, signal);
		tokens += own;
		if (segment.type === 'paste') pastes.push(forecastPaste(segment, own));
	}
	const problems = (await options.media?.problems(refs)) ?? new Map<string, string>();
	signal.throwIfAborted();
	const rejection = invoked.ok ? [...problems.values()].at(0) : invoked.sentence;
	return {
		segments,
		refs: refs.map(ref => forecast(ref, problems.get(ref.key))),
		...(pastes.length > 0 && {pastes}),
		tokens,
		rejection,
	};
}

/**
Creates a cache of the last few lists of refs.
A result is valid while every ref leads to the same real path with the same size and times.
The cache does not store the result for a file that has just changed, because a second change could have the same time.
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

const processCache = createRefsCache();

/**
Returns a segment without its outcome. A rejected submission returns as a draft with the outcomes of its last attempt.
*/
function withoutOutcome(segment: Segment): Segment {
	if (segment.type !== 'file_ref' || segment.outcome === undefined) return segment;
	const {outcome: _, ...ref} = segment;
	return ref;
}

function abortable(exists: Exists, signal: AbortSignal): Exists {
	return async path => {
		signal.throwIfAborted();
		return exists(path);
	};
}

/**
Counts the tokens of a segment. A paste is the same object at every edit, so its tokens are counted only once, in
pieces.
*/
async function tokensOfSegment(segment: Segment, signal: AbortSignal): Promise<number> {
	if (segment.type !== 'paste') return estimateTokens(flatten([segment]));
	const known = pasteTokens.get(segment);
	if (known !== undefined) return known;
	let tokens = 0;
	for (let at = 0; at < segment.content.length; at += pieceLength) {
		if (at > 0) await nextTurn();
		signal.throwIfAborted();
		tokens += estimateTokens(segment.content.slice(at, at + pieceLength));
	}
	pasteTokens.set(segment, tokens);
	return tokens;
}

/**
The length of a piece in code units. Counting the tokens of a piece takes a few milliseconds, in which inkpod handles no
key.
*/
const pieceLength = 512 * 1024;

const pasteTokens = new WeakMap<Segment, number>();

/** Returns the forecast for a ref. `problem`: the reason why the model does not accept an image or document. */
function forecast(resolved: ResolvedRef, problem: string | undefined): RefForecast {
	const {ref} = resolved;
	if (problem !== undefined) return {ref, ok: false, reason: 'model', sentence: problem};
	if (!resolved.ok) {
		const {reason, sentence, real} = resolved;
		return {ref, ok: false, reason, sentence, real};
	}
	return {ref, ok: true, ...extent(resolved.draft), tokens: tokensOf(resolved.draft)};
}

function forecastPaste({id, lines, chars}: SegmentOf<'paste'>, tokens: number): PasteForecast {
	return {id, lines, chars, tokens};
}

function tokensOf({text, origin}: Draft<'message'>): number {
	const media = origin === undefined ? undefined : mediaOf(origin);
	return estimateTokens(text) + (media === undefined ? 0 : estimateMedia(media));
}

/** Returns the size of an attachment. For a directory `lines` counts the listed entries. */
function extent({origin, text}: Draft<'message'>): Omit<Extract<RefForecast, {ok: true}>, 'ref' | 'ok' | 'tokens'> {
	const narrow = narrowOrigin(origin);
	if (narrow?.kind === 'image' || narrow?.kind === 'document') {
		const {kind, bytes} = narrow;
		const size = narrow.kind === 'image' ? {width: narrow.width, height: narrow.height} : {};
		return {kind, ...size, bytes, totalBytes: bytes, lines: 0, truncated: false};
	}
	if (narrow?.kind === 'file')
		return {
			kind: 'file',
			bytes: narrow.bytes,
			totalBytes: narrow.totalBytes,
			lines: narrow.lines,
			truncated: narrow.truncated,
		};
	if (narrow?.kind === 'editor') {
		const {bytes, lines} = narrow;
		return {kind: 'file', bytes, totalBytes: bytes, lines, truncated: false};
	}
	if (narrow?.kind === 'resource') return {kind: 'resource', bytes: 0, totalBytes: 0, lines: 0, truncated: false};
	if (narrow?.kind === 'web') return {kind: 'web', bytes: 0, totalBytes: 0, lines: 0, truncated: false};
	if (narrow?.kind !== 'dir') throw new Error('a file ref became nothing that can be attached');
	const body = text.slice(`[Dir: ${narrow.path}]\n`.length);
	const bytes = Buffer.byteLength(body);
	return {
		kind: 'dir',
		bytes,
		totalBytes: bytes,
		lines: narrow.truncated ? body.split('\n').length - 1 : narrow.entries,
		truncated: narrow.truncated,
	};
}

/** Resolves the refs of a draft as a submit does, but only if the refs or their files have changed. */
type RefsCache = {
	resolve(segments: readonly Segment[], options: RefsOptions): Promise<readonly ResolvedRef[]>;
};

const maxLists = 4;

const maxFiles = 32;

/** The precision of most file times, in milliseconds. On some file systems the precision is two seconds. */
const timePrecisionMs = 50;

/** Returns a ref without the bytes of its image, which are needed only when the image is sent. */
function withoutBytes(resolved: ResolvedRef): ResolvedRef {
	if (!resolved.ok || resolved.media === undefined) return resolved;
	const {media: _, ...rest} = resolved;
	return rest;
}

/** Tells whether a result may be cached. A system error may be temporary, so it is not cached. */
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
