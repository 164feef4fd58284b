import {nameIn, pathIn} from './git-folders.ts';
import {readTextIn, realOf, statsIn} from './git-files.ts';
import type {Effect, Layer, LeftOut, RefUpdate} from './layer.ts';
import {maxPacked, packedName, parsePacked} from './packed-refs.ts';

export type RefPlan = {
	readonly updates: readonly RefUpdate[];
	/** References that were also changed from outside. `made` is the command's value. */
	readonly conflicts: ReadonlyArray<{readonly ref: string; readonly made: string}>;
	/** Paths of symbolic references of remotes (`refs/remotes/origin/HEAD`). */
	readonly links: readonly string[];
	readonly leftOut: readonly LeftOut[];
};

/**
Compares the references of a git folder before and after a command. A move of a reference between its own file and
`packed-refs` is not a difference.
*/
export function planRefs(layer: Layer, folder: string, effects: readonly Effect[]): RefPlan {
	const plan: {updates: RefUpdate[]; conflicts: RefPlan['conflicts'][number][]; links: string[]; leftOut: LeftOut[]} =
		{updates: [], conflicts: [], links: [], leftOut: []};
	const [before, after] = [packedRefs(layer.path, folder), packedRefs(layer.merged, folder)];
	// Effects of folders are ignored, because a folder may have the name of a deleted reference.
	const files = effects.filter(({type}) => type !== 'folder');
	const written = new Map(files.map(effect => [nameIn(folder, effect.path), effect]));
	const names = new Set(written.keys());
	names.delete('packed-refs');
	if (written.has('packed-refs')) for (const name of differing(before, after)) names.add(name);
	for (const ref of names) {
		const effect = written.get(ref);
		if (isLock(ref)) continue;
		const made = valueOf(layer.merged, folder, ref, after);
		const path = pathIn(folder, ref);
		const isPlain = effect === undefined || effect.type === 'file' || effect.type === 'deleted';
		if (made === 'link' && isPlain && isTaken(ref)) plan.links.push(path);
		else if (!isPlain || !isTaken(ref) || made === undefined)
			plan.leftOut.push({path, why: effect?.type === 'special' ? 'special' : 'git'});
		else addRef(layer, folder, {ref, made, before, isWritten: effect !== undefined}, plan);
	}
	return plan;
}

/**
Tells whether inkpod applies changes of a reference. inkpod does not write four kinds. `refs/replace/` makes git use
another object. If the name of a reference looks like the abbreviated name of an object, also with the prefix of
git-describe(1), git may use the reference instead of this object. An unfinished rebase of merges checks out references
in `refs/rewritten/`. git itself creates no branch or tag that is named like an option or like `HEAD`.
*/
function isTaken(ref: string): boolean {
	const likeObject = /^refs\/(?:(?:heads|tags|remotes)\/)?(?:.*-g)?[\da-f]{7,64}(?:\/HEAD)?$/i;
	const unusual = /^refs\/(?:(?:inkpod|replace|rewritten)\/|(?:heads|tags)\/(?:-|HEAD$))/;
	return isRefName(ref) && !unusual.test(ref) && !likeObject.test(ref);
}

/**
Tells whether `HEAD` or an unfinished rebase may name a branch. git creates a missing branch later, so its name must be
one that inkpod would write itself.
*/
export function mayBeCheckedOut(layer: Layer, folder: string, branch: string): boolean {
	const packed = packedRefs(layer.path, folder);
	if (valueOf(layer.path, folder, branch, packed) !== '') return true;
	return isTaken(branch) && !hidesOther(layer, folder, branch, packed);
}

/** The folders in which git looks for a short name, in this order (gitrevisions(7)). */
const searched = ['refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'];

/**
Tells whether git would use a new reference instead of an existing one: after the tag `main`, `git merge main` would
merge this tag instead of the branch. `refs/stash` is git's own.
*/
function hidesOther(layer: Layer, folder: string, ref: string, packed: ReadonlyMap<string, string>): boolean {
	const exists = (other: string) => other !== ref && valueOf(layer.path, folder, other, packed) !== '';
	return searched.some((first, n) => {
		const name = ref.slice(first.length);
		const later = searched.slice(n + 1).map(next => `${next}${name}`);
		return ref.startsWith(first) && ref !== 'refs/stash' && [...later, `refs/remotes/${name}/HEAD`].some(exists);
	});
}

type Compared = {
	readonly ref: string;
	readonly made: string;
	readonly before: ReadonlyMap<string, string>;
	/** Whether the command wrote or deleted the file of the reference. */
	readonly isWritten: boolean;
};

function addRef(
	layer: Layer,
	folder: string,
	{ref, made, before, isWritten}: Compared,
	plan: {
		readonly updates: RefUpdate[];
		readonly conflicts: RefPlan['conflicts'][number][];
		readonly leftOut: LeftOut[];
	},
): void {
	const was = valueOf(layer.path, folder, ref, before);
	if (was === undefined || was === 'link') {
		plan.leftOut.push({path: pathIn(folder, ref), why: 'git'});
		return;
	}
	if (was === '' && made !== '' && hidesOther(layer, folder, ref, before)) {
		plan.leftOut.push({path: pathIn(folder, ref), why: 'git'});
		return;
	}
	const none = '0'.repeat(Math.max(was.length, made.length, 40));
	const [old, value] = [was === '' ? none : was, made === '' ? none : made];
	if (old === value) return;
	if (!isRefMoved(layer, folder, ref)) plan.updates.push({ref, old, new: value});
	// If the command only ran `git pack-refs`, the old value moved to another file. That is not a conflict.
	else if (isWritten || was === '') plan.conflicts.push({ref, made: value});
}

/** Tells whether a real reference may have been changed from outside since the cell began. */
export function isRefMoved(layer: Layer, folder: string, ref: string): boolean {
	const own = realOf(layer, pathIn(folder, ref));
	return own.stats === undefined ? realOf(layer, pathIn(folder, 'packed-refs')).isChanged : own.isChanged;
}

/** Returns the object of a reference in the real folder, or an empty string if there is none. */
export function realRef(layer: Pick<Layer, 'path'>, folder: string, ref: string): string {
	const value = valueOf(layer.path, folder, ref, packedRefs(layer.path, folder));
	return value === undefined || value === 'link' ? '' : value;
}

/** Tells whether git accepts the name of a reference (git-check-ref-format(1)). */
export function isRefName(ref: string): boolean {
	return (
		ref.length <= 4096 &&
		/^refs\/[^\0-\x20\x7f~^:?*[\\]+$/.test(ref) &&
		!/\.\.|@\{|\/\/|\/$|\.$|\/\.|\.lock(?:\/|$)/.test(ref)
	);
}

/** Tells whether a text is the full name of an object: 40 or 64 hexadecimal digits. */
export function isObjectName(text: string): boolean {
	return /^(?:[\da-f]{40}|[\da-f]{64})$/.test(text);
}

function isLock(ref: string): boolean {
	return ref.endsWith('.lock');
}

/**
Returns the object of a reference, an empty string if there is no such reference, `link` for the symbolic `HEAD` of a
remote, or `undefined` for anything else.
*/
function valueOf(top: string, folder: string, ref: string, packed: ReadonlyMap<string, string>): string | undefined {
	const path = pathIn(folder, ref);
	const text = readTextIn(top, path, 4096);
	if (text === undefined) {
		const stats = statsIn(top, path);
		return stats === undefined || stats.isDirectory() ? (packed.get(ref) ?? '') : undefined;
	}
	const value = text.trimEnd();
	if (isObjectName(value)) return value;
	const [, remote] = /^refs\/remotes\/([^/]+)\/HEAD$/.exec(ref) ?? [];
	const [, target = ''] = /^ref: (refs\/remotes\/.+)\n?$/.exec(text) ?? [];
	return remote !== undefined && target.startsWith(`refs/remotes/${remote}/`) && isRefName(target)
		? 'link'
		: undefined;
}

/** Tells whether every line of `packed-refs` can be parsed. A reference in any other line would seem deleted. */
export function hasReadableRefs(top: string, folder: string): boolean {
	const path = pathIn(folder, 'packed-refs');
	if (statsIn(top, path) === undefined) return true;
	const lines = readTextIn(top, path, maxPacked)?.split('\n');
	return lines?.every(line => /^(?:$|#|\^)/.test(line) || isRefName(packedName(line))) === true;
}

/**
Returns the name of a reference that can save a conflicting value. This reference does not exist, or already has the
same value.
*/
export function keptRef(layer: Pick<Layer, 'path'>, folder: string, ref: string, value: string): string {
	const name = `refs/inkpod/${ref.replace(/^refs\//, '')}`;
	const isFree = (one: string) => ['', value].includes(realRef(layer, folder, one));
	let free = name;
	for (let n = 2; !isFree(free); n++) free = `${name}-${n}`;
	return free;
}

function packedRefs(top: string, folder: string): ReadonlyMap<string, string> {
	const refs = parsePacked(readTextIn(top, pathIn(folder, 'packed-refs'), maxPacked) ?? '');
	return new Map([...refs].filter(([ref]) => isRefName(ref)));
}

function differing(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): readonly string[] {
	const names = new Set([...one.keys(), ...other.keys()]);
	return [...names].filter(name => one.get(name) !== other.get(name));
}
