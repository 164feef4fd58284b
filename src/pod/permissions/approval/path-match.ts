import {relative, sep} from 'node:path';
import {codesOf, matchingGlobs, type GlobPlaces, type StepCount} from '../../ground/globs/glob-places.ts';
import {compileAlternatives, expandBraces} from '../../ground/globs/glob-pattern.ts';
import {foldName} from './text-glob.ts';
import {parsePathGlob} from './path-glob.ts';
import {
	foldersOf,
	possibleGlobs,
	sureGlobs,
	type FolderPlace,
	type PathReading,
	type ReadGlob,
} from './path-readings.ts';

/** A file in the form that rules use. */
export type RulePlace = FolderPlace & {
	/** The absolute paths of the file: the path as the call names it, and the real path. */
	readonly paths: readonly string[];
};

/**
The path patterns (`match`) of some rules. The patterns are compiled once for many calls, and all patterns are compared
with a path at the same time.
*/
export type PathMatches = {
	/**
	Returns the indexes of the patterns that certainly match all paths of a file. Rules that allow use this narrow
	reading.
	*/
	surelyNaming(place: RulePlace): ReadonlySet<number>;
	/**
	Returns the indexes of the patterns that could match a file or a folder above it, in any reading. Rules that ask or
	deny use this wide reading. Names are compared without case if the file system ignores case.
	*/
	possiblyNaming(place: RulePlace): ReadonlySet<number>;
	/** The folders that the patterns name before the first wildcard. inkpod follows links in them at each call. */
	foldersNamed(place: FolderPlace): readonly string[];
};

export function compilePathMatches(matches: readonly string[], count?: StepCount): PathMatches {
	const alternatives = matches.flatMap((match, number) =>
		expandBraces(match).map(alternative => ({number, glob: parsePathGlob(alternative)})),
	);
	const foldersNamed = keepLast(baseKey, place => [
		...new Set(alternatives.flatMap(({glob}) => foldersOf(glob, place))),
	]);
	const placeKey = (place: FolderPlace) => {
		const leads = foldersNamed(place).map(folder => place.leads?.get(folder) ?? '');
		return [baseKey(place), ...leads].join('\0');
	};
	const compiled = (reading: PathReading) =>
		keepLast(placeKey, place =>
			compileGlobs(
				alternatives.flatMap(({number, glob}) => reading(glob, place).map(read => ({...read, number}))),
			),
		);
	const sure = compiled(sureGlobs);
	const possible = compiled(possibleGlobs);
	let folded: PathMatches | undefined;
	return {
		surelyNaming(place) {
			const globs = sure(place);
			const [first, ...others] = pathsOf(place).map(path =>
				namesOf(globs, path, path.fromBases.slice(0, 1), count),
			);
			return new Set(Array.from(first ?? []).filter(number => others.every(some => some.has(number))));
		},
		possiblyNaming(place) {
			const globs = possible(place);
			const found = pathsOf(place).flatMap(path => [...namesOf(globs, path, path.fromBases, count)]);
			if (place.foldsNames !== true) return new Set(found);
			folded ??= compilePathMatches(matches.map(foldName), count);
			return new Set([...found, ...folded.possiblyNaming(foldedPlace(place))]);
		},
		foldersNamed,
	};
}

/** Returns the relative path from a base folder, with `/` as the separator. */
export function pathFrom(base: string, path: string): string {
	return relative(base, path).split(sep).join('/') || '.';
}

/** The case-folded form of each file, cached because it is compared with many lists of rules. */
const foldedPlaces = new WeakMap<RulePlace, RulePlace>();

function foldedPlace(place: RulePlace): RulePlace {
	const {paths, bases, home, leads} = place;
	const [pwd, ...starts] = bases;
	const folded = foldedPlaces.get(place) ?? {
		paths: paths.map(foldName),
		bases: [foldName(pwd), ...starts.map(foldName)] as const,
		home: foldName(home),
		...(leads && {leads: new Map([...leads].map(([named, real]) => [foldName(named), foldName(real)] as const))}),
	};
	foldedPlaces.set(place, folded);
	return folded;
}

/** Caches the last value and returns it while the key stays the same. */
function keepLast<Value>(
	keyOf: (place: FolderPlace) => string,
	make: (place: FolderPlace) => Value,
): (place: FolderPlace) => Value {
	let kept: {readonly key: string; readonly value: Value} | undefined;
	return place => {
		const key = keyOf(place);
		if (kept?.key !== key) kept = {key, value: make(place)};
		return kept.value;
	};
}

function baseKey({bases, home}: FolderPlace): string {
	return [home, ...bases].join('\0');
}

type NumberedGlob = ReadGlob & {readonly number: number};

/** The globs that are compared with the same paths. */
type GlobGroup = {readonly numbers: readonly number[]; readonly places: GlobPlaces; readonly hasContents: boolean};

type GlobGroups = {
	readonly whole: GlobGroup;
	readonly relative: GlobGroup;
	/** Only these relative globs can match a path outside of the base folders. */
	readonly anyDepth: GlobGroup;
};

function compileGlobs(globs: readonly NumberedGlob[]): GlobGroups {
	const isAnyDepth = ({segments}: ReadGlob) => segments[0] === '**';
	const inBases = globs.filter(({kind}) => kind === 'relative');
	return {
		whole: groupOf(globs.filter(({kind}) => kind === 'whole')),
		relative: groupOf(inBases.filter(glob => !isAnyDepth(glob))),
		anyDepth: groupOf(inBases.filter(isAnyDepth)),
	};
}

function groupOf(globs: readonly NumberedGlob[]): GlobGroup {
	return {
		numbers: globs.map(({number}) => number),
		places: compileAlternatives(globs.map(({segments}) => `/${segments.join('/') || '.'}`)),
		hasContents: globs[0]?.hasContents === true,
	};
}

/** A path in the forms that are compared with globs. */
type PreparedPath = {
	readonly whole: Int32Array;
	readonly fromBases: ReadonlyArray<{readonly isInside: boolean; readonly codes: Int32Array}>;
};

/** The prepared paths of each file, cached because they are compared with many lists of rules. */
const knownPaths = new WeakMap<RulePlace, readonly PreparedPath[]>();

function pathsOf(place: RulePlace): readonly PreparedPath[] {
	const paths = knownPaths.get(place) ?? place.paths.map(path => preparePath(path, place));
	knownPaths.set(place, paths);
	return paths;
}

function preparePath(path: string, {bases}: FolderPlace): PreparedPath {
	const fromBases = bases.map(base => {
		const name = pathFrom(base, path);
		const inner = name.replace(/^(?:\.\.\/)+/, '');
		return {isInside: inner === name, codes: codesOf(inner)};
	});
	return {whole: codesOf(path.slice(1)), fromBases};
}

function namesOf(
	{whole, relative: inBase, anyDepth}: GlobGroups,
	path: PreparedPath,
	fromBases: PreparedPath['fromBases'],
	count: StepCount | undefined,
): ReadonlySet<number> {
	const named = ({numbers, places, hasContents}: GlobGroup, codes: Int32Array) =>
		matchingGlobs(places, codes, hasContents, count).flatMap(glob => numbers[glob] ?? []);
	return new Set([
		...named(whole, path.whole),
		...fromBases.flatMap(({isInside, codes}) => [
			...(isInside ? named(inBase, codes) : []),
			...named(anyDepth, codes),
		]),
	]);
}
