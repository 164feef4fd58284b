import type {Item} from '../../worker/index.ts';
import {narrowOrigin, type FileState, type OriginOf} from '../protocol.ts';
import {readText} from '../scope/read.ts';
import type {Scope} from '../scope/scope.ts';
import {openFile} from '../scope/scoped-fs.ts';
import {diskPath} from '../scope/disk-path.ts';

export type StaleOptions = {
	readonly items: () => readonly Item[];
	readonly scope: Scope;
};

/**
Reports whether the files that items show are still what the model saw, for up to `maxAsked` items. A file whose size
or time of change says enough is not read; else its bytes are compared by their hash, which is remembered while the file
looks the same. Ids of other items are left out.
*/
export function createStaleCheck({
	items,
	scope,
}: StaleOptions): (ids: readonly string[]) => Promise<readonly FileState[]> {
	const hashes = new Map<string, string>();

	async function stateOf(seen: Seen): Promise<FileState['state']> {
		// The user writes refs, where `~/` is their home; a compaction writes the paths that it reads again.
		const path = seen.kind === 'file' ? diskPath(seen.path) : seen.path;
		const opened = await openFile(scope, path);
		if (!opened.ok) return failures[opened.reason];
		const {
			real,
			stats: {size, mtimeMs, ctimeMs},
		} = opened;
		await opened.handle.close();
		if (size !== seen.totalBytes) return 'changed';
		if (mtimeMs === seen.mtimeMs) return 'same';
		if (size > maxHashed) return 'unknown';
		const key = JSON.stringify([real, size, mtimeMs, ctimeMs]);
		const hash = hashes.get(key) ?? (await hashOf(path));
		if (hash === undefined) return 'unknown';
		remember(hashes, key, hash);
		return hash === seen.sha256 ? 'same' : 'changed';
	}

	/** The file was shown before; all that is reported of it now is whether it is the same. */
	async function hashOf(path: string): Promise<string | undefined> {
		const read = await readText(scope, path, {maxBytes: 0, maxScanBytes: maxHashed, confirmed: true});
		if (read.ok) return read.sha256;
		return read.reason === 'binary' ? 'binary' : undefined;
	}

	return async ids => {
		const states: FileState[] = [];
		for (const [id, seen] of findSeen(items(), new Set(ids.slice(0, maxAsked))))
			states.push({id, state: await stateOf(seen)});
		return states;
	};
}

export const maxAsked = 100;
/** Bytes of a file that are hashed for this; of a larger one that was touched nothing is said. */
const maxHashed = 32 * 1024 * 1024;
const maxRemembered = 500;

type Seen = OriginOf<'file'> | OriginOf<'auto_read'>;

const failures = {
	not_found: 'gone',
	is_directory: 'changed',
	not_a_file: 'changed',
	out_of_scope: 'unknown',
	io: 'unknown',
} as const;

/** From the end: what is on a screen is mostly late. */
function findSeen(items: readonly Item[], wanted: Set<string>): ReadonlyMap<string, Seen> {
	const found = new Map<string, Seen>();
	for (const item of items.toReversed()) {
		if (wanted.size === 0) break;
		if (!wanted.delete(item.id) || item.type !== 'message') continue;
		const origin = narrowOrigin(item.origin);
		if (origin?.kind === 'file' || origin?.kind === 'auto_read') found.set(item.id, origin);
	}
	return found;
}

function remember(hashes: Map<string, string>, key: string, hash: string): void {
	hashes.delete(key);
	hashes.set(key, hash);
	for (const oldest of hashes.keys()) {
		if (hashes.size <= maxRemembered) break;
		hashes.delete(oldest);
	}
}
