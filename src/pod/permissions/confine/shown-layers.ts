import {dirname, join, relative} from 'node:path';
import {contains} from '../../ground/files/contains.ts';
import type {Walls} from './bwrap-arguments.ts';
import {isLayerable} from './layerable.ts';
import {hasMountIn} from './mounts.ts';
import {isFolder, type Shown} from './shown.ts';

/** The places that a command sees through overlays and where it cannot write. */
type ShownLayers = {
	/** The folders that are the lower layers of overlays. */
	readonly folders: readonly string[];
	/** Returns all shown places. `seen`: the overlays of `folders`, in order. */
	readonly shownIn: (seen: readonly string[]) => readonly Shown[];
};

/**
Returns the overlays through which a command in a cell sees folders outside of the project. A pipe or a socket in an
overlay is not the one in the real folder, so a command cannot reach a program there, under any name and at any time. A
folder stays as it is if overlayfs does not accept its file system, or would hide a file system that is mounted in it.
The folders of the system also stay as they are, because only root can create anything there. `points`: where file
systems are mounted.
*/
export function shownLayers(
	{pwd, shown, writable}: Pick<Walls, 'pwd' | 'shown' | 'writable'>,
	points: readonly string[],
): ShownLayers {
	// The command sees these folders through layers of their own.
	const others = [...system, pwd, ...writable];
	const roots = new Map<Shown, string>();
	for (const place of shown) {
		const {source} = place;
		if (others.some(folder => contains(folder, source)) || !isFolder(source)) continue;
		if (!hasMountIn(source, points) && isLayerable(source)) roots.set(place, rootOf(source, points));
	}
	const folders = [...new Set(roots.values())];
	return {
		folders,
		shownIn: seen =>
			shown.map(place => {
				const root = roots.get(place);
				if (root === undefined) return place;
				const source = join(seen[folders.indexOf(root)] ?? '', relative(root, place.source));
				return {path: place.path, source};
			}),
	};
}

/**
Returns the topmost folder above a folder that is on the same file system and contains no mount. So one overlay is
enough for all tool chains of a home folder. The root folder always contains mounts.
*/
function rootOf(folder: string, points: readonly string[]): string {
	for (let root = folder; ; root = dirname(root)) {
		const above = dirname(root);
		if (above === '/' || points.includes(root) || hasMountIn(above, points)) return root;
	}
}

const system = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store', '/etc'];
