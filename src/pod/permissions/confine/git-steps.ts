import {filesIn, realOf, statsIn, type Real} from './git-files.ts';
import {foldersAbove} from './effects.ts';
import {identityOf} from '../../platform/file-identity.ts';

import type {Layer, LeftOut, LeftOutReason, RefValues, Step} from './layer.ts';

/** How the effects in a git folder or a `.git` file are applied. */
export type GitPlan = {
	readonly steps: readonly Step[];
	readonly leftOut: readonly LeftOut[];
	/** Sentences for the model and the user. */
	readonly notes: readonly string[];
};

/** A plan to which steps can be added. All paths are relative to the folder of the layer. */
export type GrowingPlan = GitPlan & {
	readonly leave: (path: string, why: LeftOutReason) => void;
	readonly note: (sentence: string) => void;
	readonly add: (step: Step) => void;
	/**
	Adds a folder and the folders above it, if they do not exist. Returns false if something else is in its place.
	*/
	readonly addFolder: (path: string) => boolean;
	/**
	Adds a move of a file from the upper layer, unless the real file was changed from outside. The move happens only if
	the references have, at that time, the values of `only`.
	*/
	readonly addMove: (from: string, to: string, type?: 'move' | 'move_locked', only?: RefValues) => boolean;
	/**
	Adds a removal of a file or a folder, unless something in it was changed from outside. The step fails if one of the
	absolute paths in `unless` exists when it runs.
	*/
	readonly addRemoval: (path: string, unless?: readonly string[]) => boolean;
	readonly isRemoved: (path: string) => boolean;
};

export function growingPlan(layer: Layer): GrowingPlan {
	const [steps, leftOut, notes]: [Step[], LeftOut[], string[]] = [[], [], []];
	const folders = new Map<string, boolean>([['', true]]);
	const removed = new Set<string>();
	const real = (path: string): Real => {
		const isRemoved = removed.has(path) || foldersAbove(path).some(folder => removed.has(folder));
		return isRemoved ? {stats: undefined, was: '', isChanged: false} : realOf(layer, path);
	};
	const leave = (path: string, why: LeftOutReason) => {
		leftOut.push({path, why});
		return false;
	};
	const addOneFolder = (path: string) => {
		const known = folders.get(path);
		if (known !== undefined) return known;
		const now = real(path).stats;
		const made = statsIn(layer.upper, path);
		// Only a real folder is usable: a link of the user leads to another place, and this plan replaces no file with
		// a folder.
		const isUsable = now === undefined ? made?.isDirectory() !== false : now.isDirectory();
		const mode = ((made?.mode ?? 0o755) & 0o777) | 0o700;
		if (now === undefined && isUsable) steps.push({type: 'folder', path: `${layer.path}/${path}`, mode});
		folders.set(path, isUsable);
		return isUsable;
	};
	const addFolder = (path: string) => [...foldersAbove(path), path].every(addOneFolder);
	return {
		steps,
		leftOut,
		notes,
		leave,
		isRemoved: path => removed.has(path),
		note: sentence => notes.push(sentence),
		add: step => steps.push(step),
		addFolder,
		addMove(from, to, type = 'move', only) {
			const {was, isChanged, stats} = real(to);
			if (isChanged) return leave(to, 'conflict');
			const isFile = stats === undefined || stats.isFile();
			if (!isFile || !addFolder(foldersAbove(to).at(-1) ?? '')) return leave(to, 'git');
			const move = {from: `${layer.upper}/${from}`, to: `${layer.path}/${to}`, was};
			steps.push(only === undefined ? {type, ...move} : {type: 'move_locked', ...move, only});
			return true;
		},
		addRemoval(path, unless) {
			const {stats, was, isChanged} = real(path);
			if (stats === undefined) return true;
			const isFolder = stats.isDirectory();
			const files = isFolder ? filesIn(layer.path, path) : [];
			if (isChanged || files.some(file => realOf(layer, file).isChanged)) return leave(path, 'conflict');
			if (!addFolder(foldersAbove(path).at(-1) ?? '')) return leave(path, 'git');
			const stamp = isFolder ? identityOf(stats) : was;
			removed.add(path);
			steps.push({
				...{type: 'remove', path: `${layer.path}/${path}`, was: stamp},
				...(unless !== undefined && {unless}),
			});
			return true;
		},
	};
}
