import {randomBytes} from 'node:crypto';
import {writeFileSync} from 'node:fs';
import {place} from './effects.ts';
import {listIn, readFileIn, readTextIn, realOf, statsIn} from './git-files.ts';
import {nameIn, pathIn} from './git-folders.ts';
import {isSameIndex} from './git-index.ts';
import {isPlainOperation, operations, type Operation} from './git-operations.ts';
import {isObjectName, isRefMoved, mayBeCheckedOut, realRef, type RefPlan} from './git-refs.ts';
import {branchOf, isStateFile} from './git-state.ts';
import type {GrowingPlan} from './git-steps.ts';
import type {Effect, Layer, LeftOutReason, RefValues} from './layer.ts';
import {plainIndex} from './new-index.ts';

/** The state files of git in a repository or a linked worktree, and the effects on them. */
type Work = {
	readonly layer: Layer;
	/** The folder of the repository. */
	readonly repository: string;
	/** The folder that contains `HEAD`. */
	readonly folder: string;
	readonly hashBytes: 20 | 32;
	readonly effects: readonly Effect[];
	readonly refs: RefPlan;
	/**
	The names of operations and files that are not applied, because with them git would write files that other programs
	run.
	*/
	readonly refused: ReadonlySet<string>;
};

/** The plan for the state files. `held`: the references that must also stay unchanged. */
type WorkPlan = {
	readonly held: readonly string[];
	/** The commit of the command's detached `HEAD`, if a conflict keeps the project's `HEAD` as it is. */
	readonly head: string | undefined;
	/** Adds the steps. They run after the steps for references. */
	readonly add: (plan: GrowingPlan) => void;
	readonly unplain: Unplain | undefined;
};

/**
The reason why an unfinished operation is not applied. `runs`: it runs programs or has options that could. `writes`: it
would write files that other programs run. `patches`: it contains patches.
*/
type Unplain = 'runs' | 'writes' | 'patches';

/**
Plans `HEAD`, the index and the other state files. They belong together: if `HEAD`, the index or the checked-out branch
was changed from outside, all state files stay as they are, and the command's commits are saved under other references.
Otherwise the next commit from the old index would undo the new commits.
*/
export function planWork(work: Work): WorkPlan {
	const {layer, folder} = work;
	const effects = work.effects.filter(effect => !isOldIndex(work, effect));
	const begun = operations.filter(name => hasEffect(work, effects, name));
	const unplain = unplainIn(work, begun);
	const headIn = (top: string) => readTextIn(top, pathIn(folder, 'HEAD'), 4096) ?? '';
	const [before, after] = [headIn(layer.path), headIn(layer.merged)];
	const branches = [before, after].map(branchOf).filter(ref => ref !== undefined);
	const hasIndex = effects.some(({path, type}) => type === 'file' && nameIn(folder, path) === 'index');
	const index = hasIndex ? plainIndex(work) : undefined;
	const isWrong = unplain !== undefined || (hasIndex && index === undefined);
	const why = isWrong ? 'git' : whyHeld(work, effects, branches);
	if (why === undefined) {
		const adding = {index, only: whereBranchesStay(work, branches)};
		return {held: [], head: undefined, unplain, add: plan => addWork(work, effects, adding, plan)};
	}
	const isConflict = why === 'conflict';
	const head = isConflict && before !== after && isObjectName(after.trimEnd()) ? after.trimEnd() : undefined;
	return {
		...{held: isConflict ? branches : [], head},
		unplain,
		add(plan) {
			const operation = (name: string) => begun.find(one => name.startsWith(`${one}/`));
			const named = new Set(
				effects.flatMap(({path, type}) => {
					const name = nameIn(folder, path);
					if (type === 'special') return [];
					return /^(?:HEAD|index)$/.test(name) ? [name] : (operation(name) ?? []);
				}),
			);
			for (const name of named)
				plan.leave(pathIn(folder, name), operation(`${name}/`) === undefined ? why : 'git');
		},
	};
}

function unplainIn(work: Work, begun: readonly Operation[]): Unplain | undefined {
	const unplain = begun.filter(name => !isPlain(work, name));
	if (unplain.includes('rebase-apply')) return 'patches';
	if (unplain.length > 0) return 'runs';
	return operations.some(name => work.refused.has(name)) ? 'writes' : undefined;
}

function whyHeld(
	{layer, repository, folder, hashBytes, refs}: Work,
	effects: readonly Effect[],
	branches: readonly string[],
): LeftOutReason | undefined {
	const pair = effects.filter(({path}) => /^(?:HEAD|index)$/.test(nameIn(folder, path)));
	const isWrong = (effect: Effect) =>
		effect.type === 'deleted'
			? nameIn(folder, effect.path) === 'HEAD'
			: effect.type !== 'file' || !isStateFile(layer.merged, effect.path, nameIn(folder, effect.path), hashBytes);
	const isLeft = (ref: string) => refs.leftOut.some(({path}) => path === pathIn(repository, ref));
	const own = branchOf(readTextIn(layer.path, pathIn(folder, 'HEAD'), 4096));
	const isUnfit = (ref: string) => isLeft(ref) || (ref !== own && !mayBeCheckedOut(layer, repository, ref));
	if (pair.some(isWrong) || (pair.length > 0 && branches.some(isUnfit))) return 'git';
	// A commit does not always change the index, and the command has not always changed the branch.
	const isMoved = (ref: string) => !refs.updates.some(one => one.ref === ref) && isRefMoved(layer, repository, ref);
	const isChanged =
		pair.some(({path}) => realOf(layer, path).isChanged) || (pair.length > 0 && branches.some(isMoved));
	const isBranchChanged = refs.conflicts.some(({ref}) => branches.includes(ref));
	return isChanged || (isBranchChanged && effects.length > 0) ? 'conflict' : undefined;
}

/** Returns the values that the branches must have when `HEAD` and the index are replaced. */
function whereBranchesStay({layer, repository, refs}: Work, branches: readonly string[]): RefValues {
	const valueOf = (ref: string) => {
		const made = refs.updates.find(one => one.ref === ref)?.new ?? realRef(layer, repository, ref);
		return /^0*$/.test(made) ? '' : made;
	};
	const values = [...new Set(branches)].map(ref => ({ref, value: valueOf(ref)}));
	return {gitDir: pathIn(layer.path, repository).replace(/\/$/, ''), values};
}

type Adding = {readonly index: Buffer | undefined; readonly only: RefValues};

function addWork(
	{layer, folder, hashBytes, refused, refs}: Work,
	effects: readonly Effect[],
	{index, only}: Adding,
	plan: GrowingPlan,
): void {
	const conflicts = new Set(refs.conflicts.map(({ref}) => ref));
	// `HEAD` comes last, because git recognizes a new repository by it. A split index comes after its other part.
	const isLast = (path: string) => ['index', 'HEAD'].indexOf(nameIn(folder, path));
	for (const {type, path} of effects.toSorted((one, other) => isLast(one.path) - isLast(other.path))) {
		const name = nameIn(folder, path);
		const isLogOfConflict = name.startsWith('logs/') && conflicts.has(name.slice('logs/'.length));
		if (isLogOfConflict) plan.leave(path, 'conflict');
		else if (refused.has(name)) plan.leave(path, 'git');
		else if (type === 'deleted') plan.addRemoval(path);
		else if (type !== 'file') plan.leave(path, type === 'special' ? 'special' : 'git');
		else if (name === 'index') plan.addMove(indexFile(layer, path, index), path, 'move_locked', only);
		else if (isOperation(name) || isStateFile(layer.merged, path, name, hashBytes))
			plan.addMove(path, path, isLocked(name) ? 'move_locked' : 'move', name === 'HEAD' ? only : undefined);
		else plan.leave(path, 'git');
	}
}

/** Writes an index beside the command's index. */
function indexFile(layer: Layer, path: string, index: Buffer | undefined): string {
	const from = `${path}.inkpod-${randomBytes(8).toString('hex')}`;
	const mode = (statsIn(layer.upper, path)?.mode ?? 0o644) & 0o777;
	writeFileSync(place(layer.upper, from), index ?? '', {flag: 'wx', mode});
	return from;
}

/** Tells whether git itself uses a lock to write a file. */
function isLocked(name: string): boolean {
	return /^(?:HEAD|index|shallow|ORIG_HEAD|logs\/.+)$/.test(name);
}

function isOperation(name: string): boolean {
	return operations.some(operation => name.startsWith(`${operation}/`));
}

/** Tells whether an effect is an index with the same entries. Such an index is not a change. */
function isOldIndex({layer, folder}: Work, {type, path}: Effect): boolean {
	if (type !== 'file' || nameIn(folder, path) !== 'index') return false;
	return isSameIndex(readFileIn(layer.path, path, maxIndex), readFileIn(layer.merged, path, maxIndex));
}

const maxIndex = 256 * 1024 * 1024;

function hasEffect({folder}: Work, effects: readonly Effect[], operation: Operation): boolean {
	const path = pathIn(folder, operation);
	return effects.some(effect => effect.path === path || effect.path.startsWith(`${path}/`));
}

/** Tells whether an operation can be applied: it is finished (its folder is gone), or it runs no other programs. */
function isPlain({layer, repository, folder}: Work, operation: Operation): boolean {
	const path = pathIn(folder, operation);
	if (statsIn(layer.merged, path) === undefined) return true;
	// git creates this branch when the rebase is aborted.
	const branch = branchOf(`ref: ${readTextIn(layer.merged, `${path}/head-name`, 4096) ?? ''}`);
	if (branch !== undefined && !mayBeCheckedOut(layer, repository, branch)) return false;
	return isPlainOperation(layer.merged, path, operation, listIn(layer.merged, path));
}
