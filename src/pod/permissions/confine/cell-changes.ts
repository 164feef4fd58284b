import {readlinkSync} from 'node:fs';
import {dirname, resolve} from 'node:path';
import {contains} from '../../ground/files/contains.ts';
import {foldersAbove, place, plainPath} from './effects.ts';
import {readFileIn, statsIn} from './git-files.ts';
import type {Layer, LeftOut, RefUpdate, Step} from './layer.ts';
import type {LayerPlan} from './plan-layer.ts';
import {keyOf, type EffectKey, type TakenEffect} from './take-over.ts';

/** The changes of a command on its layers, as a card shows them to the user. */
export type CellChanges = {
	readonly files: readonly CellChange[];
	/** The references that change. `repository`: the git folder, if it is not the git folder of the project. */
	readonly refs: ReadonlyArray<RefUpdate & {readonly repository?: string}>;
	/** The files of git that change, except objects and references. */
	readonly gitFiles: readonly string[];
	/** The number of new git objects and packs. */
	readonly gitObjects: number;
	/** The paths that stay as they are in the project. */
	readonly leftOut: readonly LeftOut[];
	/** Sentences about git. */
	readonly notes: readonly string[];
	/** Whether files outside of the project change. */
	readonly isOutside: boolean;
};

/**
A changed file or folder. The folders are new folders with many files, deleted folders, and folders whose permissions
change.
*/
export type CellChange = {
	readonly type: 'added' | 'changed' | 'deleted';
	/**
	The path is relative to the project, or absolute if it is outside of the project. The path of a folder ends with a
	slash.
	*/
	readonly path: string;
	/** The number of files in a folder, or 1 for a file. */
	readonly files: number;
	/** Whether other programs run the file. */
	readonly isProtected: boolean;
	/** Where a new or changed link leads. */
	readonly target?: string | undefined;
	/** The permissions. Set if they change, or if a new file or folder has unusual permissions. */
	readonly modes?: {readonly before: number | undefined; readonly after: number} | undefined;
	/**
	Returns the file before and after the command. Both are `undefined` if one of them is too large to be shown. Links
	count as missing.
	*/
	readonly read: () => {readonly before: Buffer | undefined; readonly after: Buffer | undefined};
};

export type Planned = {
	readonly layer: Layer;
	readonly takeOver: Awaited<ReturnType<LayerPlan['planFor']>>;
	/** The protected paths that the plan takes over. */
	readonly named: ReadonlySet<string> | undefined;
};

/** Returns what the plans of all layers would change. The first layer is the project. */
export function changesOf(planned: readonly Planned[]): CellChanges {
	const steps = planned.flatMap(({takeOver}) => takeOver.gitSteps);
	const project = `${planned[0]?.layer.path ?? ''}/`;
	const moved = steps.flatMap(step => pathOf(step) ?? []).map(path => path.replace(project, ''));
	return {
		files: planned.flatMap((each, n) => filesOf(each, n === 0 ? '' : `${each.layer.path}/`)),
		refs: steps.flatMap(step => (step.type === 'refs' ? refsOf(step, project) : [])),
		gitFiles: moved.filter(path => !isObject(path)).map(plainPath),
		gitObjects: moved.filter(isObject).length,
		leftOut: planned.flatMap(({takeOver}) => takeOver.leftOut),
		notes: planned.flatMap(({takeOver}) => takeOver.notes),
		isOutside: planned.slice(1).some(isOutsideChanged),
	};
}

function refsOf({gitDir, updates}: Extract<Step, {type: 'refs'}>, project: string): CellChanges['refs'] {
	const repository = plainPath(gitDir.replace(project, ''));
	return repository === '.git' ? updates : updates.map(update => ({...update, repository}));
}

/** Tells whether a layer has changes outside of the git folder of a worktree. Such a git folder has its own layer. */
function isOutsideChanged({layer, takeOver: {steps, gitSteps}}: Planned): boolean {
	return steps.length > (isGitFolder(layer.path) ? gitSteps.length : 0);
}

function isGitFolder(path: string): boolean {
	return path.endsWith('/.git') && statsIn(path, 'HEAD')?.isFile() === true;
}

function filesOf({layer, takeOver: {taken}, named}: Planned, prefix: string): readonly CellChange[] {
	const files = new Map<EffectKey, CellChange>();
	/** For each new folder, the files that do not get a separate line. */
	const inside = new Map<EffectKey, CellChange[]>();
	const links = new Set(taken.flatMap(({effect}) => (effect.type === 'link' ? [effect.path] : [])));
	for (const one of taken) {
		const {effect} = one;
		const above = foldersAbove(effect.path);
		const isProtected = [effect.path, ...above].some(path => named?.has(path));
		const change = changeOf(layer, one, {isProtected, prefix});
		const around = above.find(folder => inside.has(keyOfNew(folder)));
		if (around === undefined || isProtected || isOpen(change) || leadsOut(change, effect.path, around, links))
			files.set(keyOf(effect), change);
		else if (effect.type !== 'folder') inside.get(keyOfNew(around))?.push(change);
		if (around === undefined && effect.type === 'folder' && effect.isNew) inside.set(keyOf(effect), []);
	}
	return [...files].flatMap(([key, change]) => {
		const contents = inside.get(key) ?? [];
		const isListed = contents.length > 0 && contents.length <= maxListed;
		if (!isListed) return [{...change, files: change.files + contents.length}];
		return change.modes === undefined ? contents : [change, ...contents];
	});
}

/** A new folder with at most this many files is not shown as a whole. Its files are listed instead. */
const maxListed = 8;

function keyOfNew(path: string): EffectKey {
	return keyOf({type: 'folder', path, isNew: true});
}

/** Tells whether everybody may write to a new file or folder, or whether it has special permissions. */
function isOpen({modes}: CellChange): boolean {
	return modes !== undefined && (modes.after & 0o7002) !== 0;
}

/**
Tells whether a new link leads out of the new folder that contains it. The result is also true if the path passes
another link, because that link could lead anywhere.
*/
function leadsOut({target}: CellChange, path: string, folder: string, links: ReadonlySet<string>): boolean {
	if (target === undefined) return false;
	let at = `/${dirname(path)}`;
	for (const name of target.split('/')) {
		if (links.has(at.slice(1))) return true;
		at = target.startsWith('/') ? '/' : resolve(at, name);
		if (!contains(`/${folder}`, at)) return true;
	}
	return false;
}

export function changeOf(
	layer: Layer,
	taken: TakenEffect,
	{isProtected, prefix}: {readonly isProtected: boolean; readonly prefix: string},
): CellChange {
	const {effect, files} = taken;
	const isFolder = effect.type === 'folder';
	const type =
		effect.type === 'deleted' || effect.type === 'special' ? 'deleted' : effect.isNew ? 'added' : 'changed';
	return {
		type,
		path: `${plainPath(prefix + effect.path)}${isFolder ? '/' : ''}`,
		files: isFolder ? 0 : files,
		isProtected,
		...(type !== 'deleted' && {modes: modesOf(layer, taken)}),
		...(effect.type === 'link' && {target: plainPath(readlinkSync(place(layer.upper, effect.path), 'latin1'))}),
		read() {
			const [before, after] = [type === 'added' ? '' : layer.path, type === 'deleted' ? '' : layer.upper].map(
				top => (isFolder || top === '' ? noFile : readSmall(top, effect.path)),
			);
			const isTooLarge = before === 'large' || after === 'large';
			return isTooLarge ? {before: undefined, after: undefined} : {before, after};
		},
	};
}

const noFile = undefined;

function readSmall(folder: string, path: string): Buffer | 'large' | undefined {
	const read = readFileIn(folder, path, maxRead);
	return read === undefined && statsIn(folder, path)?.isFile() === true ? 'large' : read;
}

function modesOf({path: real, upper}: Layer, {effect, mode}: TakenEffect): CellChange['modes'] {
	const [was, made] = [statsIn(real, effect.path), statsIn(upper, effect.path)];
	if (made === undefined || effect.type === 'link') return undefined;
	const after = mode ?? made.mode & 0o7777;
	const isOld = was !== undefined && effect.type !== 'deleted' && 'isNew' in effect && !effect.isNew;
	const before = isOld && !was.isSymbolicLink() ? was.mode & 0o7777 : undefined;
	if (before === undefined)
		return (after & unusual[effect.type === 'folder' ? 'folder' : 'file']) === 0 ? undefined : {before, after};
	return before === after ? undefined : {before, after};
}

/** The permissions that a card names although the entry is new: to execute a file, and to write for everybody. */
const unusual = {file: 0o7113, folder: 0o7002};

/** Returns the path that a step changes, or `undefined` for a step that changes references. */
export function pathOf(step: Step): string | undefined {
	if (step.type === 'refs') return undefined;
	return 'to' in step ? step.to : step.path;
}

function isObject(path: string): boolean {
	return /\/objects\/(?:[\da-f]{2}(?:\/[\da-f]+)?|pack(?:\/[^/]+)?)$/.test(path);
}

/** The maximum size of a file that is shown, in bytes. Of a larger file, only the name is shown. */
const maxRead = 256 * 1024;
