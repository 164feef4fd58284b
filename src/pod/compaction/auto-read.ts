import type {Draft} from '../../worker/index.ts';
import type {OriginOf} from '../protocol.ts';
import {readText} from '../scope/read.ts';
import type {Scope} from '../scope/scope.ts';
import {reasonFor, type ToolFailure} from '../tools/texts.ts';

/** A file, or lines of it, 1-based and inclusive. Without `last`: to the end. */
export type Wanted = {readonly path: string; readonly first?: number; readonly last?: number};

/** `draft` names the compaction that it is of. `key` is the same for the same lines of the same file. */
export type ReadAgain =
	| {readonly ok: true; readonly key: string; readonly real: string; readonly isWhole: boolean; readonly tokens: number; readonly draft: (compaction: string) => Draft<'message'>}
	| {readonly ok: false; readonly reason: Exclude<ToolFailure, 'aborted'> | 'aborted'; readonly sentence: string};

export type ReadAgainOptions = {
	readonly scope: Scope;
	readonly maxScanBytes: number;
	readonly estimate: (text: string) => number;
	readonly signal: AbortSignal;
};

/** Reads what a compaction has nominated as it stands at this moment, whole: a body is never cut. Secrets are refused, nobody is asked. */
export async function readAgain({path, first = 1, last}: Wanted, {scope, maxScanBytes, estimate, signal}: ReadAgainOptions): Promise<ReadAgain> {
	// A model's `~` is a folder of that name; a person's is their home.
	const written = path.startsWith('~/') ? `./${path}` : path;
	const isPart = first > 1 || last !== undefined;
	const read = await readText(scope, written, {...(isPart && {range: {first, ...(last !== undefined && {last})}}), maxBytes, maxScanBytes, signal});
	if (!read.ok) return {ok: false, reason: read.reason, sentence: reasonFor(read.reason)};
	if (read.truncated) return {ok: false, reason: 'too_large', sentence: reasonFor('too_large')};
	const range = isPart ? {first, last: Math.min(last ?? read.totalLines, read.totalLines)} : undefined;
	const isWhole = range === undefined || (range.first === 1 && range.last >= read.totalLines);
	const {real, body, bytes, totalBytes, lines, sha256, mtimeMs} = read;
	const text = `[Auto-read file: ${written}${isWhole ? '' : `:${range.first}-${range.last}`}]\n${body}`;
	const origin: Omit<OriginOf<'auto_read'>, 'compaction'> = {kind: 'auto_read', path: written, ...(!isWhole && {range}), bytes, totalBytes, lines, truncated: false, sha256, mtimeMs};
	return {
		ok: true,
		key: JSON.stringify([real, isWhole ? 'whole' : [range.first, range.last]]),
		real,
		isWhole,
		tokens: estimate(text),
		draft: compaction => ({type: 'message', role: 'system', text, origin: {...origin, compaction}}),
	};
}

/** Of one body: more than any budget has room for. */
const maxBytes = 4 * 1024 * 1024;
