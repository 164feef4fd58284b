import {lstat} from 'node:fs/promises';
import {relative, resolve, sep} from 'node:path';
import type {Completions, Match} from '../protocol.ts';
import {locate} from '../scope/locate.ts';
import {contains, type Scope} from '../scope/scope.ts';
import {diskPath} from '../submission/disk-path.ts';
import {bestCandidates, listedCandidates, type Candidate, type Source} from './candidates.ts';
import {createListFolder, type Listing, type ListFolder} from './listing.ts';
import {createPathRows} from './path-rows.ts';
import {createPathTree, type PathTree} from './path-tree.ts';
import {tiers, wantedOf} from './rank.ts';
import {completionTexts} from './texts.ts';
import {readWritten, shorterHead, withoutRange, type WrittenPath} from './typed-path.ts';

/** The answer to a path query, without the query. */
export type Found = Omit<Completions, 'query'>;

/** Finds the paths that the beginning of a path may mean. It keeps an index of each queried folder of the scope. */
export type PathSearch = {
	search(scope: Scope, text: string, limit: number): Promise<Found>;
};

/** The maximum number of paths in an index: of `pwd`, of another folder, and of ignored files in either. */
const capacity = {pwd: 300_000, other: 100_000, ignored: 60_000};
const mostTrees = 4;

/** `onError` is called if a walk fails because of a bug. */
export function createPathSearch({onError}: {readonly onError: (error: unknown) => void}): PathSearch {
	const trees = new Map<string, PathTree>();
	const list = createListFolder();
	const work = createWork();
	return {
		async search(scope, text, limit) {
			const end = work.begin();
			try {
				return await answer(
					{
						scope,
						limit,
						list,
						treeOf: root => treeOf(trees, root, scope, {idle: async () => work.idle(), onError}),
					},
					text,
				);
			} finally {
				end();
			}
		},
	};
}

/** Counts the active searches, so that no walk takes time from them. */
function createWork(): {begin(): () => void; idle(): Promise<void>} {
	let under = 0;
	let quiet = Promise.withResolvers<void>();
	return {
		begin() {
			if (under === 0) quiet = Promise.withResolvers<void>();
			under += 1;
			return () => {
				under -= 1;
				if (under === 0) quiet.resolve();
			};
		},
		idle: async () => (under === 0 ? undefined : quiet.promise),
	};
}

/**
The index of a root, refreshed if it is old. If there are too many indexes, the least recently used one is dropped.
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
			most: root === scope.pwd ? capacity.pwd : capacity.other,
			mostIgnored: capacity.ignored,
			...options,
		});
	trees.delete(root);
	trees.set(root, tree);
	const oldest = [...trees.keys()].find(key => key !== scope.pwd);
	if (trees.size > mostTrees && oldest !== undefined) trees.delete(oldest);
	tree.refresh(scope);
	return tree;
}

type Question = {
	readonly scope: Scope;
	readonly limit: number;
	readonly list: ListFolder;
	readonly treeOf: (root: string) => PathTree;
};

async function answer(question: Question, text: string): Promise<Found> {
	const found = await answerWritten(question, text);
	const bare = withoutRange(text);
	return found.matches.length > 0 || bare === undefined ? found : answerWritten(question, bare);
}

async function answerWritten(question: Question, text: string): Promise<Found> {
	const written = readWritten(text);
	if (written === undefined) return {matches: [], indexing: false};
	const {scope, limit, treeOf: tree} = question;
	const {at, listing} = await placed(question, written);
	if (!listing.ok) return listing.reason === 'out_of_scope' ? rootsBelow(question, at) : unmatched(listing.reason);
	const own = tree(listing.root);
	if (at.tail === '') return reachable(scope, listedCandidates({rows: listing.rows, head: at.head}), limit, own);
	const most = Math.max(leastLooked, limit * 2);
	const sources = sourcesIn(listing, at, own);
	const inside = bestCandidates(sources, most);
	if (at.head === '' || at.rooted || inside.filter(isClose).length >= limit)
		return reachable(scope, inside, limit, own);
	return reachable(scope, bestCandidates([...sources, anywhere(at, tree(scope.pwd))], most), limit, own);
}

function isClose({tier, ignored}: Candidate): boolean {
	return tier <= tiers.inPath && !ignored;
}

/** The minimum number of candidates per source that are ranked in detail. */
const leastLooked = 200;

/**
Finds the folder to search: the head if there is such a folder. Otherwise more of the head becomes part of the query.
*/
async function placed(
	{scope, list}: Question,
	written: WrittenPath,
): Promise<{readonly at: WrittenPath; readonly listing: Listing}> {
	let at = written;
	for (;;) {
		const listing = await list(scope, at.head);
		const isMissing = !listing.ok && (listing.reason === 'not_found' || listing.reason === 'not_a_directory');
		const wider = at.rooted ? shorterHead(at) : {...at, head: '', tail: at.head + at.tail};
		if (!isMissing || at.head === '' || wider === undefined) return {at, listing};
		at = wider;
	}
}

/** The entries of the folder itself, and the indexed paths below it. */
function sourcesIn(
	{real, root, rows, whole}: Listing & {readonly ok: true},
	{head, tail}: WrittenPath,
	tree: PathTree,
): Source[] {
	const wanted = wantedOf(tail);
	const way = relative(root, real).split(sep).join('/');
	return [
		{rows, wanted, below: '', head, deep: false},
		{rows: tree.rows(), wanted, below: way === '' ? '' : `${way}/`, head, deep: whole},
	];
}

/**
Matches the whole text against all paths below `pwd`: `lib/x` may mean `packages/lib/x.ts` although there is a `lib`.
*/
function anywhere({head, tail}: WrittenPath, tree: PathTree): Source {
	return {rows: tree.rows(), wanted: wantedOf(head + tail), below: '', head: '', deep: false};
}

/**
A folder outside the scope may contain a folder of the scope. Only the way to that one is offered, without a look at the
disk.
*/
async function rootsBelow({scope, limit}: Question, {head, tail}: WrittenPath): Promise<Found> {
	const folder = resolve(scope.pwd, diskPath(head));
	const rows = createPathRows();
	for (const root of new Set([scope.pwd, ...scope.readRoots])) {
		if (root !== folder && contains(folder, root))
			rows.add(relative(folder, root).split(sep).join('/'), true, false);
	}
	const source = {rows, below: '', head, deep: false};
	const candidates =
		tail === '' ? listedCandidates(source) : bestCandidates([{...source, wanted: wantedOf(tail)}], leastLooked);
	const found = await reachable(scope, candidates, limit, undefined);
	return found.matches.length === 0 ? unmatched('out_of_scope') : found;
}

/**
The first candidates that a file reference could read now. Each is resolved by the same rule as a reference.
Paths that no longer exist or lead out of the scope are dropped, even if the index contains them.
*/
async function reachable(
	scope: Scope,
	candidates: readonly Candidate[],
	limit: number,
	tree: PathTree | undefined,
): Promise<Found> {
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
	const indexing = tree !== undefined && (tree.building || (gone && tree.refreshing));
	return {matches, indexing, ...(matches.length === 0 && !indexing && tree?.cut === true && {note: notes.cut})};
}

async function matchOf(scope: Scope, {path, ignored, marks}: Candidate): Promise<Match | undefined> {
	const bare = path.endsWith('/') ? path.slice(0, -1) : path;
	const place = await locate(scope, diskPath(bare));
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

/** Why there are no matches, if there is more to say than that. */
const notes: Readonly<Partial<Record<(Listing & {readonly ok: false})['reason'] | 'cut', string>>> = {
	out_of_scope: completionTexts.outOfScope,
	git: completionTexts.git,
	io: completionTexts.unreadable,
	cut: completionTexts.tooMany,
};

function unmatched(reason: (Listing & {readonly ok: false})['reason']): Found {
	const note = notes[reason];
	return {matches: [], indexing: false, ...(note !== undefined && {note})};
}
