import {relative, sep} from 'node:path';
import {compileAlternative, expandBraces, type PathMatcher} from '../tools/glob-pattern.ts';
import {isLiteral, literalOf, parsePathGlob, patternOf, type PathGlob} from './path-glob.ts';

/** A file as rules know it. All paths are absolute, and `bases` are real paths. */
export type RulePlace = {
	/** The path as it was written, and where it really lies. */
	readonly paths: readonly string[];
	/** Where relative patterns begin: `pwd`, then the start directory if a project moved `pwd`. */
	readonly bases: readonly [pwd: string, ...starts: readonly string[]];
	readonly home: string;
	/** Folders that patterns name, each with the real path that it leads to. */
	readonly leads?: ReadonlyMap<string, string>;
};

/**
Whether a pattern surely names a file by all its paths: the narrow reading, for rules that allow. `docs` is not a folder
here, `docs/` is the one in `pwd`, and `/docs` is in `pwd` unless it begins with the path of `pwd`.
*/
export function surelyNames(match: string, place: RulePlace): boolean {
	const globs = globsOf(match, place, sureGlobs);
	const [pwd] = place.bases;
	return place.paths.every(path => globs.some(glob => fits(glob, path, pwd)));
}

/** Whether a pattern could name a file, or a folder that the file is in: every reading, for rules that ask or deny. */
export function possiblyNames(match: string, place: RulePlace): boolean {
	const globs = globsOf(match, place, possibleGlobs);
	return place.paths.some(path => place.bases.some(base => globs.some(glob => fits(glob, path, base))));
}

/** A path from a base folder, with `/`. */
export function pathFrom(base: string, path: string): string {
	return relative(base, path).split(sep).join('/') || '.';
}

/** The folders that a pattern names by whole paths, as far as they are written out: links in them are inspected up. */
export function foldersNamed(match: string, place: RulePlace): readonly string[] {
	return expandBraces(match).flatMap(alternative => wholeOf(parsePathGlob(alternative), place).map(literalFolder));
}

/** What is held against the path from a base, or against the whole path. */
type Glob = {readonly kind: 'relative' | 'whole'; readonly segments: readonly string[]; readonly hasContents?: boolean};
type Compiled = Glob & {readonly matches: PathMatcher};

type Reading = (glob: PathGlob, place: RulePlace) => readonly Glob[];

function globsOf(match: string, place: RulePlace, read: Reading): readonly Compiled[] {
	const globs = expandBraces(match).flatMap(alternative => read(parsePathGlob(alternative), place));
	const possible = globs.filter(({kind, segments}) => kind === 'relative' || mayBegin(segments[0], place.paths));
	return possible.map(glob => {
		const text = `/${glob.segments.join('/') || '.'}`;
		return {...glob, matches: compileAlternative(text, glob.hasContents)};
	});
}

/** Whether a path may begin with the first segment of a pattern: most patterns need not be compiled then. */
function mayBegin(first: string | undefined, paths: readonly string[]): boolean {
	return first === undefined || !isLiteral(first) || paths.some(path => path.startsWith(`/${literalOf(first)}`));
}

/** Outside of its base a path is named only by patterns for any depth. */
function fits({kind, segments, matches}: Compiled, path: string, base: string): boolean {
	if (kind === 'whole') return matches(path.slice(1));
	const name = pathFrom(base, path);
	const inner = name.replace(/^(?:\.\.\/)+/, '');
	return (inner === name || segments[0] === '**') && matches(inner);
}

function sureGlobs(glob: PathGlob, place: RulePlace): readonly Glob[] {
	const contents = glob.isFolder ? ['**'] : [];
	const inPwd: Glob = {kind: 'relative', segments: [...glob.segments, ...contents]};
	const whole = throughLinks(wholeOf(glob, place), place).map((segments): Glob => ({
		kind: 'whole',
		segments: [...segments, ...contents],
	}));
	if (glob.from === 'base') return [inPwd];
	if (glob.from === 'anywhere') return [glob.isFolder ? inPwd : {...inPwd, segments: ['**', ...inPwd.segments]}];
	if (glob.from !== 'root') return whole;
	const absolute = whole.filter(({segments}) => place.bases.some(base => beginsWith(segments, base)));
	return absolute.length > 0 ? absolute : [inPwd];
}

function possibleGlobs(glob: PathGlob, place: RulePlace): readonly Glob[] {
	const {from, segments} = glob;
	const whole = throughLinks(wholeOf(glob, place), place).map((found): Glob => ({
		kind: 'whole',
		segments: orAll(found),
		hasContents: true,
	}));
	if (from === 'home' || from === 'parent') return whole;
	const inBase = from === 'anywhere' ? ['**', ...segments] : segments;
	return [{kind: 'relative', segments: orAll(inBase), hasContents: true}, ...whole];
}

/** A folder that is named by no segment is the root, or the base: everything is in it. */
function orAll(segments: readonly string[]): readonly string[] {
	return segments.length === 0 ? ['**'] : segments;
}

/** Patterns, each as its segments from the root of the file system. */
type Segmented = ReadonlyArray<readonly string[]>;

/** The pattern as segments from the root of the file system; none where it only begins at a base. */
function wholeOf({from, segments}: PathGlob, {bases, home}: RulePlace): Segmented {
	if (from === 'root') return [segments];
	if (from === 'home') return [[...segmentsOf(home), ...segments]];
	if (from !== 'parent') return [];
	const up = segments.filter(segment => segment === '..').length;
	return bases.map(base => [...segmentsOf(base).slice(0, -up), ...segments.slice(up)]);
}

/** Each pattern as it is written, and as it is when links in its folders are followed. */
function throughLinks(patterns: Segmented, {leads}: RulePlace): Segmented {
	if (leads === undefined) return patterns;
	return patterns.flatMap(segments => {
		const folder = literalFolder(segments);
		const real = leads.get(folder);
		if (real === undefined || real === folder) return [segments];
		return [segments, [...segmentsOf(real), ...segments.slice(literalCount(segments))]];
	});
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
