import {dirname, join, resolve} from 'node:path';
import {isLiteral, literalOf, patternOf, type PathGlob} from './path-glob.ts';
import type {Ask, Refusal} from '../../protocol.ts';
import type {Answer} from './asks.ts';
import {contains} from '../../ground/files/contains.ts';
import {createScope, type Scope} from '../../scope/scope.ts';
import {scopeTexts} from '../../scope/texts.ts';

/** The folders from which patterns of rules are resolved. All paths are absolute, and `bases` are real paths. */
export type FolderPlace = {
	/** The folders where relative patterns begin: `pwd`, then the start directory if a project moved `pwd`. */
	readonly bases: readonly [pwd: string, ...starts: readonly string[]];
	readonly home: string;
	/** The folders that patterns name, each with its real path. */
	readonly leads?: ReadonlyMap<string, string>;
	/** Whether the file system ignores case in names. */
	readonly foldsNames?: boolean | undefined;
};

/** A pattern for the path from a base, or for the whole path. */
export type ReadGlob = {
	readonly kind: 'relative' | 'whole';
	readonly segments: readonly string[];
	/** Whether the pattern also covers everything in a folder that it matches. */
	readonly hasContents: boolean;
};

/** The meanings that a pattern may have. */
export type PathReading = (glob: PathGlob, place: FolderPlace) => readonly ReadGlob[];

/**
Returns the narrow reading, for rules that allow. In this reading, `docs` does not include the contents of a folder.
`docs/` is the folder in `pwd`. `/docs` is in `pwd`, unless the pattern begins with the path of a base folder.
*/
export function sureGlobs(glob: PathGlob, place: FolderPlace): readonly ReadGlob[] {
	const contents = glob.isFolder ? ['**'] : [];
	const inPwd: ReadGlob = {kind: 'relative', segments: [...glob.segments, ...contents], hasContents: false};
	const whole = wholeOf(glob, place)
		.flatMap(segments => [segments, ...leadsAbove(segments, place)])
		.map((segments): ReadGlob => ({kind: 'whole', segments: [...segments, ...contents], hasContents: false}));
	if (glob.from === 'base') return [inPwd];
	if (glob.from === 'anywhere') return [glob.isFolder ? inPwd : {...inPwd, segments: ['**', ...inPwd.segments]}];
	if (glob.from !== 'root') return whole;
	const absolute = whole.filter(({segments}) => place.bases.some(base => beginsWith(segments, base)));
	return absolute.length > 0 ? absolute : [inPwd];
}

/** Returns every reading, for rules that ask or deny. */
export function possibleGlobs(glob: PathGlob, place: FolderPlace): readonly ReadGlob[] {
	const {from, segments} = glob;
	const whole = wholeOf(glob, place);
	const followed = [...whole, ...inBases(glob, place)].flatMap(found => leadOf(found, place));
	const wholeGlobs = [...whole, ...followed].map((found): ReadGlob => ({
		kind: 'whole',
		segments: orAll(found),
		hasContents: true,
	}));
	if (from === 'home' || from === 'parent') return wholeGlobs;
	const inBase = from === 'anywhere' ? ['**', ...segments] : segments;
	return [{kind: 'relative', segments: orAll(inBase), hasContents: true}, ...wholeGlobs];
}

/** Returns the folders that a pattern names before its first wildcard. inkpod follows links in them at each call. */
export function foldersOf(glob: PathGlob, place: FolderPlace): readonly string[] {
	const folders = [...wholeOf(glob, place), ...inBases(glob, place)].map(literalFolder);
	// A base is already a real path.
	return folders.filter(folder => folder !== '/' && !place.bases.includes(folder));
}

/** A folder that the user wants to add. `add` makes the folder part of the scope immediately. */
export type FoundDir =
	| {readonly ok: true; add(): void}
	| {readonly ok: false; readonly code: Extract<Refusal, 'no_such_dir' | 'empty'>; readonly sentence: string};

export type WidenableScope = {
	/** The scope of the pod. Its `readRoots` always include the folders that the user has added. */
	readonly scope: Scope;
	/** Finds a folder by a path that is absolute, relative to `pwd`, or begins with `~`. */
	readonly find: (path: string) => Promise<FoundDir>;
};

/**
Creates a scope whose read roots can grow while the pod is open. Only the user can add folders. Added folders are
recorded, and a resumed session asks whether to add them again. `onChange` is called when a folder is added that was not
readable before.
*/
export function createWidenableScope(
	start: Scope,
	{home, onChange}: {readonly home: string; readonly onChange: () => void},
): WidenableScope {
	let {readRoots} = start;
	const scope: Scope = {
		pwd: start.pwd,
		writable: start.writable,
		home: start.home,
		owners: start.owners,
		copyOf: start.copyOf,
		get readRoots() {
			return readRoots;
		},
	};
	return {
		scope,
		async find(path) {
			if (path.trim() === '') return {ok: false, code: 'empty', sentence: scopeTexts.noDirectory};
			const created = await createScope({pwd: resolve(scope.pwd, fromHome(path, home)), home});
			if (!created.ok)
				return {
					ok: false,
					code: 'no_such_dir',
					sentence: scopeTexts.notAdded(path, created.reason),
				};
			const real = created.scope.pwd;
			return {
				ok: true,
				add() {
					if (contains(scope.pwd, real) || readRoots.includes(real)) return;
					readRoots = [...readRoots, real];
					onChange();
				},
			};
		},
	};
}

/** Adds the folders that exist, and warns about each folder that does not exist. */
export async function addFolders(
	folders: readonly string[],
	find: WidenableScope['find'],
	warn: (text: string) => void,
): Promise<void> {
	for (const folder of folders) {
		const found = await find(folder);
		if (found.ok) found.add();
		else warn(found.sentence);
	}
}

/** Asks whether a resumed session may again read the folders that the user added earlier. */
export async function askToAddAgain(
	folders: readonly string[],
	{ask, find, warn, signal}: AddAgainOptions,
): Promise<void> {
	const {title, choices} = scopeTexts.again;
	const answer = await ask({title, detail: folders.join('\n'), choices}, signal);
	if (answer?.choice === 'add') await addFolders(folders, find, warn);
}

export function withRoots(scope: Scope, real: readonly string[]): Scope {
	return {...scope, readRoots: [...new Set([...scope.readRoots, ...real])]};
}

export function withoutRoots(scope: Scope, real: readonly string[]): Scope {
	return {...scope, readRoots: scope.readRoots.filter(root => !real.includes(root))};
}

/** A pattern without segments means the root or the base folder, which contains everything. */
function orAll(segments: readonly string[]): readonly string[] {
	return segments.length === 0 ? ['**'] : segments;
}

/** A list of patterns, each as segments from the root of the file system. */
type Segmented = ReadonlyArray<readonly string[]>;

/**
Returns the pattern as segments from the root of the file system. Returns nothing if the pattern is relative to a base
folder.
*/
function wholeOf({from, segments}: PathGlob, {bases, home}: FolderPlace): Segmented {
	if (from === 'root') return [segments];
	if (from === 'home') return [[...segmentsOf(home), ...segments]];
	if (from !== 'parent') return [];
	const up = segments.filter(segment => segment === '..').length;
	return bases.map(base => [...segmentsOf(base).slice(0, -up), ...segments.slice(up)]);
}

/** Returns the pattern below each base folder, as segments from the root of the file system. */
function inBases({from, segments}: PathGlob, {bases}: FolderPlace): Segmented {
	if (from === 'home' || from === 'parent') return [];
	return bases.map(base => [...segmentsOf(base), ...segments]);
}

/** Returns the pattern with the real path of its literal folder. Returns nothing if this folder contains no links. */
function leadOf(segments: readonly string[], {leads}: FolderPlace): Segmented {
	const folder = literalFolder(segments);
	const real = leads?.get(folder);
	if (real === undefined || real === folder) return [];
	return [[...segmentsOf(real), ...segments.slice(literalCount(segments))]];
}

/**
Does the same as `leadOf`, but follows only links above a base folder: `/tmp/project/src` may mean
`/private/tmp/project/src`. Does not follow links inside a base folder, because anyone who may change the project could
point such a link to a file that no rule allows.
*/
function leadsAbove(segments: readonly string[], place: FolderPlace): Segmented {
	const folder = literalFolder(segments);
	const real = place.leads?.get(folder);
	const isAbove = place.bases.some(
		base => real !== undefined && isIn(real, base) && folder.endsWith(real.slice(dirname(base).length)),
	);
	return isAbove && !place.bases.some(base => isIn(folder, base)) ? leadOf(segments, place) : [];
}

function isIn(path: string, folder: string): boolean {
	return path === folder || path.startsWith(folder === '/' ? folder : `${folder}/`);
}

function literalCount(segments: readonly string[]): number {
	const first = segments.findIndex(segment => !isLiteral(segment));
	return first === -1 ? segments.length : first;
}

function literalFolder(segments: readonly string[]): string {
	return `/${segments.slice(0, literalCount(segments)).map(literalOf).join('/')}`;
}

function beginsWith(segments: readonly string[], base: string): boolean {
	return segmentsOf(base).every((segment, at) => segments[at] === segment);
}

/** Returns the segments of a pattern that matches only this path. */
function segmentsOf(path: string): readonly string[] {
	return path
		.split('/')
		.filter(segment => segment !== '')
		.map(patternOf);
}

type AddAgainOptions = {
	readonly ask: (question: Omit<Ask, 'id'>, signal: AbortSignal) => Promise<Answer | undefined>;
	readonly find: WidenableScope['find'];
	readonly warn: (sentence: string) => void;
	readonly signal: AbortSignal;
};

function fromHome(path: string, home: string): string {
	if (path === '~') return home;
	return path.startsWith('~/') ? join(home, path.slice(2)) : path;
}
