import {stat} from 'node:fs/promises';
import {resolve} from 'node:path';
import {liveItems, type Item} from '../../../worker/index.ts';
import {narrowDetails, narrowOrigin, type OriginOf, type ToolDetails} from '../../protocol.ts';
import {diskPath} from '../../scope/disk-path.ts';
import {isSameFile} from '../../platform/file-identity.ts';
import type {Scope} from '../../scope/scope.ts';
import {writeFileFacts} from '../../protocol/tool-definitions.ts';

/** Identifies a file and its contents: the real path, the device and inode, the hash, and the number of lines. */
type Content = {
	readonly real: string;
	readonly dev: number;
	readonly ino: number;
	readonly sha256: string;
	readonly totalLines: number;
};

/** The part of the contents that is in history. `stale`: history contains only other contents of the same file. */
export type ReadExtent = 'whole' | 'part' | 'stale' | 'none';

export type ReadTracker = {
	of(content: Content): Promise<ReadExtent>;
	/**
	Records a change whose result is not in history yet. The change counts for later calls of the same batch. After the
	batch, history contains the change.
	*/
	changed(real: string, sha256: string, whole: boolean): void;
};

/**
Tracks what a model has read of files: attachments, results of read_file, and its own writes. The tracker derives this
from history alone, so it survives a resume. Rewound items do not count. The paths of attachments are written by the
user, relative to `pwd`.
*/
export function createReadTracker({
	items,
	scope,
}: {
	readonly items: () => readonly Item[];
	readonly scope: Pick<Scope, 'pwd' | 'home'>;
}): ReadTracker {
	const committed: Contents = new Map();
	const tools = new Map<string, string>();
	let upTo = 0;
	let fresh: {readonly record: Contents; readonly at: number} | undefined;

	function catchUp(): void {
		const all = items();
		const news = all.slice(upTo);
		const isTurned = news.some(({type}) => type === 'rewind' || type === 'context');
		upTo = all.length;
		if (isTurned) [committed, tools].forEach(known => known.clear());
		for (const item of isTurned ? liveItems(all) : news) note(item, {record: committed, tools, scope});
		if (fresh !== undefined && all.slice(fresh.at).some(item => item.type === 'request')) fresh = undefined;
	}

	return {
		async of(content) {
			catchUp();
			const found: Part[] = [];
			let known = false;
			for (const [path, parts] of [...committed, ...(fresh?.record ?? [])]) {
				const part = parts.get(content.sha256);
				if (part === undefined && known) continue;
				if (!(await leadsTo(path, content))) continue;
				known = true;
				if (part !== undefined) found.push(part);
			}
			if (found.length === 0) return known ? 'stale' : 'none';
			return found.some(part => part.whole) ||
				covers(
					found.flatMap(part => part.ranges),
					content.totalLines,
				)
				? 'whole'
				: 'part';
		},
		changed(real, sha256, whole) {
			catchUp();
			fresh ??= {record: new Map(), at: items().length};
			partOf(fresh.record, real, sha256).whole ||= whole;
		},
	};
}

type Range = readonly [first: number, last: number];
/** The known parts of one file version. `totalLines` is present if it is known. */
type Part = {whole: boolean; totalLines?: number; readonly ranges: Range[]};
/** The parts by path, and then by hash. */
type Contents = Map<string, Map<string, Part>>;
type Noting = {
	readonly record: Contents;
	/** The names of the called tools, by call id. */ readonly tools: Map<string, string>;
	readonly scope: Pick<Scope, 'pwd' | 'home'>;
};

function note(item: Item, noting: Noting): void {
	if (item.type === 'tool_call') noting.tools.set(item.callId, item.name);
	if (item.type === 'tool_result' && item.details !== undefined)
		noteResult(narrowDetails(item.details), noting.tools.get(item.callId), noting.record);
	if (item.type !== 'message' || item.role !== 'system') return;
	const origin = narrowOrigin(item.origin);
	if (origin?.kind === 'file' || origin?.kind === 'auto_read') noteAttached(origin, noting);
}

function noteAttached(
	{path, sha256, truncated, range, lines}: OriginOf<'file' | 'auto_read'>,
	{record, scope}: Noting,
): void {
	const part = partOf(record, resolve(scope.pwd, diskPath(path, scope)), sha256);
	const first = range?.first ?? 1;
	part.whole ||= !truncated && range === undefined;
	// The last line of a body that was cut may be incomplete.
	part.ranges.push([first, first + lines - 1 - Number(truncated)]);
}

function noteResult({read, changed = []}: ToolDetails, tool: string | undefined, record: Contents): void {
	if (read !== undefined) {
		const part = partOf(record, read.real, read.sha256);
		part.whole ||= read.whole;
		part.totalLines = read.totalLines;
		part.ranges.push([read.first, read.last]);
	}
	for (const {real, before, after} of changed) {
		const old = before === undefined ? undefined : record.get(real)?.get(before);
		// After a write the whole file is known. After an edit the same parts are known as before.
		partOf(record, real, after).whole ||=
			before === undefined || tool === writeFileFacts.name || (old !== undefined && isWhole(old));
	}
}

function partOf(record: Contents, path: string, sha256: string): Part {
	const parts = record.get(path) ?? new Map<string, Part>();
	record.set(path, parts);
	const part = parts.get(sha256) ?? {whole: false, ranges: []};
	parts.set(sha256, part);
	return part;
}

function isWhole({whole, totalLines, ranges}: Part): boolean {
	return whole || (totalLines !== undefined && covers(ranges, totalLines));
}

function covers(ranges: readonly Range[], totalLines: number): boolean {
	let next = 1;
	for (const [first, last] of ranges.toSorted((a, b) => a[0] - b[0])) {
		if (first > next) return false;
		next = Math.max(next, last + 1);
	}
	return next > totalLines;
}

/**
Tells whether a path leads to the file. Also compares the inode, because a file system may accept several spellings of a
name.
*/
async function leadsTo(path: string, content: Content): Promise<boolean> {
	if (path === content.real) return true;
	return stat(path).then(
		found => isSameFile(found, content),
		() => false,
	);
}
