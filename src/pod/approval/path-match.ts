import {relative, sep} from 'node:path';
import {codesOf, matchesCodes, type GlobPlaces} from '../tools/glob-places.ts';
import {compileAlternative, expandBraces} from '../tools/glob-pattern.ts';
import {isLiteral, literalOf, parsePathGlob} from './path-glob.ts';
import {
	foldersOf,
	possibleGlobs,
	sureGlobs,
	type FolderPlace,
	type PathReading,
	type ReadGlob,
} from './path-readings.ts';

/** A file as rules know it. */
export type RulePlace = FolderPlace & {
	/** Absolute: the path as it was written, and where it really lies. */
	readonly paths: readonly string[];
};

/** A rule's `match`, read as paths. It is compiled once for many calls. */
export type PathMatch = {
	/** Whether it surely names a file by all its paths: the narrow reading, for rules that allow. */
	surelyNames(place: RulePlace): boolean;
	/** Whether it could name a file, or a folder that the file is in: every reading, for rules that ask or deny. */
	possiblyNames(place: RulePlace): boolean;
	/** The folders that it names, as far as they are written out: links in them are followed at each call. */
	foldersNamed(place: FolderPlace): readonly string[];
};

/** `onStep` is called for each step of a comparison. */
export function compilePathMatch(match: string, onStep?: () => void): PathMatch {
	const alternatives = expandBraces(match).map(parsePathGlob);
	const foldersNamed = keepLast(baseKey, place => [...new Set(alternatives.flatMap(glob => foldersOf(glob, place)))]);
	const placeKey = (place: FolderPlace) => {
		const leads = foldersNamed(place).map(folder => place.leads?.get(folder) ?? '');
		return [baseKey(place), ...leads].join('\0');
	};
	const globsBy = (reading: PathReading) =>
		keepLast(placeKey, place => alternatives.flatMap(glob => reading(glob, place)).map(prepareGlob));
	const sure = globsBy(sureGlobs);
	const possible = globsBy(possibleGlobs);
	return {
		surelyNames(place) {
			const globs = sure(place);
			return pathsOf(place).every(path =>
				globs.some(glob => fits(glob, path, path.fromBases.slice(0, 1), onStep)),
			);
		},
		possiblyNames(place) {
			const globs = possible(place);
			return pathsOf(place).some(path => globs.some(glob => fits(glob, path, path.fromBases, onStep)));
		},
		foldersNamed,
	};
}

/** A path from a base folder, with `/`. */
export function pathFrom(base: string, path: string): string {
	return relative(base, path).split(sep).join('/') || '.';
}

/** Keeps the last value, which is asked for again while the key stays the same. */
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

type PreparedGlob = {
	readonly kind: ReadGlob['kind'];
	readonly hasContents: boolean;
	/** How a whole path begins that could match, as far as it is written out. */
	readonly beginning: string;
	/** Whether it names files outside of its base, too. */
	readonly isForAnyDepth: boolean;
	readonly places: () => GlobPlaces;
};

/** Most globs are never compared with a path, and need not be compiled. */
function prepareGlob({kind, segments, hasContents}: ReadGlob): PreparedGlob {
	const [first] = segments;
	let compiled: GlobPlaces | undefined;
	return {
		kind,
		hasContents,
		beginning: first !== undefined && isLiteral(first) ? `/${literalOf(first)}` : '/',
		isForAnyDepth: first === '**',
		places: () => (compiled ??= compileAlternative(`/${segments.join('/') || '.'}`)),
	};
}

/** A path in the forms that globs are compared with. */
type PreparedPath = {
	readonly path: string;
	readonly whole: Int32Array;
	readonly fromBases: ReadonlyArray<{readonly isInside: boolean; readonly codes: Int32Array}>;
};

/** The paths of each judged file: all rules are compared with the same ones. */
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
	return {path, whole: codesOf(path.slice(1)), fromBases};
}

/** Outside of its base a path is named only by patterns for any depth. */
function fits(
	{kind, hasContents, beginning, isForAnyDepth, places}: PreparedGlob,
	{path, whole}: PreparedPath,
	fromBases: PreparedPath['fromBases'],
	onStep: (() => void) | undefined,
): boolean {
	if (kind === 'whole') {
		return path.startsWith(beginning) && matchesCodes(places(), whole, hasContents, onStep);
	}
	return fromBases.some(
		({isInside, codes}) => (isInside || isForAnyDepth) && matchesCodes(places(), codes, hasContents, onStep),
	);
}
