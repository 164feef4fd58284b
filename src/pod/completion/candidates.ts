import {prepare, single} from 'fuzzysort';
import {fold, unitsOf} from './folded.ts';
import type {PathRows} from './path-rows.ts';
import {bestRows, tiers, type Tier, type Wanted} from './rank.ts';

/**
A path that may be answered, as it would be written. `source`: which of the places searched it is from, best first.
*/
export type Candidate = {
	readonly path: string;
	readonly directory: boolean;
	readonly ignored: boolean;
	readonly marks: readonly number[];
	readonly tier: Tier;
	readonly source: number;
	readonly score: number;
};

/**
Where to search for what: rows, of which only those below `below` count, answered with `head` in its place. `deep`: what
lies directly there is known from elsewhere.
*/
export type Source = {
	readonly rows: PathRows;
	readonly wanted: Wanted;
	readonly below: string;
	readonly head: string;
	readonly deep: boolean;
};

/** The best of all sources, best first, each path once. At most `most` of each source. */
export function bestCandidates(sources: readonly Source[], most: number): Candidate[] {
	const all = sources.flatMap(({rows, wanted, below, head, deep}, source) =>
		bestRows(rows, wanted, {most, below, deep}).map(({row, tier}) => {
			const {path, directory, ignored} = rows.entry(row);
			return candidate({rest: path.slice(below.length), head, directory, ignored, tier, source}, wanted);
		}),
	);
	const seen = new Set<string>();
	return all.toSorted(byMerit).filter(({path}) => !seen.has(path) && seen.add(path));
}

/** All rows as they are listed where nothing is sought: directories first, hidden ones behind the others. */
export function listedCandidates({rows, head}: Pick<Source, 'rows' | 'head'>): Candidate[] {
	const all = Array.from({length: rows.size}, (_, row) => {
		const {path: rest, directory, ignored} = rows.entry(row);
		return candidate({rest, head, directory, ignored, tier: tiers.exact, source: 0}, undefined);
	});
	const rank = ({path, directory, ignored}: Candidate) =>
		Number(ignored) * 4 + Number(!directory) * 2 + Number(path.startsWith('.', head.length));
	return all.toSorted((a, b) => rank(a) - rank(b) || byName(a, b));
}

type Found = Pick<Candidate, 'directory' | 'ignored' | 'tier' | 'source'> & {
	readonly rest: string;
	readonly head: string;
};

function candidate({rest, head, directory, ignored, tier, source}: Found, wanted: Wanted | undefined): Candidate {
	const start = writable(head, rest);
	const {places, score} = wanted === undefined ? {places: [], score: 0} : placesOf(rest, tier, wanted);
	return {
		path: `${start}${rest}${directory ? '/' : ''}`,
		directory,
		ignored,
		marks: places.map(unit => start.length + unit),
		tier,
		source,
		score,
	};
}

/** A folder that is really called `~` is written `./~/`: `~/` is the person's home. */
function writable(head: string, rest: string): string {
	return head === '' && /^~(?:\/|$)/.test(rest) ? './' : head;
}

function byMerit(a: Candidate, b: Candidate): number {
	return (
		Number(a.ignored) - Number(b.ignored) ||
		a.tier - b.tier ||
		a.source - b.source ||
		b.score - a.score ||
		a.path.length - b.path.length ||
		byName(a, b)
	);
}

function byName(a: Candidate, b: Candidate): number {
	return Number(a.path > b.path) - Number(a.path < b.path);
}

/** The code units of the path that were matched, and how well scattered ones were, as fuzzysort sees it. */
function placesOf(
	path: string,
	tier: Tier,
	wanted: Wanted,
): {readonly places: readonly number[]; readonly score: number} {
	const folded = fold(path);
	if (tier < tiers.nameLetters) {
		const at = placeOf(folded.key, path, tier, wanted);
		return {
			places: unitsOf(
				path,
				folded,
				Array.from({length: wanted.key.length}, (_, index) => at + index),
			),
			score: 0,
		};
	}
	const name = folded.key.lastIndexOf('/') + 1;
	const from = tier === tiers.nameLetters && wanted.slash < 0 ? name : 0;
	const result = single(wanted.key, prepare(folded.key.slice(from)));
	const places = result === null ? lettersOf(folded.key, wanted.key) : result.indexes.map(index => from + index);
	return {places: unitsOf(path, folded, places), score: result?.score ?? 0};
}

/**
Where the key of the query stands in that of the path: in the name where it can, at the start of a word where the tier
says so.
*/
function placeOf(key: string, path: string, tier: Tier, {key: sought, slash}: Wanted): number {
	const name = key.lastIndexOf('/') + 1;
	if (slash >= 0) return tier < tiers.inPath ? name - sought.lastIndexOf('/') - 1 : key.indexOf(sought);
	if (tier === tiers.inPath) return key.lastIndexOf(sought, name - 1);
	let at = key.indexOf(sought, name);
	while (tier === tiers.word && !startsWord(key, path, at)) {
		const next = key.indexOf(sought, at + 1);
		if (next < 0) return at;
		at = next;
	}
	return at;
}

function startsWord(key: string, path: string, at: number): boolean {
	if (!/[\p{L}\p{N}]/u.test(key[at - 1] ?? '')) return true;
	return key.length === path.length && /\p{Lu}/u.test(path[at]!) && !/\p{Lu}/u.test(path[at - 1]!);
}

function lettersOf(key: string, sought: string): number[] {
	const places: number[] = [];
	for (let at = key.length - 1, left = sought.length - 1; at >= 0 && left >= 0; at -= 1) {
		if (key[at] !== sought[left]) continue;
		places.unshift(at);
		left -= 1;
	}
	return places;
}
