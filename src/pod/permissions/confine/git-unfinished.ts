import type {OwnGit} from '../../scope/git/own-git.ts';
import {foldersAbove} from './effects.ts';
import {readFileIn, readTextIn} from './git-files.ts';
import {pathIn} from './git-folders.ts';
import {readIndex} from './git-index.ts';
import type {Leads} from './git-leads.ts';
import {isObjectName, realRef} from './git-refs.ts';
import {branchOf} from './git-state.ts';
import type {Effect, Layer} from './layer.ts';

/** The state files of git in a working tree after a command. */
export type Unfinished = {
	readonly layer: Layer;
	/** The folder of the repository. */
	readonly folder: string;
	/** The folder that contains `HEAD`. */
	readonly part: string;
	readonly lead: Leads;
};

/** Functions that ask git about the repository and the objects that a command created. */
export type Asking = {
	readonly git: OwnGit;
	/** Returns the changes that git reports, or `undefined` if git fails. The paths are relative to a working tree. */
	readonly diff: (args: readonly string[], names: readonly string[]) => Promise<readonly Effect[] | undefined>;
	/** Returns only the changes to files that other programs run. */
	readonly named: (found: readonly Effect[]) => readonly Effect[];
};

/**
Returns the names of operations and files that are not applied, because with them git would write files that other
programs run. An operation is applied only if such files are the same in the commit that was checked out before, the
commit that is checked out now, the index, and the commits that the operation checks out. The picked commits must not
change such files. A rename could turn another file into such a file. So every such file in the checked-out commit must
also exist in the parents of the picked commits.
*/
export async function refusedOf(unfinished: Unfinished, asking: Asking): Promise<ReadonlySet<string>> {
	const {lead} = unfinished;
	const {before, after} = headsOf(unfinished);
	const isAlike = async (names: readonly string[]) => isPlain(await since(asking, names, before), asking);
	const isHeadPlain = await isAlike([after]);
	const staged = lead.needsIndex ? await stagedIn(unfinished, asking, after) : [];
	const applied = await appliedBy(asking, [...lead.pending, ...lead.stash], after);
	const isStill =
		staged !== undefined &&
		applied !== undefined &&
		!mayMove([...applied.changed, ...applied.later, ...staged], asking);
	const isWorkPlain = isHeadPlain && isStill && isPlain(staged, asking);
	const arePicksPlain =
		isWorkPlain && isPlain(applied.changed, asking) && isPlain(applied.later.filter(isAdded), asking);
	const isOperationPlain = arePicksPlain && (await isAlike(lead.targets));
	const isRefused = (name: string) => !(name === 'MERGE_AUTOSTASH' ? arePicksPlain : isHeadPlain);
	return new Set([
		...(isOperationPlain ? [] : lead.operations),
		...(isWorkPlain ? [] : lead.unfinished),
		...lead.files.filter(isRefused),
	]);
}

/**
Tells whether changes contain no file that other programs run, and no submodule. With `submodule.recurse` git also
checks out submodules, and other programs may run files in them.
*/
function isPlain(found: readonly Effect[] | undefined, {named}: Asking): boolean {
	return found !== undefined && named(found).length === 0 && !found.some(({type}) => type === 'folder');
}

type Applied = {readonly changed: readonly Effect[]; readonly later: readonly Effect[]};

/**
Returns the changes of picked commits (`changed`), and the changes from their parents to the checked-out commit
(`later`).
*/
async function appliedBy(asking: Asking, picks: readonly string[], head: string): Promise<Applied | undefined> {
	if (picks.length === 0) return {changed: [], later: []};
	const changed = await asking.diff(['log', '--no-walk=unsorted', '--stdin', '-m'], picks);
	const parents = await parentsOf(asking, picks);
	const later = parents && (await since(asking, parents, head));
	return changed && later && {changed, later};
}

/**
Tells whether git could move a change to a file that other programs run. If files of a folder were moved to another
folder, git treats the folder as renamed, and applies later changes in the new folder: if `d/a` became `tools/a`, a
change of `d/hooks/x` becomes a change of `tools/hooks/x`. This function assumes that every folder was renamed to every
folder with a new file.
*/
function mayMove(changes: readonly Effect[], {named}: Asking): boolean {
	const added = new Set(changes.filter(isAdded).flatMap(({path}) => foldersAbove(path)));
	const isAround = (path: string) => path === '' || named([{type: 'link', path, isNew: false}]).length > 0;
	const folders = [...added].filter(isAround);
	const rests = new Set(changes.filter(({type}) => type !== 'deleted').flatMap(({path}) => endsOf(path)));
	return folders.some(folder =>
		[...rests].some(rest => named([{type: 'file', path: pathIn(folder, rest), isNew: true}]).length > 0),
	);
}

/** Returns a path without its first folders, in all lengths: `b/c` and `c` for `a/b/c`. */
function endsOf(path: string): readonly string[] {
	const names = path.split('/');
	return names.slice(1).map((_, at) => names.slice(at + 1).join('/'));
}

function isAdded(effect: Effect): boolean {
	return 'isNew' in effect && effect.isNew;
}

type Heads = {readonly before: string; readonly after: string};

/** Returns the commits that are checked out before and after the command. A commit is empty if it is unknown. */
function headsOf({layer, folder, part}: Unfinished): Heads {
	const commitIn = (path: string) => {
		const text = readTextIn(path, pathIn(part, 'HEAD'), 4096) ?? '';
		const branch = branchOf(text);
		const name = branch === undefined ? text.trimEnd() : realRef({path}, folder, branch);
		return isObjectName(name) ? name : '';
	};
	return {before: commitIn(layer.path), after: commitIn(layer.merged)};
}

/** Returns the differences between commits and a later commit, or `undefined` if git fails. */
async function since({diff}: Asking, names: readonly string[], later: string): ReturnType<Asking['diff']> {
	if (names.length === 0) return [];
	if (later === '' || !names.every(isObjectName)) return undefined;
	// git-diff-tree(1) treats the other names in a line as the parents of the first commit.
	return diff(
		['diff-tree', '--stdin', '-r', '--no-commit-id'],
		names.filter(name => name !== later).map(name => `${later} ${name}`),
	);
}

/**
Returns the parents of commits. Returns `undefined` if a commit has no parent or more than two. A stash with three
parents contains untracked files.
*/
async function parentsOf({git}: Asking, names: readonly string[]): Promise<readonly string[] | undefined> {
	const input = names.map(name => `${name}\n`).join('');
	const ran = await git(['rev-list', '--no-walk=unsorted', '--parents', '--stdin'], {input, maxBytes, maxMs});
	if (ran.type !== 'done') return undefined;
	const found = ran.output
		.toString('latin1')
		.trimEnd()
		.split('\n')
		.map(line => line.split(' ').slice(1));
	const isUsual = found.every(parents => parents.length === 1 || parents.length === 2);
	return isUsual ? [...new Set(found.flat())] : undefined;
}

/** Returns the entries of the index that differ from a commit, or `undefined` if some entries are unknown. */
async function stagedIn({layer, part}: Unfinished, {git}: Asking, commit: string): ReturnType<Asking['diff']> {
	const index = readFileIn(layer.merged, pathIn(part, 'index'), maxBytes);
	if (index === undefined || commit === '') return undefined;
	const entries = new Map<string, string>();
	let isKnown = true;
	const read = ([20, 32] as const).map(hashBytes =>
		readIndex(index, hashBytes, ({mode, object, path, isConflict}) => {
			// In a sparse index, the entry of a folder replaces the entries of its files.
			if (mode === 0o040000 || path === '') isKnown = false;
			entries.set(path, isConflict ? '' : `${mode.toString(8)} ${object}`);
		}),
	);
	const found = read.find(one => one !== undefined);
	if (found === undefined || found.shared !== undefined || !isKnown) return undefined;
	const ran = await git(['ls-tree', '-r', '-z', commit], {maxBytes, maxMs});
	if (ran.type !== 'done') return undefined;
	const changed = new Set<string>();
	const isSubmodule = (path: string) => entries.get(path)?.startsWith('160000 ') === true;
	for (const entry of ran.output.toString('latin1').split('\0')) {
		const [, mode = '', object = '', path = ''] = /^(\d+) \w+ (\S+)\t(.+)$/s.exec(entry) ?? [];
		const now = entries.get(path);
		if (now === `${mode} ${object}`) entries.delete(path);
		else if (now !== undefined) changed.add(path);
	}
	return [...entries.keys()].map(path => ({
		...{type: isSubmodule(path) ? 'folder' : 'file', path, isNew: !changed.has(path)},
	}));
}

const maxBytes = 256 * 1024 * 1024;
const maxMs = 20_000;
