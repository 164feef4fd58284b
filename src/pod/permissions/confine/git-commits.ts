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
import {nameIn, pathIn} from './git-folders.ts';
import {leadsTo, type Leads} from './git-leads.ts';
import type {Sorted} from './git-names.ts';
import type {Move} from './git-objects.ts';
import {isObjectName, realRef, type RefPlan} from './git-refs.ts';
import {branchOf} from './git-state.ts';
import type {Effect, Layer} from './layer.ts';
import {createOpenFolder} from './open-folder.ts';
import {presentRunLater} from './protected-places.ts';
import {linkedTrees, ownTrees, treesLeadingTo} from './working-trees.ts';

/** A repository whose new commits are looked at before they are taken over. */
export type Looking = {
	readonly layer: Layer;
	readonly folder: string;
	readonly env: Env;
	/** The objects that the command made and that are taken over. */
	readonly moves: readonly Move[];
	readonly refs: RefPlan;
	readonly work: Sorted['work'];
	readonly isProtected: (effect: Effect) => boolean;
};

/** What new commits lead to. */
export type Looked = {
	/** The files that other programs run and that commits change, relative to the layer. */
	readonly paths: readonly string[];
	/** Whether git could not say what all commits change. */
	readonly isUnknown: boolean;
	/**
	The names of operations and files that are not taken over, by the name of the worktree's part (empty for the
	repository itself). With them git would write files that other programs run, without being told a commit.
	*/
	readonly refused: ReadonlyMap<string, ReadonlySet<string>>;
};

/**
Looks at what the new commits change. A take-over leaves out files that other programs run, but git would write them
when an unfinished operation continues.
*/
export async function lookAtCommits(looking: Looking): Promise<Looked> {
	const {layer, folder, env, refs, work} = looking;
	const leads = new Map([...work].map(([base, effects]) => [base, leadsTo(layer, partIn(folder, base), effects)]));
	const values = [...refs.updates.map(update => update.new), ...refs.conflicts.map(({made}) => made)];
	const made = values.filter(name => !/^0+$/.test(name));
	const tips = new Set([
		...made,
		...[...leads.values()].flatMap(({all, picks}) => [...all, ...picks.filter(isObjectName)]),
	]);
	if (tips.size === 0 && [...leads.values()].every(isIdle)) return noCommits;
	const tops = await topsOf(layer, folder);
	const common = plainPath(folder === '' ? layer.path : `${layer.path}/${folder}`);
	const found = await readRepository({folder: common, common}, env);
	if (!isInPlace(looking)) return unknown(leads);
	const added = await mkdtemp(join(tmpdir(), 'inkpod-objects-'));
	try {
		linkObjects(looking, added);
		const asked = {looking, tops, tips, leads};
		const used = found.ok ? await withOwnGit(found.repository, {env, added}, async git => ask(git, asked)) : found;
		return used.ok && 'value' in used && isInPlace(looking) ? used.value : unknown(leads);
	} finally {
		await rm(added, {recursive: true, force: true});
	}
}

/** Nothing that has to be said. */
export const noCommits: Looked = {paths: [], isUnknown: false, refused: new Map()};

/** A link in the place of a folder leads to another repository, and names of its files must not get into a result. */
function isInPlace({layer, folder}: Looking): boolean {
	const opened = createOpenFolder([layer.path]);
	try {
		return opened.entry(`${layer.path}/${pathIn(folder, 'objects/pack')}`) !== undefined;
	} finally {
		opened.close();
	}
}

/** Returns the folder of a worktree's part. The repository itself has an empty name. */
function partIn(folder: string, base: string): string {
	return base === '' ? folder : pathIn(folder, base);
}

function isIdle({operations, files}: Leads): boolean {
	return operations.length === 0 && files.length === 0;
}

function unknown(leads: ReadonlyMap<string, Leads>): Looked {
	const refused = [...leads].map(
		([base, {operations, files}]) => [base, new Set([...operations, ...files])] as const,
	);
	return {paths: [], isUnknown: true, refused: new Map(refused)};
}

/** git would believe the indexes of packs that the command made, so it sees only what was checked. */
function linkObjects({layer, folder, moves}: Looking, added: string): void {
	for (const {from, to} of moves) {
		const path = join(added, nameIn(pathIn(folder, 'objects'), to));
		mkdirSync(dirname(path), {recursive: true});
		symlinkSync(bytesOf(`${layer.upper}/${from}`.replace(/^\/proc\/self\//, `/proc/${process.pid}/`)), path);
	}
}

/**
Returns the working trees of a repository, relative to the layer (`../x` is one outside). If none of them is in the
layer, nobody knows where git will write the files, so the usual places count, too.
*/
async function topsOf(layer: Layer, folder: string): Promise<readonly string[]> {
	const top = plainPath(layer.path);
	const git = join(top, plainPath(folder));
	const {repositories} = await presentRunLater(top);
	// The command may have made a part of the repository that does not exist outside yet.
	const made = listIn(layer.merged, pathIn(folder, 'worktrees')).flatMap(name => {
		const part = pathIn(folder, `worktrees/${name}`);
		const file = readTextIn(layer.merged, `${part}/gitdir`, 4096)?.trimEnd() ?? '';
		return file === '' ? [] : [plainPath(posix.resolve(`${layer.path}/${part}`, posix.dirname(file)))];
	});
	const trees = await Promise.all([ownTrees(git), linkedTrees(git), treesLeadingTo(git, repositories.keys())]);
	const real = await Promise.all([...trees.flat(), ...made].map(resolveLinks));
	const tops = real.map(path => layerPath(relative(top, path)));
	const guessed = tops.every(isOutside) ? ['', foldersAbove(folder).at(-1) ?? ''] : [];
	return [...new Set([...tops, ...guessed])];
}

type Asked = {
	readonly looking: Looking;
	readonly tops: readonly string[];
	readonly tips: ReadonlySet<string>;
	readonly leads: ReadonlyMap<string, Leads>;
};

/** Asks git what commits change. */
type Ask = (args: readonly string[], names?: readonly string[]) => Promise<readonly string[] | undefined>;

async function ask(git: OwnGit, {looking, tops, tips, leads}: Asked): Promise<Looked> {
	const paths = new Set<string>();
	let isUnknown = false;
	const named = (found: readonly Effect[]) =>
		found.flatMap(effect =>
			tops.map(top => pathIn(top, effect.path)).filter(path => looking.isProtected({...effect, path})),
		);
	const run: Ask = async (args, names = []) => {
		const input = names.map(name => `${name}\n`).join('');
		const ran = await git([...args, ...(args[0] === 'log' ? ['--format='] : []), ...raw], {input, maxBytes, maxMs});
		const changed = ran.type === 'done' ? named(changesIn(ran.output.toString('latin1'))) : undefined;
		isUnknown ||= changed === undefined;
		for (const path of changed ?? []) paths.add(path);
		return changed;
	};
	await run(['log', '--stdin', '--ignore-missing', '-c', '--not', '--all'], [...tips]);
	const refused = new Map<string, ReadonlySet<string>>();
	for (const [base, lead] of leads) {
		const isOurs = (path: string) => named([{type: 'file', path, isNew: false}]).length > 0;
		const patched = lead.patched?.some(isOurs) ?? true;
		const isUnsafe = patched || looking.refs.updates.some(({ref}) => ref.startsWith('refs/replace/'));
		if (!isIdle(lead)) refused.set(base, await refusedOf(lead, headsOf(looking, base), {run, isUnsafe}));
	}
	return {paths: [...paths].toSorted(), isUnknown, refused};
}

const raw = ['--raw', '-z', '--no-renames', '--no-abbrev', '--no-ext-diff'];
const maxBytes = 64 * 1024 * 1024;
const maxMs = 20_000;

type Heads = {readonly before: string; readonly after: string};

/** Returns the commits that were and are checked out, or empty strings. */
function headsOf({layer, folder}: Looking, base: string): Heads {
	const commitIn = (path: string) => {
		const text = readTextIn(path, pathIn(partIn(folder, base), 'HEAD'), 4096) ?? '';
		const branch = branchOf(text);
		const name = branch === undefined ? text.trimEnd() : realRef({path}, folder, branch);
		return isObjectName(name) ? name : '';
	};
	return {before: commitIn(layer.path), after: commitIn(layer.merged)};
}

type Tools = {readonly run: Ask; readonly isUnsafe: boolean};

async function refusedOf(lead: Leads, {before, after}: Heads, {run, isUnsafe}: Tools): Promise<ReadonlySet<string>> {
	const isPlain = async (found: ReturnType<Ask>) => (await found)?.length === 0;
	const isApplied = async (names: readonly string[]) =>
		names.length === 0 || isPlain(run(['log', '--no-walk=unsorted', '--stdin', '-m'], names));
	const isReached = async (name: string) =>
		name === before || (before !== '' && name !== '' && isPlain(run(['diff-tree', '-r', before, name])));
	const isHeadPlain = await isReached(after);
	let isOperationPlain = isHeadPlain && !isUnsafe && (await isApplied(lead.picks));
	for (const name of lead.targets) isOperationPlain &&= await isReached(name);
	const isStashPlain = !isUnsafe && (await isApplied(lead.stash));
	const isRefused = (name: string) => !(name === 'MERGE_AUTOSTASH' ? isStashPlain : isHeadPlain);
	return new Set([...(isOperationPlain ? [] : lead.operations), ...lead.files.filter(isRefused)]);
}

/** Reads the raw format of git-diff-tree(1). A merge has a colon and a mode for each of its parents. */
function changesIn(text: string): readonly Effect[] {
	const tokens = text.split('\0');
	const changes: Effect[] = [];
	for (let at = 0; at + 1 < tokens.length; at++) {
		const [, colons = '', rest = ''] = /^\n?(:+)(\d{6} .+)$/s.exec(tokens[at] ?? '') ?? [];
		if (colons === '') continue;
		const mode = rest.split(' ')[colons.length];
		const path = tokens[++at] ?? '';
		if (mode === '000000') changes.push({type: 'deleted', path});
		else changes.push({type: types[mode ?? ''] ?? 'file', path, isNew: false});
	}
	return changes;
}

/** git makes an empty folder for a submodule. */
const types: Readonly<Record<string, 'link' | 'folder'>> = {'120000': 'link', '160000': 'folder'};
