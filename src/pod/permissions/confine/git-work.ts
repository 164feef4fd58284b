import {randomBytes} from 'node:crypto';
import {writeFileSync} from 'node:fs';
import {place} from './effects.ts';
import {listIn, readFileIn, readTextIn, realOf, statsIn} from './git-files.ts';
import {nameIn, pathIn} from './git-folders.ts';
import {isSameIndex, readIndex} from './git-index.ts';
import {isPlainOperation, operations, type Operation} from './git-operations.ts';
import {isObjectName, type RefPlan} from './git-refs.ts';
import {branchOf, isStateFile} from './git-state.ts';
import type {GrowingPlan} from './git-steps.ts';
import type {Effect, Layer, LeftOutReason} from './layer.ts';

/** The state files of git in a repository or a linked worktree, and the effects on them. */
type Work = {
	readonly layer: Layer;
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
Why an unfinished operation is not applied: `runs`: it runs programs or has options that could. `writes`: it would write
files that other programs run. `patches`: it contains patches.
*/
type Unplain = 'runs' | 'writes' | 'patches';

/**
Plans `HEAD`, the index and the other state files. They belong together: if `HEAD`, the index or the checked-out branch
was changed from outside, all state files stay as they are, and the command's commits are saved under other references.
Otherwise the next commit from the old index would undo the new commits.
*/
export function planWork(work: Work): WorkPlan {
	const {layer, folder, refs} = work;
	const effects = work.effects.filter(effect => !isOldIndex(work, effect));
	const begun = operations.filter(name => hasEffect(work, effects, name));
	const unplain = unplainIn(work, begun);
	const headIn = (top: string) => readTextIn(top, pathIn(folder, 'HEAD'), 4096) ?? '';
	const [before, after] = [headIn(layer.path), headIn(layer.merged)];
	const branches = [before, after].map(branchOf).filter(ref => ref !== undefined);
	const why = whyHeld(work, effects, unplain !== undefined, branches);
	const conflicts = new Set(refs.conflicts.map(({ref}) => ref));
	if (why === undefined)
		return {held: [], head: undefined, unplain, add: plan => addWork(work, effects, conflicts, plan)};
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
	{layer, folder, hashBytes, refs}: Work,
	effects: readonly Effect[],
	isUnplain: boolean,
	branches: readonly string[],
): LeftOutReason | undefined {
	const pair = effects.filter(({path}) => /^(?:HEAD|index)$/.test(nameIn(folder, path)));
	const isWrong = (effect: Effect) =>
		effect.type === 'deleted'
			? nameIn(folder, effect.path) === 'HEAD'
			: effect.type !== 'file' || !isStateFile(layer.merged, effect.path, nameIn(folder, effect.path), hashBytes);
	if (isUnplain || pair.some(isWrong)) return 'git';
	const isChanged = pair.some(({path}) => realOf(layer, path).isChanged);
	const isBranchChanged = refs.conflicts.some(({ref}) => branches.includes(ref));
	return isChanged || (isBranchChanged && effects.length > 0) ? 'conflict' : undefined;
}

function addWork(
	{layer, folder, hashBytes, refused}: Work,
	effects: readonly Effect[],
	conflicts: ReadonlySet<string>,
	plan: GrowingPlan,
): void {
	// `HEAD` comes last, because git recognizes a new repository by it. A split index comes after its other part.
	const isLast = (path: string) => ['index', 'HEAD'].indexOf(nameIn(folder, path));
	for (const {type, path} of effects.toSorted((one, other) => isLast(one.path) - isLast(other.path))) {
		const name = nameIn(folder, path);
		const isLogOfConflict = name.startsWith('logs/') && conflicts.has(name.slice('logs/'.length));
		if (isLogOfConflict) plan.leave(path, 'conflict');
		else if (refused.has(name)) plan.leave(path, 'git');
		else if (type === 'deleted') plan.addRemoval(path);
		else if (type !== 'file') plan.leave(path, type === 'special' ? 'special' : 'git');
		else if (name === 'index') addIndex(layer, path, hashBytes, plan);
		else if (isOperation(name) || isStateFile(layer.merged, path, name, hashBytes))
			plan.addMove(path, path, isLocked(name) ? 'move_locked' : 'move');
		else plan.leave(path, 'git');
	}
}

/**
Adds an index that inkpod writes from the entries of the command's index. Its other extensions are caches that git
trusts. With false caches, a commit could get other contents than `git diff --cached` shows, and files could be missing
in lists.
*/
function addIndex(layer: Layer, path: string, hashBytes: 20 | 32, plan: GrowingPlan): void {
	const bytes = readFileIn(layer.merged, path, maxIndex);
	const index = bytes && readIndex(bytes, hashBytes);
	if (index === undefined) return plan.leave(path, 'git');
	const from = `${path}.inkpod-${randomBytes(8).toString('hex')}`;
	const mode = (statsIn(layer.upper, path)?.mode ?? 0o644) & 0o777;
	writeFileSync(place(layer.upper, from), index.plain(), {flag: 'wx', mode});
	plan.addMove(from, path, 'move_locked');
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
function isPlain({layer, folder}: Work, operation: Operation): boolean {
	const path = pathIn(folder, operation);
	if (statsIn(layer.merged, path) === undefined) return true;
	return isPlainOperation(layer.merged, path, operation, listIn(layer.merged, path));
}
