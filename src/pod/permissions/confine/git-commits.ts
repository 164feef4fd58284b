import {mkdirSync, symlinkSync} from 'node:fs';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join, posix, relative} from 'node:path';
import type {Env} from '../../ground/env/env.ts';
import {withOwnGit, type OwnGit} from '../../scope/git/own-git.ts';
import {readRepository} from '../../scope/git/repository.ts';
import {resolveLinks} from '../../scope/locate.ts';
import {bytesOf, foldersAbove, isOutside, layerPath, plainPath} from './effects.ts';
import {listIn, readTextIn} from './git-files.ts';
import {nameIn, partIn, pathIn} from './git-folders.ts';
import {leadsTo, type Leads} from './git-leads.ts';
import type {Sorted} from './git-names.ts';
import type {Move} from './git-objects.ts';
import type {RefPlan} from './git-refs.ts';
import {refusedOf, type Asking} from './git-unfinished.ts';
import type {Effect, Layer} from './layer.ts';
import {createOpenFolder} from './open-folder.ts';
import {presentRunLater} from './protected-places.ts';
import {linkedTrees, ownTrees, treesLeadingTo} from './working-trees.ts';

/** A repository whose new commits are checked before they are applied. */
export type Looking = {
	readonly layer: Layer;
	readonly folder: string;
	readonly env: Env;
	/** The objects that the command created and that will be applied. */
	readonly moves: readonly Move[];
	readonly refs: RefPlan;
	readonly work: Sorted['work'];
	readonly isProtected: (effect: Effect) => boolean;
};

/** The result of the check of new commits. */
export type Looked = {
	/** The files that other programs run and that new commits change, relative to the layer. */
	readonly paths: readonly string[];
	/** Whether the changes of some commits are unknown. */
	readonly isUnknown: boolean;
	/**
	For each worktree (with an empty name for the repository itself), the operations and files that are not applied.
	With them, git would write files that other programs run although the user names no commit.
	*/
	readonly refused: ReadonlyMap<string, ReadonlySet<string>>;
};

/**
Checks what the new commits change. Changes of files that other programs run are not applied without approval, but git
would still write such files when an unfinished operation continues.
*/
export async function lookAtCommits(looking: Looking): Promise<Looked> {
	const {layer, folder, env, refs, work} = looking;
	const leads = new Map([...work].map(([base, effects]) => [base, leadsTo(layer, partIn(folder, base), effects)]));
	const values = [...refs.updates.map(update => update.new), ...refs.conflicts.map(({made}) => made)];
	const made = values.filter(name => !/^0+$/.test(name));
	const tips = new Set([...made, ...[...leads.values()].flatMap(({all}) => all)]);
	if (tips.size === 0 && [...leads.values()].every(isIdle)) return noCommits;
	const trees = await treesOf(layer, folder);
	const common = plainPath(folder === '' ? layer.path : `${layer.path}/${folder}`);
	const found = await readRepository({folder: common, common}, env);
	if (!isInPlace(looking)) return unknown(leads);
	const added = await mkdtemp(join(tmpdir(), 'inkpod-objects-'));
	try {
		linkObjects(looking, added);
		const asked = {looking, trees, tips, leads};
		const used = found.ok ? await withOwnGit(found.repository, {env, added}, async git => ask(git, asked)) : found;
		return used.ok && 'value' in used && isInPlace(looking) ? used.value : unknown(leads);
	} finally {
		await rm(added, {recursive: true, force: true});
	}
}

/** The result without any findings. */
export const noCommits: Looked = {paths: [], isUnknown: false, refused: new Map()};

/**
Tells whether the repository is still in its place. If a link replaced a folder, names of files of another repository
would get into the result.
*/
function isInPlace({layer, folder}: Looking): boolean {
	const opened = createOpenFolder([layer.path]);
	try {
		return opened.entry(`${layer.path}/${pathIn(folder, 'objects/pack')}`) !== undefined;
	} finally {
		opened.close();
	}
}

function isIdle({unfinished, files}: Leads): boolean {
	return unfinished.length === 0 && files.length === 0;
}

function unknown(leads: ReadonlyMap<string, Leads>): Looked {
	const refused = [...leads].map(
		([base, {unfinished, files}]) => [base, new Set([...unfinished, ...files, 'shallow'])] as const,
	);
	return {paths: [], isUnknown: true, refused: new Map(refused)};
}

/**
Links the checked objects into a folder for git. git does not see the command's own pack indexes, because git would
trust them.
*/
function linkObjects({layer, folder, moves}: Looking, added: string): void {
	for (const {from, to} of moves) {
		const path = join(added, nameIn(pathIn(folder, 'objects'), to));
		mkdirSync(dirname(path), {recursive: true});
		symlinkSync(bytesOf(`${layer.upper}/${from}`.replace(/^\/proc\/self\//, `/proc/${process.pid}/`)), path);
	}
}

/**
The folders in which git writes files (`tops`), and the git folders that may be inside them. All paths are relative to
the layer.
*/
type Trees = {readonly tops: readonly string[]; readonly folders: ReadonlySet<string>};

/**
Returns the working trees of a repository (`../x` is a tree outside of the layer). If no tree is in the layer, it is
unknown where git will write the files, so the usual places are added.
*/
async function treesOf(layer: Layer, folder: string): Promise<Trees> {
	const top = plainPath(layer.path);
	const git = join(top, plainPath(folder));
	const {repositories} = await presentRunLater(top);
	// The command may have created a worktree that is not applied to the project yet.
	const made = listIn(layer.merged, pathIn(folder, 'worktrees')).flatMap(name => {
		const part = pathIn(folder, `worktrees/${name}`);
		const file = readTextIn(layer.merged, `${part}/gitdir`, 4096)?.trimEnd() ?? '';
		return file === '' ? [] : [plainPath(posix.resolve(`${layer.path}/${part}`, posix.dirname(file)))];
	});
	const trees = await Promise.all([ownTrees(git), linkedTrees(git), treesLeadingTo(git, repositories.keys())]);
	const real = await Promise.all([...trees.flat(), ...made].map(resolveLinks));
	const tops = real.map(path => layerPath(relative(top, path)));
	const guessed = tops.every(isOutside) ? ['', foldersAbove(folder).at(-1) ?? ''] : [];
	const folders = [git, ...repositories.keys()].map(path => layerPath(relative(top, path)));
	// If the layer is itself a git folder, its path is empty. The layer is left out, because it contains no working
	// tree.
	return {tops: [...new Set([...tops, ...guessed])], folders: new Set(folders.filter(path => path !== ''))};
}

type Asked = {
	readonly looking: Looking;
	readonly trees: Trees;
	readonly tips: ReadonlySet<string>;
	readonly leads: ReadonlyMap<string, Leads>;
};

async function ask(git: OwnGit, {looking, trees: {tops, folders}, tips, leads}: Asked): Promise<Looked> {
	const paths = new Set<string>();
	let isUnknown = false;
	const folderPaths = new Set([...folders].flatMap(foldersAbove));
	// A commit may contain files that are inside a bare repository of the working tree.
	const isOfGit = ({path, type}: Effect) =>
		folders.has(path) ||
		foldersAbove(path).some(one => folders.has(one)) ||
		(type === 'link' && folderPaths.has(path));
	const named: Asking['named'] = found =>
		found.flatMap(effect =>
			tops
				.map(top => ({...effect, path: pathIn(top, effect.path)}))
				.filter(inside => looking.isProtected(inside) || isOfGit(inside)),
		);
	const diff: Asking['diff'] = async (args, names) => {
		const input = names.map(name => `${name}\n`).join('');
		const ran = await git([...args, ...(args[0] === 'log' ? ['--format='] : []), ...raw], {input, maxBytes, maxMs});
		const changed = ran.type === 'done' ? changesIn(ran.output.toString('latin1')) : undefined;
		isUnknown ||= changed === undefined;
		if (args[0] === 'log') for (const {path} of named(changed ?? [])) paths.add(path);
		return changed;
	};
	await diff(['log', '--stdin', '--ignore-missing', '-c', '--not', '--all'], [...tips]);
	const refused = new Map<string, ReadonlySet<string>>();
	for (const [base, lead] of leads) {
		const unfinished = {layer: looking.layer, folder: looking.folder, part: partIn(looking.folder, base), lead};
		const names = isIdle(lead) ? [] : await refusedOf(unfinished, {git, diff, named});
		const isShallow = lead.shallow.length > 0 && (await haveParents(git, lead.shallow));
		refused.set(base, new Set([...names, ...(isShallow ? ['shallow'] : [])]));
	}
	return {paths: [...paths].toSorted(), isUnknown, refused};
}

/**
Tells whether the repository contains parents of these commits. If a `shallow` file names the commits, git ignores these
parents and could delete them.
*/
async function haveParents(git: OwnGit, commits: readonly string[]): Promise<boolean> {
	const ask = async (args: readonly string[], names: readonly string[]) => {
		const ran = await git(args, {input: names.map(name => `${name}\n`).join(''), maxBytes, maxMs});
		return ran.type === 'done' ? ran.output.toString('latin1') : undefined;
	};
	const text = await ask(['cat-file', '--batch'], commits);
	const parents = text?.match(/^parent [\da-f]{40,64}$/gm)?.map(line => line.slice('parent '.length)) ?? [];
	const found = text === undefined ? undefined : await ask(['cat-file', '--batch-check'], parents);
	return found === undefined || /^[\da-f]+ \w+ \d+$/m.test(found);
}

const raw = ['--raw', '-z', '--no-renames', '--no-abbrev', '--no-ext-diff'];
const maxBytes = 64 * 1024 * 1024;
const maxMs = 20_000;

/** Parses the raw format of git-diff-tree(1). The line of a merge has a colon and a mode for each parent. */
function changesIn(text: string): readonly Effect[] {
	const tokens = text.split('\0');
	const changes: Effect[] = [];
	for (let at = 0; at + 1 < tokens.length; at++) {
		const [, colons = '', rest = ''] = /^\n?(:+)(\d{6} .+)$/s.exec(tokens[at] ?? '') ?? [];
		if (colons === '') continue;
		const words = rest.split(' ');
		const mode = words[colons.length];
		const path = tokens[++at] ?? '';
		if (mode === '000000') changes.push({type: 'deleted', path});
		else changes.push({type: types[mode ?? ''] ?? 'file', path, isNew: words.at(-1) === 'A'});
	}
	return changes;
}

/** The effects for file modes of links and submodules. For a submodule, git creates an empty folder. */
const types: Readonly<Record<string, 'link' | 'folder'>> = {'120000': 'link', '160000': 'folder'};
