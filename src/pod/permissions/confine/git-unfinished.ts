import type {OwnGit} from '../../scope/git/own-git.ts';
import {readFileIn, readTextIn} from './git-files.ts';
import {pathIn} from './git-folders.ts';
import {readIndex} from './git-index.ts';
import type {Leads} from './git-leads.ts';
import {isObjectName, realRef} from './git-refs.ts';
import {branchOf} from './git-state.ts';
import type {Effect, Layer} from './layer.ts';

/** The files of git in a working tree after a command. */
export type Unfinished = {
	readonly layer: Layer;
	/** The folder of the repository. */
	readonly folder: string;
	/** The folder that contains `HEAD`. */
	readonly part: string;
	readonly lead: Leads;
};

/** Asks git about the repository and the objects that a command made. */
export type Asking = {
	readonly git: OwnGit;
	/** Returns what git says that changes and that other programs run, or `undefined` if git fails. */
	readonly changes: (args: readonly string[], names: readonly string[]) => Promise<readonly Effect[] | undefined>;
	/** Tells whether other programs run a file of the working tree. */
	readonly isOurs: (path: string) => boolean;
};

/**
Returns the names of operations and files that are not taken over, because git would write files that other programs
run. An operation is taken over if such files are the same in what was checked out, what is checked out now, the index,
and whatever the operation checks out. Its picks must not change them. A file that exists only in what was checked out
may be what a rename makes of another one, so the parents of a pick must have all of them.
*/
export async function refusedOf(unfinished: Unfinished, asking: Asking): Promise<ReadonlySet<string>> {
	const {lead} = unfinished;
	const {before, after} = headsOf(unfinished);
	const picked = await withParents(asking, [...lead.picks, ...lead.stash]);
	const hasPlainPicks = async (names: readonly string[]) =>
		names.length === 0 ||
		(picked !== undefined &&
			isEmpty(await asking.changes(['log', '--no-walk=unsorted', '--stdin', '-m'], names)) &&
			(await since(asking, picked, before))?.some(effect => 'isNew' in effect && effect.isNew) === false);
	const isAlike = async (names: readonly string[]) => isEmpty(await since(asking, names, before));
	const isHeadPlain = await isAlike([after]);
	const isWorkPlain = isHeadPlain && (!lead.needsIndex || (await isIndexPlain(unfinished, asking, before)));
	const isOperationPlain = isWorkPlain && (await hasPlainPicks(lead.picks)) && (await isAlike(lead.targets));
	const isStashPlain = isWorkPlain && (await hasPlainPicks(lead.stash));
	const isRefused = (name: string) => !(name === 'MERGE_AUTOSTASH' ? isStashPlain : isHeadPlain);
	return new Set([
		...(isOperationPlain ? [] : lead.operations),
		...(isWorkPlain ? [] : lead.unfinished),
		...lead.files.filter(isRefused),
	]);
}

function isEmpty(found: readonly unknown[] | undefined): boolean {
	return found?.length === 0;
}

type Heads = {readonly before: string; readonly after: string};

/** Returns the commits that were and are checked out, or empty strings. */
function headsOf({layer, folder, part}: Unfinished): Heads {
	const commitIn = (path: string) => {
		const text = readTextIn(path, pathIn(part, 'HEAD'), 4096) ?? '';
		const branch = branchOf(text);
		const name = branch === undefined ? text.trimEnd() : realRef({path}, folder, branch);
		return isObjectName(name) ? name : '';
	};
	return {before: commitIn(layer.path), after: commitIn(layer.merged)};
}

/** Returns what is different in a later commit, or `undefined` if git fails. */
async function since({changes}: Asking, names: readonly string[], later: string): ReturnType<Asking['changes']> {
	if (names.length === 0) return [];
	if (later === '' || !names.every(isObjectName)) return undefined;
	// git-diff-tree(1) takes the other names in a line for the parents of the first one.
	return changes(
		['diff-tree', '--stdin', '-r', '--no-commit-id'],
		names.filter(name => name !== later).map(name => `${later} ${name}`),
	);
}

/** Returns the parents of commits. A commit without one is unusual, and counts as a failure. */
async function withParents({git}: Asking, names: readonly string[]): Promise<readonly string[] | undefined> {
	if (names.length === 0) return [];
	const input = names.map(name => `${name}\n`).join('');
	const ran = await git(['rev-list', '--no-walk=unsorted', '--parents', '--stdin'], {input, maxBytes, maxMs});
	if (ran.type !== 'done') return undefined;
	const found = ran.output
		.toString('latin1')
		.trimEnd()
		.split('\n')
		.map(line => line.split(' ').slice(1));
	return found.some(parents => parents.length === 0) ? undefined : [...new Set(found.flat())];
}

/** Tells whether an index has only such files that other programs run as a commit. */
async function isIndexPlain({layer, part}: Unfinished, {git, isOurs}: Asking, commit: string): Promise<boolean> {
	const index = readFileIn(layer.merged, pathIn(part, 'index'), maxBytes);
	if (index === undefined || commit === '') return false;
	const ours = new Map<string, string>();
	let isKnown = true;
	const read = ([20, 32] as const).map(hashBytes =>
		readIndex(index, hashBytes, ({mode, object, path, isConflict}) => {
			// A folder stands for its files in a sparse checkout.
			if (mode === 0o040000 || path === '') isKnown = false;
			else if (isOurs(path)) ours.set(path, isConflict ? '' : `${mode.toString(8)} ${object}`);
		}),
	);
	const found = read.find(one => one !== undefined);
	if (found === undefined || found.shared !== undefined || !isKnown) return false;
	if (ours.size === 0) return true;
	const ran = await git(['ls-tree', '-r', '-z', commit], {maxBytes, maxMs});
	if (ran.type !== 'done') return false;
	for (const entry of ran.output.toString('latin1').split('\0')) {
		const [, mode = '', object = '', path = ''] = /^(\d+) \w+ (\S+)\t(.+)$/s.exec(entry) ?? [];
		if (ours.get(path) === `${mode} ${object}`) ours.delete(path);
	}
	return ours.size === 0;
}

const maxBytes = 256 * 1024 * 1024;
const maxMs = 20_000;
