import {lstat} from 'node:fs/promises';
import {relative, resolve, sep} from 'node:path';
import type {Completions, Match} from '../../protocol.ts';
import {locate} from '../../scope/locate.ts';
import {contains} from '../../ground/files/contains.ts';
import type {Scope} from '../../scope/scope.ts';
import {diskPath} from '../../scope/disk-path.ts';
import {bestCandidates, listedCandidates, type Candidate, type SearchSource} from './candidates.ts';
import {createListFolder, type FolderListing, type ListFolder} from './listing.ts';
import {createPathRows} from './path-rows.ts';
import {createPathTree, type PathTree} from './path-tree.ts';
import {tiers, parsePathQuery} from './rank.ts';
import {completionTexts} from './texts.ts';
import {parseTypedPath, shorterHead, withoutRange, type TypedPath} from './path-rows.ts';

/** The answer to a path query, without the query. */
export type PathMatches = Omit<Completions, 'query'>;

/** Finds the paths that a partly typed path can mean. The search keeps an index of each queried folder of the scope. */
type PathSearch = {
	search(scope: Scope, text: string, limit: number): Promise<PathMatches>;
};

/**
The maximum number of paths in the index of `pwd` and in the index of another folder, and of ignored files in any index.
*/
const capacity = {pwd: 300_000, other: 100_000, ignored: 60_000};
const maxTrees = 4;

/** Creates a path search. It calls `onError` if a walk fails because of a bug. */
export function createPathSearch({onError}: {readonly onError: (error: unknown) => void}): PathSearch {
	const trees = new Map<string, PathTree>();
	const list = createListFolder();
	const activity = createActivity();
	return {
		async search(scope, text, limit) {
			const end = activity.begin();
			try {
				return await answer(
					{
						scope,
						limit,
						list,
						treeOf: root => treeOf(trees, root, scope, {idle: async () => activity.idle(), onError}),
					},
					text,
				);
			} finally {
				end();
			}
		},
	};
}

/**
Returns the index of a root. If the index is old, it is refreshed. If there are too many indexes, the least recently
used one is dropped.
*/
function treeOf(
	trees: Map<string, PathTree>,
	root: string,
	scope: Scope,
	options: {readonly idle: () => Promise<void>; readonly onError: (error: unknown) => void},
): PathTree {
	const tree =
		trees.get(root) ??
		createPathTree({
			root,
			maxRows: root === scope.pwd ? capacity.pwd : capacity.other,
			maxIgnored: capacity.ignored,
			...options,
		});
	trees.delete(root);
	trees.set(root, tree);
	const oldest = [...trees.keys()].find(key => key !== scope.pwd);
	if (trees.size > maxTrees && oldest !== undefined) trees.delete(oldest);
	tree.refresh(scope);
	return tree;
}

type SearchContext = {
	readonly scope: Scope;
	readonly limit: number;
	readonly list: ListFolder;
	readonly treeOf: (root: string) => PathTree;
};

async function answer(question: SearchContext, text: string): Promise<PathMatches> {
	const found = await answerTyped(question, text);
	const bare = withoutRange(text);
	return found.matches.length > 0 || bare === undefined ? found : answerTyped(question, bare);
}

async function answerTyped(question: SearchContext, text: string): Promise<PathMatches> {
	const written = parseTypedPath(text);
	if (written === undefined) return {matches: [], indexing: false};
	const {scope, limit, treeOf: tree} = question;
	const {at, listing} = await findFolder(question, written);
	if (!listing.ok) return listing.reason === 'out_of_scope' ? rootsBelow(question, at) : noMatches(listing.reason);
	const own = tree(listing.root);
	if (at.tail === '')
		return readableMatches(scope, listedCandidates({rows: listing.rows, head: at.head}), limit, own);
	const maxCandidates = Math.max(minCandidates, limit * 2);
	const sources = sourcesIn(listing, at, own);
	const inside = bestCandidates(sources, maxCandidates);
	if (at.head === '' || at.rooted || inside.filter(isClose).length >= limit)
		return readableMatches(scope, inside, limit, own);
	return readableMatches(
		scope,
		bestCandidates([...sources, anywhereSource(at, tree(scope.pwd))], maxCandidates),
		limit,
		own,
	);
}

function isClose({tier, ignored}: Candidate): boolean {
	return tier <= tiers.inPath && !ignored;
}

/** The minimum number of candidates per source that are ranked in detail. */
const minCandidates = 200;

/**
Finds the folder to search. This is the head of the path if the head exists. Otherwise the last parts of the head become
parts of the query.
*/
async function findFolder(
	{scope, list}: SearchContext,
	written: TypedPath,
): Promise<{readonly at: TypedPath; readonly listing: FolderListing}> {
	let at = written;
	for (;;) {
		const listing = await list(scope, at.head);
		const isMissing = !listing.ok && (listing.reason === 'not_found' || listing.reason === 'not_a_directory');
		const wider = at.rooted ? shorterHead(at) : {...at, head: '', tail: at.head + at.tail};
		if (!isMissing || at.head === '' || wider === undefined) return {at, listing};
		at = wider;
	}
}

/** Returns the entries of the folder itself and the indexed paths below it, as sources. */
function sourcesIn(
	{real, root, rows, isComplete}: FolderListing & {readonly ok: true},
	{head, tail}: TypedPath,
	tree: PathTree,
): SearchSource[] {
	const query = parsePathQuery(tail);
	const way = relative(root, real).split(sep).join('/');
	return [
		{rows, query, below: '', head, deep: false},
		{rows: tree.rows(), query, below: way === '' ? '' : `${way}/`, head, deep: isComplete},
	];
}

/**
Returns a source that matches the whole text against all paths below `pwd`. `lib/x` may mean `packages/lib/x.ts`
although there is a folder `lib`.
*/
function anywhereSource({head, tail}: TypedPath, tree: PathTree): SearchSource {
	return {rows: tree.rows(), query: parsePathQuery(head + tail), below: '', head: '', deep: false};
}

/** Offers the path from a folder outside the scope to a folder of the scope below it. Does not access the disk. */
async function rootsBelow({scope, limit}: SearchContext, {head, tail}: TypedPath): Promise<PathMatches> {
	const folder = resolve(scope.pwd, diskPath(head, scope));
	const rows = createPathRows();
	for (const root of new Set([scope.pwd, ...scope.readRoots])) {
		if (root !== folder && contains(folder, root))
			rows.add(relative(folder, root).split(sep).join('/'), true, false);
	}
	const source = {rows, below: '', head, deep: false};
	const candidates =
		tail === ''
			? listedCandidates(source)
			: bestCandidates([{...source, query: parsePathQuery(tail)}], minCandidates);
	const found = await readableMatches(scope, candidates, limit, undefined);
	return found.matches.length === 0 ? noMatches('out_of_scope') : found;
}

/**
Returns the first candidates that a file reference could read now. Resolves each candidate by the same rule as a
reference. Drops paths that no longer exist or lead out of the scope, even if the index contains them.
*/
async function readableMatches(
	scope: Scope,
	candidates: readonly Candidate[],
	limit: number,
	tree: PathTree | undefined,
): Promise<PathMatches> {
	const matches: Match[] = [];
	let gone = false;
	for (let from = 0; from < candidates.length && matches.length < limit; from += limit) {
		const checked = await Promise.all(
			candidates.slice(from, from + limit).map(async candidate => matchOf(scope, candidate)),
		);
		for (const match of checked) {
			if (match === undefined) gone = true;
			else if (matches.length < limit) matches.push(match);
		}
	}
	const indexing = tree !== undefined && (tree.isBuilding || (gone && tree.isRefreshing));
	return {
		matches,
		indexing,
		...(matches.length === 0 && !indexing && tree?.isTruncated === true && {note: notes.cut}),
	};
}

async function matchOf(scope: Scope, {path, ignored, marks}: Candidate): Promise<Match | undefined> {
	const bare = path.endsWith('/') ? path.slice(0, -1) : path;
	const place = await locate(scope, diskPath(bare, scope));
	if (!place.ok || !place.exists) return undefined;
	try {
		const stats = await lstat(place.real);
		if (!stats.isDirectory() && !stats.isFile()) return undefined;
		return {
			type: 'path',
			path: stats.isDirectory() ? `${bare}/` : bare,
			directory: stats.isDirectory(),
			ignored,
			marks,
		};
	} catch {
		return undefined;
	}
}

/** The reasons why a query has no matches. */
const notes: Readonly<Partial<Record<(FolderListing & {readonly ok: false})['reason'] | 'cut', string>>> = {
	out_of_scope: completionTexts.outOfScope,
	git: completionTexts.git,
	io: completionTexts.unreadable,
	cut: completionTexts.tooMany,
};

function noMatches(reason: (FolderListing & {readonly ok: false})['reason']): PathMatches {
	const note = notes[reason];
	return {matches: [], indexing: false, note};
}

/** Counts the active searches. Walks wait until there are none. */
type Activity = {
	/** Begins a search. Returns the function that ends it. */
	begin(): () => void;
	/** Resolves when no search is active. */
	idle(): Promise<void>;
};

function createActivity(): Activity {
	let active = 0;
	let quiet = Promise.withResolvers<void>();
	return {
		begin() {
			if (active === 0) quiet = Promise.withResolvers<void>();
			active += 1;
			return () => {
				active -= 1;
				if (active === 0) quiet.resolve();
			};
		},
		idle: async () => (active === 0 ? undefined : quiet.promise),
	};
}
