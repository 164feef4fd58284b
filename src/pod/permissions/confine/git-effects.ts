import {decodePath} from '../../ground/files/byte-path.ts';
import {quoteUntrusted} from '../../ground/text/quote-untrusted.ts';
import {bytesOf} from './effects.ts';
import {pathIn, type GitFolder} from './git-folders.ts';
import {planGitFile} from './git-links.ts';
import {sortEffects, type Sorted} from './git-names.ts';
import {addNewRepository, existingFormat} from './git-new.ts';
import {planObjects, type IndexPack} from './git-objects.ts';
import {planRefs, realRef, type RefPlan} from './git-refs.ts';
import {growingPlan, type GitPlan, type GrowingPlan} from './git-steps.ts';
import {planWork} from './git-work.ts';
import {planWorktrees} from './git-worktrees.ts';
import type {Effect, Layer, RefUpdate} from './layer.ts';
import {gitCellTexts} from './texts.ts';

export type {GitPlan, IndexPack};

/**
Plans what becomes of the effects in a place of git. Objects and references are taken over, and a closed list of other
files with contents that git itself writes. Nothing else is, so that git obeys nothing that a command made.
*/
export async function planGit(
	layer: Layer,
	place: GitFolder,
	effects: readonly Effect[],
	indexPack: IndexPack,
): Promise<GitPlan> {
	if (place.type === 'file') return planGitFile(layer, place.path, effects);
	const folder = place.path;
	const plan = growingPlan(layer);
	if (effects.some(({type, path}) => path === folder && type !== 'folder')) plan.leave(folder, 'git');
	const sorted = sortEffects(layer, place, effects);
	const format = place.isNew ? addNewRepository(layer, folder, plan) : existingFormat(layer, folder);
	if (format === undefined) {
		plan.leave(folder, 'git');
		plan.note(gitCellTexts.readOnly(named(folder)));
		return plan;
	}
	const {hashBytes} = format;
	const refs = planRefs(layer, folder, sorted.refs);
	const objects = await planObjects({layer, folder, hashBytes, indexPack}, sorted.objects);
	const {rest, refused} = planWorktrees(layer, folder, sorted.other, plan);
	for (const {from, to} of objects.moves) plan.addMove(from, to);
	for (const {path, why} of [...objects.leftOut, ...refs.leftOut]) plan.leave(path, why);
	addWorks({layer, folder, hashBytes, isNew: place.isNew, refused}, sorted, refs, plan);
	if (!format.keepsObjects) for (const path of objects.removals) plan.addRemoval(path);
	// Its configuration was written by inkpod.
	const isOurs = (path: string) => place.isNew && path === pathIn(folder, 'config');
	for (const {path, type} of rest) if (!isOurs(path)) plan.leave(path, type === 'special' ? 'special' : 'git');
	for (const base of refused) plan.leave(pathIn(folder, base), 'git');
	return plan;
}

type Place = {
	readonly layer: Layer;
	readonly folder: string;
	readonly hashBytes: 20 | 32;
	readonly isNew: boolean;
	/** Parts of worktrees that are not taken over. */
	readonly refused: ReadonlySet<string>;
};

/** Adds the references, then what belongs to them: `HEAD`, the index and their like, of each worktree. */
function addWorks({layer, folder, hashBytes, refused}: Place, {work}: Sorted, refs: RefPlan, plan: GrowingPlan): void {
	const bases = [...work].filter(([base]) => !refused.has(base));
	const works = bases.map(([base, effects]) =>
		planWork({layer, folder: base === '' ? folder : pathIn(folder, base), hashBytes, effects, refs}),
	);
	const held = new Set(works.flatMap(({held}) => held));
	addRefs(layer, folder, refs, held, plan);
	for (const path of refs.links) plan.addMove(path, path, 'move_locked');
	for (const {add, isUnplain} of works) {
		add(plan);
		if (isUnplain) plan.note(gitCellTexts.unplain);
	}
}

/** A value of the command that cannot be used is kept below `refs/inkpod/`. */
function addRefs(layer: Layer, folder: string, refs: RefPlan, held: ReadonlySet<string>, plan: GrowingPlan): void {
	const updates = refs.updates.filter(({ref}) => !held.has(ref));
	const made = [
		...refs.conflicts,
		...refs.updates.flatMap(({ref, new: value}) => (held.has(ref) ? [{ref, made: value}] : [])),
	];
	const kept = made.flatMap(({ref, made}): readonly RefUpdate[] => {
		plan.leave(pathIn(folder, ref), 'conflict');
		if (/^0+$/.test(made)) return [];
		const to = keptRef(ref);
		plan.note(gitCellTexts.kept(named(ref), named(to)));
		const old = realRef(layer, folder, to);
		return old === made ? [] : [{ref: to, old: old === '' ? '0'.repeat(made.length) : old, new: made}];
	});
	const all = [...updates, ...kept];
	if (all.length > 0) plan.add({type: 'refs', gitDir: pathIn(layer.path, folder).replace(/\/$/, ''), updates: all});
}

/** Returns the reference for a value that is in conflict. */
export function keptRef(ref: string): string {
	return `refs/inkpod/${ref.slice('refs/'.length)}`;
}

/** Returns a path or a reference for a sentence. */
export function named(path: string): string {
	return quoteUntrusted(decodePath(bytesOf(path)));
}
