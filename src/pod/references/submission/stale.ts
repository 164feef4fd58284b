import type {Item} from '../../../worker/index.ts';
import {narrowOrigin, type FileState, type OriginOf} from '../../protocol.ts';
import {readText} from '../../scope/read.ts';
import type {Scope} from '../../scope/scope.ts';
import {openFile} from '../../scope/scoped-fs.ts';
import {diskPath} from '../../scope/disk-path.ts';

type StaleOptions = {
	readonly items: () => readonly Item[];
	readonly scope: Scope;
};

/**
Creates a check that tells whether the files in items are still as the model saw them. The check covers up to `maxAsked`
items, and skips others. If the size or the time of change is enough for a decision, the file is not read. Otherwise the
check compares a hash of the bytes. The hash is cached as long as the size and times of the file stay the same.
*/
export function createStaleCheck({
	items,
	scope,
}: StaleOptions): (ids: readonly string[]) => Promise<readonly FileState[]> {
	const hashes = new Map<string, string>();

	async function stateOf(seen: Seen): Promise<FileState['state']> {
		// In the user's refs `~/` is the home folder. A compaction writes literal paths.
		const path = seen.kind === 'file' ? diskPath(seen.path, scope) : seen.path;
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

	/**
	Returns the hash of a file, even if the file looks like a secret. The caller reports only the result of the
	comparison.
	*/
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
/**
The maximum number of bytes of a file that is hashed. A larger file with another modification time has the state
`unknown`.
*/
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

/**
Finds the files of the wanted items. The search starts at the end, because the items on the screen are mostly recent.
*/
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
