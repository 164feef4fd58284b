import {dirname} from 'node:path';
import {isLiteral, literalOf, patternOf, type PathGlob} from './path-glob.ts';

/** The folders at which patterns of rules begin. All are absolute, and `bases` are real paths. */
export type FolderPlace = {
	/** Where relative patterns begin: `pwd`, then the start directory if a project moved `pwd`. */
	readonly bases: readonly [pwd: string, ...starts: readonly string[]];
	readonly home: string;
	/** Folders that patterns name, each with the real path that it leads to. */
	readonly leads?: ReadonlyMap<string, string>;
};

/** What is compared with the path from a base, or with the whole path. */
export type ReadGlob = {
	readonly kind: 'relative' | 'whole';
	readonly segments: readonly string[];
	/** Whether it covers what is below a folder that it matches. */
	readonly hasContents: boolean;
};

/** The meanings that a pattern may have in a place. */
export type PathReading = (glob: PathGlob, place: FolderPlace) => readonly ReadGlob[];

/**
The narrow reading, for rules that allow. `docs` is not a folder here, `docs/` is the one in `pwd`, and `/docs` is in
`pwd` unless it begins with the path of `pwd`.
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

/** Every reading, for rules that ask or deny. */
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

/** The folders that a pattern names, as far as they are written out. Links in them are followed at each call. */
export function foldersOf(glob: PathGlob, place: FolderPlace): readonly string[] {
	const folders = [...wholeOf(glob, place), ...inBases(glob, place)].map(literalFolder);
	// A base is a real path already.
	return folders.filter(folder => folder !== '/' && !place.bases.includes(folder));
}

/** A folder that is named by no segment is the root, or the base: everything is in it. */
function orAll(segments: readonly string[]): readonly string[] {
	return segments.length === 0 ? ['**'] : segments;
}

/** Patterns, each as its segments from the root of the file system. */
type Segmented = ReadonlyArray<readonly string[]>;

/** The pattern as segments from the root of the file system; none where it only begins at a base. */
function wholeOf({from, segments}: PathGlob, {bases, home}: FolderPlace): Segmented {
	if (from === 'root') return [segments];
	if (from === 'home') return [[...segmentsOf(home), ...segments]];
	if (from !== 'parent') return [];
	const up = segments.filter(segment => segment === '..').length;
	return bases.map(base => [...segmentsOf(base).slice(0, -up), ...segments.slice(up)]);
}

/** The pattern as segments from the root of the file system where it begins at a base. */
function inBases({from, segments}: PathGlob, {bases}: FolderPlace): Segmented {
	if (from === 'home' || from === 'parent') return [];
	return bases.map(base => [...segmentsOf(base), ...segments]);
}

/** The pattern as it is when the links in its folder are followed; none where there are none. */
function leadOf(segments: readonly string[], {leads}: FolderPlace): Segmented {
	const folder = literalFolder(segments);
	const real = leads?.get(folder);
	if (real === undefined || real === folder) return [];
	return [[...segmentsOf(real), ...segments.slice(literalCount(segments))]];
}

/**
The same where the links are above a base: `/tmp/project/src` for `/private/tmp/project/src`. A link inside of a base
is not followed, because who may change the project could make it lead to a file that no rule allows.
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

/** A path as segments of a pattern that names nothing else. */
function segmentsOf(path: string): readonly string[] {
	return path
		.split('/')
		.filter(segment => segment !== '')
		.map(patternOf);
}
