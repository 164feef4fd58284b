import {foldersAbove, plainPath} from './effects.ts';
import {readFileIn} from './git-files.ts';
import type {Layer, LeftOut, RefUpdate, Step} from './layer.ts';
import type {LayerPlan} from './plan-layer.ts';
import type {TakenEffect} from './take-over.ts';

/** What a command changed on its layers, as a user is asked about it. */
export type CellChanges = {
	readonly files: readonly CellChange[];
	/** References that change, in all repositories. */
	readonly refs: readonly RefUpdate[];
	/** The files of git that change, besides objects and references. */
	readonly gitFiles: readonly string[];
	/** The number of new objects of git, and of packs of them. */
	readonly gitObjects: number;
	/** What stays in the project as it is. */
	readonly leftOut: readonly LeftOut[];
	/** Sentences about git. */
	readonly notes: readonly string[];
};

/** A changed file, or a folder: a new one with many files, a deleted one, or one with other permissions. */
export type CellChange = {
	readonly type: 'added' | 'changed' | 'deleted';
	/** It is relative to the project, or absolute outside of it. A folder ends with a slash. */
	readonly path: string;
	/** The number of files that a folder contains. 1 for a file. */
	readonly files: number;
	/** Whether other programs run the file. */
	readonly isProtected: boolean;
	/** Returns the file before and after the command, as far as it exists and is small. Links count as missing. */
	readonly read: () => {readonly before: Buffer | undefined; readonly after: Buffer | undefined};
};

type Planned = {
	readonly layer: Layer;
	readonly takeOver: Awaited<ReturnType<LayerPlan['planFor']>>;
	/** The protected paths that the plan takes over. */
	readonly named: ReadonlySet<string>;
};

/** Returns what the plans of all layers would change. The first layer is the project. */
export function changesOf(planned: readonly Planned[]): CellChanges {
	const steps = planned.flatMap(({takeOver}) => takeOver.gitSteps);
	const project = `${planned[0]?.layer.path ?? ''}/`;
	const moved = steps.flatMap(step => pathOf(step) ?? []).map(path => path.replace(project, ''));
	return {
		files: planned.flatMap((each, n) => filesOf(each, n === 0 ? '' : `${each.layer.path}/`)),
		refs: steps.flatMap(step => (step.type === 'refs' ? step.updates : [])),
		gitFiles: moved.filter(path => !isObject(path)).map(plainPath),
		gitObjects: moved.filter(isObject).length,
		leftOut: planned.flatMap(({takeOver}) => takeOver.leftOut),
		notes: planned.flatMap(({takeOver}) => takeOver.notes),
	};
}

/** Tells whether nothing changes, and nothing would have to stay as it is. */
export function isUnchanged({files, refs, gitFiles, gitObjects, leftOut}: CellChanges): boolean {
	return files.length + refs.length + gitFiles.length + gitObjects + leftOut.length === 0;
}

function filesOf({layer, takeOver: {taken}, named}: Planned, prefix: string): readonly CellChange[] {
	const files = new Map<string, CellChange>();
	/** The files in each new folder that get no line of their own. */
	const inside = new Map<string, CellChange[]>();
	for (const one of taken) {
		const {effect} = one;
		const above = foldersAbove(effect.path);
		const isProtected = named.has(effect.path) || above.some(folder => named.has(folder));
		const change = changeOf(layer, one, {isProtected, prefix});
		const around = above.find(folder => inside.has(folder));
		if (around === undefined || isProtected) files.set(effect.path, change);
		else if (effect.type !== 'folder') inside.get(around)?.push(change);
		if (around === undefined && effect.type === 'folder' && effect.isNew) inside.set(effect.path, []);
	}
	return [...files].flatMap(([path, change]) => {
		const contents = inside.get(path) ?? [];
		const isListed = contents.length > 0 && contents.length <= maxListed;
		return isListed ? contents : [{...change, files: change.files + contents.length}];
	});
}

/** A new folder with at most this many files is not shown as a whole. Its files are listed instead. */
const maxListed = 8;

function changeOf(
	layer: Layer,
	{effect, files}: TakenEffect,
	{isProtected, prefix}: {readonly isProtected: boolean; readonly prefix: string},
): CellChange {
	const isFolder = effect.type === 'folder';
	const type =
		effect.type === 'deleted' || effect.type === 'special' ? 'deleted' : effect.isNew ? 'added' : 'changed';
	return {
		type,
		path: `${plainPath(prefix + effect.path)}${isFolder ? '/' : ''}`,
		files: isFolder ? 0 : files,
		isProtected,
		read: () => ({
			before: isFolder ? undefined : readFileIn(layer.path, effect.path, maxRead),
			after: isFolder || type === 'deleted' ? undefined : readFileIn(layer.upper, effect.path, maxRead),
		}),
	};
}

/** Returns the path that a step changes, besides references. */
function pathOf(step: Step): string | undefined {
	if (step.type === 'refs') return undefined;
	return 'to' in step ? step.to : step.path;
}

function isObject(path: string): boolean {
	return /\/objects\/(?:[\da-f]{2}(?:\/[\da-f]+)?|pack(?:\/[^/]+)?)$/.test(path);
}

/** In bytes. A larger file is only named. */
const maxRead = 256 * 1024;
