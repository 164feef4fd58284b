import {posix} from 'node:path';
import {listIn, readTextIn, statsIn} from './git-files.ts';
import {nameIn, pathIn} from './git-folders.ts';
import {newWorktreeFile} from './git-links.ts';
import {splitWorktree} from './git-names.ts';
import type {GrowingPlan} from './git-steps.ts';
import type {Effect, Layer} from './layer.ts';

/**
Plans the parts of a repository that belong to linked worktrees, besides what they do. `effects` are those that nothing
else decided about. Returns the rest of them, and the parts that are not taken over.
*/
export function planWorktrees(
	layer: Layer,
	folder: string,
	effects: readonly Effect[],
	plan: GrowingPlan,
): {readonly rest: readonly Effect[]; readonly refused: ReadonlySet<string>} {
	const rest: Effect[] = [];
	const refused = new Set<string>();
	for (const effect of effects) {
		const name = nameIn(folder, effect.path);
		const [base, inside] = splitWorktree(name);
		const part = pathIn(folder, base);
		const isNew = base !== '' && statsIn(layer.path, part) === undefined;
		if (effect.type === 'deleted' && /^worktrees\/[^/]+$/s.test(name)) removeWorktree(layer, effect.path, plan);
		else if (isNew && /^(?:commondir|gitdir)$/.test(inside)) {
			if (newWorktreeFile(layer, part) !== undefined) plan.addMove(effect.path, effect.path);
			else refused.add(base);
		} else if (base !== '' && inside === 'locked' && effect.type === 'file') plan.addMove(effect.path, effect.path);
		else rest.push(effect);
	}
	const all = pathIn(folder, 'worktrees');
	const parts = listIn(layer.path, all).map(name => `${all}/${name}`);
	if (parts.every(part => plan.isRemoved(part)) && statsIn(layer.merged, all) === undefined)
		plan.addRemoval(
			all,
			parts.map(part => `${layer.path}/${part}`),
		);
	return {rest, refused};
}

/** The part of a worktree that still exists is not removed, because the worktree would be without a repository. */
function removeWorktree(layer: Layer, part: string, plan: GrowingPlan): void {
	const written = readTextIn(layer.path, pathIn(part, 'gitdir'), 4096)?.replace(/\n$/, '') ?? '';
	const file = posix.resolve(`${layer.path}/${part}`, written);
	const isInside = file.startsWith(`${layer.path}/`);
	const exists = isInside
		? statsIn(layer.merged, file.slice(layer.path.length + 1)) !== undefined
		: statsIn(posix.dirname(file), posix.basename(file)) !== undefined;
	const isLocked = statsIn(layer.path, pathIn(part, 'locked')) !== undefined;
	if (written === '' || exists || isLocked) plan.leave(part, 'git');
	// What was changed from outside keeps the worktree, which needs its repository.
	else plan.addRemoval(part, isInside ? [file] : undefined);
}
