import {randomBytes} from 'node:crypto';
import {writeFileSync} from 'node:fs';
import {place} from './effects.ts';
import {listIn, readTextIn, statsIn} from './git-files.ts';
import {pathIn} from './git-folders.ts';
import {submoduleWorktree} from './git-links.ts';
import {newConfig} from './git-new-config.ts';
import type {GrowingPlan} from './git-steps.ts';
import type {Layer} from './layer.ts';

/** Returns the length of the names of objects in a repository that exists, or `undefined` if inkpod only reads it. */
export function existingFormat(layer: Layer, folder: string): 20 | 32 | undefined {
	const text = readTextIn(layer.path, pathIn(folder, 'config'), 1024 * 1024) ?? '';
	const [, storage = 'files'] = /^\s*refstorage\s*=\s*"?(\w+)/im.exec(text) ?? [];
	if (storage !== 'files' || statsIn(layer.path, pathIn(folder, 'reftable')) !== undefined) return undefined;
	return /^\s*objectformat\s*=\s*"?sha256\b/im.test(text) ? 32 : 20;
}

/** Tells whether a repository must keep every object. */
export function keepsObjects(layer: Layer, folder: string): boolean {
	return /^\s*preciousobjects\b/im.test(readTextIn(layer.path, pathIn(folder, 'config'), 1024 * 1024) ?? '');
}

/**
Adds the folders and the configuration of a repository that a command made. Returns the length of the names of objects,
or `undefined` if the repository is not taken over: it lies where there is something else, it needs the objects of
another one, or its format is unknown.
*/
export function addNewRepository(layer: Layer, folder: string, plan: GrowingPlan): 20 | 32 | undefined {
	const borrows = statsIn(layer.merged, pathIn(folder, 'objects/info/alternates')) !== undefined;
	const isLinked = statsIn(layer.merged, pathIn(folder, 'commondir')) !== undefined;
	if (borrows || isLinked || listIn(layer.path, folder).length > 0 || folder === '') return undefined;
	const written = readTextIn(layer.merged, pathIn(folder, 'config'), 1024 * 1024);
	if (written === undefined) return undefined;
	const worktree = submoduleWorktree(layer, folder);
	// A working tree elsewhere is not taken over, so there is none.
	const config = newConfig(written, worktree);
	if (config === undefined || statsIn(layer.merged, pathIn(folder, 'reftable')) !== undefined) return undefined;
	const folders = ['', 'objects', 'objects/pack', 'objects/info', 'refs', 'refs/heads', 'refs/tags'];
	if (!folders.every(name => plan.addFolder(name === '' ? folder : pathIn(folder, name)))) return undefined;
	const from = pathIn(folder, `inkpod-${randomBytes(8).toString('hex')}`);
	writeFileSync(place(layer.upper, from), config.text, {flag: 'wx', mode: 0o644});
	plan.addMove(from, pathIn(folder, 'config'));
	if (!config.isWhole) plan.leave(pathIn(folder, 'config'), 'git');
	return config.hashBytes;
}
