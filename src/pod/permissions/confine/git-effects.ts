import {lookAtCommits, noCommits, type Looked, type Looking} from './git-commits.ts';
import {decodePath} from '../../ground/files/byte-path.ts';
import {quoteUntrusted} from '../../ground/text/one-line.ts';
import {bytesOf, place} from './effects.ts';
import {nameIn, partIn, pathIn, type GitFolder} from './git-folders.ts';
import {unfinishedIn} from './git-leads.ts';
import {operations} from './git-operations.ts';
import {planGitFile, submoduleWorktree, newWorktreeFile} from './git-links.ts';
import {sortEffects, type Sorted, splitWorktree} from './git-names.ts';
import {planObjects, type IndexPack} from './git-objects.ts';
import {hasReadableRefs, keptRef, planRefs, realRef, type RefPlan} from './git-refs.ts';
import {growingPlan, type GitPlan, type GrowingPlan} from './git-steps.ts';
import {planWork} from './git-work.ts';
import type {Effect, Layer, RefUpdate} from './layer.ts';
import {gitCellTexts} from './texts.ts';
import {randomBytes} from 'node:crypto';
import {writeFileSync} from 'node:fs';
import {readFormat} from '../../scope/git/run-git.ts';
import {parseGitConfig} from '../../scope/git-config-text.ts';
import {listIn, readFileIn, readTextIn, statsIn} from './git-files.ts';
import {newConfig} from './git-new-config.ts';
import {posix} from 'node:path';

export type {GitPlan, IndexPack};

type GitOptions = Pick<Looking, 'env' | 'isProtected'> & {readonly indexPack: IndexPack};

/**
Plans how the effects in a git folder or a `.git` file are applied. Only objects, references and a fixed list of other
files with contents that git itself writes are applied, so that no file from a command controls git.
*/
export async function planGit(
	layer: Layer,
	place: GitFolder,
	effects: readonly Effect[],
	{indexPack, env, isProtected}: GitOptions,
): Promise<GitPlan> {
	if (place.type === 'file') return planGitFile(layer, place.path, effects);
	const folder = place.path;
	const plan = growingPlan(layer);
	if (effects.some(({type, path}) => path === folder && type !== 'folder')) plan.leave(folder, 'git');
	const found = sortEffects(layer, place, effects);
	const sorted = place.isNew ? withoutOperations(found, folder, plan) : found;
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
	const areMoved = objects.moves.map(({from, to}) => plan.addMove(from, to)).every(isMoved => isMoved);
	for (const {path, why} of [...objects.leftOut, ...refs.leftOut]) plan.leave(path, why);
	const looking = {layer, folder, env, moves: objects.moves, refs, work: sorted.work, isProtected};
	// inkpod writes the configuration of a new repository, so it cannot make git run anything in the commits.
	const looked = place.isNew ? noCommits : await lookAndSay(looking, plan);
	const parts = ['', ...listIn(layer.merged, pathIn(folder, 'worktrees')).map(name => `worktrees/${name}`)];
	const isUnfinished = parts.some(base => unfinishedIn(layer, partIn(folder, base)).length > 0);
	addWorks({layer, folder, hashBytes, refused, looked, isUnfinished}, sorted, refs, plan);
	// If a pack cannot be moved, for example because a link replaced the folder of packs, the old objects must stay.
	// They must also stay during an unfinished operation: without an object, an abbreviated name in the operation's
	// files could mean another object.
	if (!format.keepsObjects && areMoved && !isUnfinished) for (const path of objects.removals) plan.addRemoval(path);
	// inkpod wrote the configuration of a new repository, so the command's own is not reported here.
	const isOurs = (path: string) => place.isNew && path === pathIn(folder, 'config');
	for (const {path, type} of rest) if (!isOurs(path)) plan.leave(path, type === 'special' ? 'special' : 'git');
	for (const base of refused) plan.leave(pathIn(folder, base), 'git');
	return plan;
}

/**
Leaves out the unfinished operations of a new repository, because they would check out commits that inkpod does not
check.
*/
function withoutOperations(sorted: Sorted, folder: string, plan: GrowingPlan): Sorted {
	const work = [...sorted.work].map(([base, effects]) => {
		const part = partIn(folder, base);
		const isOf = (path: string, name: string) => isInside(path, pathIn(part, name));
		const begun = [...operations, 'MERGE_AUTOSTASH'].filter(name => effects.some(({path}) => isOf(path, name)));
		for (const name of begun) plan.leave(pathIn(part, name), 'git');
		return [base, effects.filter(({path}) => !begun.some(name => isOf(path, name)))] as const;
	});
	return {...sorted, work: new Map(work)};
}

function isInside(path: string, folder: string): boolean {
	return path === folder || path.startsWith(`${folder}/`);
}

type Place = {
	readonly layer: Layer;
	readonly folder: string;
	readonly hashBytes: 20 | 32;
	readonly looked: Looked;
	/** The folders of linked worktrees (`worktrees/<name>`) that are not applied. */
	readonly refused: ReadonlySet<string>;
	/**
	Whether an operation is unfinished in one of the working trees. The commits of an unfinished operation must keep
	their parents.
	*/
	readonly isUnfinished: boolean;
};

/** Adds the references, and then the files that depend on them, such as `HEAD` and the index, of each worktree. */
function addWorks(
	{layer, folder, hashBytes, refused, looked, isUnfinished}: Place,
	{work}: Sorted,
	refs: RefPlan,
	plan: GrowingPlan,
): void {
	const bases = [...work].filter(([base]) => !refused.has(base));
	const works = bases.map(([base, effects]) =>
		planWork({
			...{layer, hashBytes, effects, refs, repository: folder},
			folder: partIn(folder, base),
			refused: new Set([...(looked.refused.get(base) ?? []), ...(isUnfinished ? ['shallow'] : [])]),
		}),
	);
	const held = new Set(works.flatMap(({held}) => held));
	const heads = works.flatMap(({head}) => (head === undefined ? [] : [{ref: 'HEAD', made: head}]));
	addRefs(layer, folder, {...refs, conflicts: [...refs.conflicts, ...heads]}, held, plan);
	for (const path of refs.links) plan.addMove(path, path, 'move_locked');
	for (const {add, unplain} of works) {
		add(plan);
		if (unplain !== undefined) plan.note(gitCellTexts.unplain[unplain]);
	}
}

/** Adds the references. If a reference cannot get the command's value, the value is saved below `refs/inkpod/`. */
function addRefs(layer: Layer, folder: string, refs: RefPlan, held: ReadonlySet<string>, plan: GrowingPlan): void {
	const updates = refs.updates.filter(({ref}) => !held.has(ref));
	const made = [
		...refs.conflicts,
		...refs.updates.flatMap(({ref, new: value}) => (held.has(ref) ? [{ref, made: value}] : [])),
	];
	const kept = made.flatMap(({ref, made}): readonly RefUpdate[] => {
		plan.leave(pathIn(folder, ref), 'conflict');
		if (/^0+$/.test(made)) return [];
		const to = keptRef(layer, folder, ref, made);
		plan.note(gitCellTexts.kept(named(ref), named(to)));
		const old = realRef(layer, folder, to);
		return old === made ? [] : [{ref: to, old: old === '' ? '0'.repeat(made.length) : old, new: made}];
	});
	const all = [...updates, ...kept];
	if (all.length > 0) plan.add({type: 'refs', gitDir: pathIn(layer.path, folder).replace(/\/$/, ''), updates: all});
}

async function lookAndSay(looking: Looking, plan: GrowingPlan): Promise<Looked> {
	const looked = await lookAtCommits(looking);
	if (looked.paths.length > 0) plan.note(gitCellTexts.commits(namedList(looked.paths)));
	if (looked.isUnknown) plan.note(gitCellTexts.unknownCommits);
	return looked;
}

/** Returns a list of paths for a sentence: the first paths, and the number of the others. */
function namedList(paths: readonly string[]): string {
	const more = paths.length > maxNamed ? [`… (${paths.length - maxNamed})`] : [];
	return [...paths.slice(0, maxNamed).map(named), ...more].join(', ');
}

const maxNamed = 10;

/** Returns a path or a reference for a sentence. */
export function named(path: string): string {
	return quoteUntrusted(decodePath(bytesOf(path)));
}

/**
Returns the format of an existing repository, or `undefined` if inkpod does not write repositories of this format.
*/
function existingFormat(layer: Layer, folder: string): RepositoryFormat | undefined {
	const text = readTextIn(layer.path, pathIn(folder, 'config'), maxConfig);
	const {entries, brokenLine} = parseGitConfig(text ?? '');
	const format = readFormat(entries);
	const isTables = statsIn(layer.path, pathIn(folder, 'reftable')) !== undefined;
	const isKnown = [layer.path, layer.merged].every(top => hasReadableRefs(top, folder));
	if (!format.ok || isTables || !isKnown || text === undefined || brokenLine !== undefined) return undefined;
	return {
		hashBytes: format.isSha256 ? 32 : 20,
		keepsObjects: entries.some(({key}) => key === 'extensions.preciousobjects'),
	};
}

type RepositoryFormat = {readonly hashBytes: 20 | 32; readonly keepsObjects: boolean};

const maxConfig = 1024 * 1024;

/**
Adds the folders and the configuration of a repository that a command created. Returns its format. Returns `undefined`
if the repository is not applied, because something else is in its place, it needs the objects of another repository, or
its format is unknown.
*/
function addNewRepository(layer: Layer, folder: string, plan: GrowingPlan): RepositoryFormat | undefined {
	const borrows = statsIn(layer.merged, pathIn(folder, 'objects/info/alternates')) !== undefined;
	const isLinked = statsIn(layer.merged, pathIn(folder, 'commondir')) !== undefined;
	if (borrows || isLinked || listIn(layer.path, folder).length > 0 || folder === '') return undefined;
	const written = readFileIn(layer.merged, pathIn(folder, 'config'), maxConfig)?.toString();
	if (written === undefined) return undefined;
	const worktree = submoduleWorktree(layer, folder);
	// A working tree in another place is ignored. Only a submodule keeps its setting.
	const config = newConfig(written, worktree);
	const isTables = statsIn(layer.merged, pathIn(folder, 'reftable')) !== undefined;
	if (config === undefined || isTables || !hasReadableRefs(layer.merged, folder)) return undefined;
	const folders = ['', 'objects', 'objects/pack', 'objects/info', 'refs', 'refs/heads', 'refs/tags'];
	if (!folders.every(name => plan.addFolder(name === '' ? folder : pathIn(folder, name)))) return undefined;
	const from = pathIn(folder, `inkpod-${randomBytes(8).toString('hex')}`);
	writeFileSync(place(layer.upper, from), config.text, {flag: 'wx', mode: 0o644});
	plan.addMove(from, pathIn(folder, 'config'));
	if (!config.isWhole) plan.leave(pathIn(folder, 'config'), 'git');
	if (config.isPartial) plan.note(gitCellTexts.partial(named(folder)));
	return {hashBytes: config.hashBytes, keepsObjects: true};
}

/**
Plans the creation, removal and locks of linked worktrees. `effects` are the effects that no other function planned.
Returns the effects that this function does not plan either, and the worktrees that are not applied.
*/
function planWorktrees(
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

/**
Removes the folder of a linked worktree (`worktrees/<name>`). If the worktree still exists, the folder stays, because
the worktree needs it.
*/
function removeWorktree(layer: Layer, part: string, plan: GrowingPlan): void {
	const written = readTextIn(layer.path, pathIn(part, 'gitdir'), 4096)?.replace(/\n$/, '') ?? '';
	const file = posix.resolve(`${layer.path}/${part}`, written);
	const isInside = file.startsWith(`${layer.path}/`);
	const exists = isInside
		? statsIn(layer.merged, file.slice(layer.path.length + 1)) !== undefined
		: statsIn(posix.dirname(file), posix.basename(file)) !== undefined;
	const isLocked = statsIn(layer.path, pathIn(part, 'locked')) !== undefined;
	if (written === '' || exists || isLocked) plan.leave(part, 'git');
	// If the `.git` file of the worktree exists when the steps run, the folder stays.
	else plan.addRemoval(part, isInside ? [file] : undefined);
}
