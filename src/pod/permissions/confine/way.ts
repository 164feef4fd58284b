import {lstatSync, readlinkSync} from 'node:fs';
import {join, resolve, sep} from 'node:path';
import {decodePath, encodePath} from '../../ground/files/byte-path.ts';

/** The target of a path, and the links on the way to it. */
export type Way = {
	/** The real path. The target may be missing. */
	readonly path: string;
	readonly kind: 'folder' | 'file' | undefined;
	/** The folders that contain the links on the way. */
	readonly through: readonly string[];
	/** The links on the way. */
	readonly links: readonly string[];
};

/** A cache of the kinds of entries, for paths that are followed at the same moment. */
export type Kinds = Map<string, Way['kind'] | 'link'>;

/** Follows a path, link by link. */
export function wayTo(path: string, kinds?: Kinds): Way {
	const [through, links]: [string[], string[]] = [[], []];
	let rest = path.split(sep).filter(name => name !== '');
	let at: string = sep;
	let kind: Way['kind'] = 'folder';
	for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
		const next = join(at, name);
		const found = kinds?.get(next) ?? kindOf(next);
		kinds?.set(next, found);
		if (found === undefined) return {path: join(next, ...rest), kind: undefined, through, links};
		if (found === 'link' && links.length < maxLinks) {
			through.push(at);
			links.push(next);
			const target = resolve(at, decodePath(readlinkSync(encodePath(next), 'buffer')));
			rest = [...target.split(sep).filter(part => part !== ''), ...rest];
			at = sep;
			kind = 'folder';
			continue;
		}
		at = next;
		kind = found === 'folder' ? 'folder' : 'file';
	}
	return {path: at, kind, through, links};
}

const maxLinks = 40;

/** Returns the kind of an entry without following a link, or `undefined` if there is none. */
export function kindOf(path: string): 'folder' | 'link' | 'file' | undefined {
	try {
		const stats = lstatSync(encodePath(path));
		if (stats.isSymbolicLink()) return 'link';
		return stats.isDirectory() ? 'folder' : 'file';
	} catch {
		return undefined;
	}
}
