import {changeOf, changesOf, pathOf, type CellChange, type CellChanges, type Planned} from './cell-changes.ts';
import {foldersAbove} from './effects.ts';
import type {Step} from './layer.ts';
import type {Chosen} from './plan-layer.ts';
import {keyOf, type EffectKey} from './take-over.ts';

/** The changes of a command, and the parts that a user can take. If there are no parts, nothing can be taken. */
export type PartedChanges = CellChanges & {readonly parts: readonly ChangePart[]};

/**
Changes that are taken together or not at all: the changes of one file, of a new folder with everything in it, or of all
repositories. A new folder with a repository belongs to the part of all repositories.
*/
export type ChangePart = {
	readonly files: readonly CellChange[];
	readonly isGit: boolean;
	/** For each layer, the keys of the effects. */
	readonly keys: ReadonlyArray<ReadonlySet<EffectKey>>;
};

/** Returns what the plans of all layers would change. The first layer is the project. */
export function partedChangesOf(planned: readonly Planned[]): PartedChanges {
	const parts = planned.flatMap((each, n) => partsIn(each, {n, count: planned.length}));
	const steps = planned.flatMap(({takeOver}) => takeOver.gitSteps);
	if (steps.length === 0) return {...changesOf(planned), parts};
	const places = [...new Set(steps.map(placeOf))];
	const isInGit = ({place}: Part) => places.some(path => path === place || path.startsWith(`${place}/`));
	const inGit = parts.filter(isInGit);
	const ofGit: ChangePart = {
		files: inGit.flatMap(({files}) => files),
		isGit: true,
		keys: planned.map((_, n) => new Set(inGit.flatMap(({keys}) => [...(keys[n] ?? [])]))),
	};
	return {...changesOf(planned), parts: [...parts.filter(part => !isInGit(part)), ofGit]};
}

/** Returns for each layer the effects in these parts. */
export function chosenOf(parts: readonly ChangePart[]): readonly Chosen[] {
	const isGitTaken = parts.some(({isGit}) => isGit);
	const layers = parts[0]?.keys ?? [];
	return layers.map((_, n) => ({keys: new Set(parts.flatMap(({keys}) => [...(keys[n] ?? [])])), isGitTaken}));
}

/** `place`: the absolute path of the file or folder. */
type Part = ChangePart & {readonly place: string};

/** Returns the parts of a layer, except those of git. `n`: the number of the layer. `count`: the number of layers. */
function partsIn(
	{layer, takeOver: {taken}, named}: Planned,
	{n, count}: {readonly n: number; readonly count: number},
): readonly Part[] {
	const parts = new Map<string, {file: CellChange; readonly keys: Set<EffectKey>}>();
	const fresh = new Set<string>();
	for (const one of taken) {
		const {effect} = one;
		const above = foldersAbove(effect.path);
		const path = above.find(folder => fresh.has(folder)) ?? effect.path;
		if (path === effect.path && effect.type === 'folder' && effect.isNew) fresh.add(path);
		const isProtected = [effect.path, ...above].some(each => named?.has(each));
		const change = changeOf(layer, one, {isProtected, prefix: n === 0 ? '' : `${layer.path}/`});
		const part = parts.get(path);
		if (part === undefined) parts.set(path, {file: change, keys: new Set([keyOf(effect)])});
		else {
			part.keys.add(keyOf(effect));
			part.file = joined(part.file, change, path === effect.path);
		}
	}
	return [...parts].map(([path, {file, keys}]) => ({
		files: [file],
		isGit: false,
		keys: Array.from({length: count}, (_, index) => (index === n ? keys : new Set<EffectKey>())),
		place: `${layer.path}/${path}`,
	}));
}

/**
Adds a change to the change of its part. `isSame`: both have the same path, so the new change replaces the deleted
entry.
*/
function joined(part: CellChange, change: CellChange, isSame: boolean): CellChange {
	const isProtected = part.isProtected || change.isProtected;
	if (isSame) return {...change, type: 'changed', isProtected};
	return {...part, files: part.files + change.files, isProtected};
}

/** Returns the path that a step of git changes. All references of a repository count as the repository. */
function placeOf(step: Step): string {
	return step.type === 'refs' ? step.gitDir : (pathOf(step) ?? '');
}
