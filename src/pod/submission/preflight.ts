import {setImmediate as nextTurn} from 'node:timers/promises';
import type {Draft} from '../../worker/index.ts';
import {estimateTokens} from '../text/tokens.ts';
import {flatten, narrowOrigin, type Preflight, type RefForecast, type Segment} from '../protocol.ts';
import {existsIn, type Exists} from '../scope/disk-path.ts';
import {parseDraft} from './parse.ts';
import type {RefsOptions, ResolvedRef} from './refs.ts';
import {createRefsCache, type RefsCache} from './refs-cache.ts';
import {invokeWorkflows, noWorkflows, type WorkflowSource} from './workflow.ts';

export type PreflightOptions = Omit<RefsOptions, 'progress'> & {
	readonly workflows?: WorkflowSource;
	/** The results of earlier preflights. They save reading an unchanged file for every edit. */
	readonly cache?: RefsCache;
};

/**
Returns the effect of a draft if it is sent now, with the resolver of a submit. It commits nothing and runs no hook.
It rejects with the reason of an aborted signal.
*/
export async function preflight(draft: readonly Segment[], options: PreflightOptions): Promise<Preflight> {
	const {scope, signal, workflows = noWorkflows, cache = processCache} = options;
	signal.throwIfAborted();
	const slugs = await workflows.slugs();
	const {segments} = await parseDraft(draft.map(withoutOutcome), abortable(existsIn(scope), signal), {
		knows: slug => slugs.has(slug),
	});
	const invoked = await invokeWorkflows(segments, workflows, slugs, signal);
	signal.throwIfAborted();
	const refs = await cache.resolve(segments, options);
	signal.throwIfAborted();
	const attached = [...refs.flatMap(ref => (ref.ok ? [ref.draft] : [])), ...(invoked.ok ? invoked.drafts : [])];
	let tokens = attached.reduce((total, {text}) => total + estimateTokens(text), 0);
	for (const segment of segments) tokens += await tokensOfSegment(segment, signal);
	return {segments, refs: refs.map(forecast), tokens, ...(!invoked.ok && {rejection: invoked.sentence})};
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
Counts the tokens of a segment. A paste is the same object at every edit, so its tokens are counted once, in pieces.
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

/** The length of a piece in code units. Counting it takes a few milliseconds, during which no key is handled. */
const pieceLength = 512 * 1024;
const pasteTokens = new WeakMap<Segment, number>();

function forecast(resolved: ResolvedRef): RefForecast {
	const {ref} = resolved;
	if (!resolved.ok) {
		const {reason, sentence, real} = resolved;
		return {ref, ok: false, reason, sentence, ...(real !== undefined && {real})};
	}
	return {ref, ok: true, ...extent(resolved.draft), tokens: estimateTokens(resolved.draft.text)};
}

/** Returns the size of an attachment. For a directory `lines` counts the listed entries. */
function extent({
	origin,
	text,
}: Draft<'message'>): Pick<Extract<RefForecast, {ok: true}>, 'kind' | 'bytes' | 'totalBytes' | 'lines' | 'truncated'> {
	const narrow = narrowOrigin(origin);
	if (narrow?.kind === 'file')
		return {
			kind: 'file',
			bytes: narrow.bytes,
			totalBytes: narrow.totalBytes,
			lines: narrow.lines,
			truncated: narrow.truncated,
		};
	if (narrow?.kind !== 'dir') throw new Error('a file ref became neither a file nor a directory');
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
